//! Delivery of diagnostics: pushed to clients that want it, whenever any changed; pulled by the others.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::{
    CodeLensRefreshRequest, DiagnosticRefreshRequest, FullDocumentDiagnosticReport, InlayHintRefreshRequest,
    PublishDiagnosticsNotification, PublishDiagnosticsParams, SemanticTokensRefreshRequest,
    UnchangedDocumentDiagnosticReport, Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReport,
    WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::Server;
use super::requests::{ClientRequest, News};
use crate::diagnostics::findings::{Diagnosed, FileDiagnostics};
use crate::event::{FolderId, Scope};
use crate::message::value_of;
use crate::uri::{path_of, uri_of};

/// The diagnostics that the client has, or will get with its next request.
#[derive(Debug, Default)]
pub(super) struct Published {
    folders: BTreeMap<FolderId, OfFolder>,
    /// Whether the client has already requested workspace diagnostics.
    was_asked: bool,
}

#[derive(Debug, Default)]
struct OfFolder {
    /// The number of the check that produced them.
    check: u64,
    diagnosed: BTreeMap<Utf8PathBuf, FileDiagnostics>,
    /// Whether all files were checked at least once.
    is_complete: bool,
    /// The diagnostic of a faulty configuration.
    configuration: Option<(Utf8PathBuf, FileDiagnostics)>,
}

impl Published {
    /// The diagnostics of each file, of checked ones and of configurations.
    fn all(&self) -> BTreeMap<&Utf8PathBuf, &FileDiagnostics> {
        let of_folders = self.folders.values();
        let known = of_folders.flat_map(|it| {
            it.diagnosed.iter().chain(it.configuration.as_ref().map(|(path, diagnosed)| (path, diagnosed)))
        });
        known.collect()
    }
}

impl Server {
    /// Handles the diagnostics of a check, including files that no longer have any.
    pub(super) fn diagnosed(&mut self, folder: FolderId, check: u64, scope: Scope, mut diagnosed: Diagnosed) {
        if !self.folders.contains_key(&folder) {
            return;
        }
        let of_folder = self.published.folders.entry(folder).or_default();
        if check < of_folder.check {
            return;
        }
        of_folder.check = check;
        if scope == Scope::Everything {
            let gone = of_folder.diagnosed.keys().filter(|it| !diagnosed.contains_key(*it));
            let gone: Vec<_> = gone.map(|it| (it.clone(), None)).collect();
            diagnosed.extend(gone);
        }
        diagnosed.retain(|path, new| of_folder.diagnosed.get(path) != new.as_ref());
        let mut has_changed_by_others = false;
        for (path, new) in &diagnosed {
            let old = match new {
                Some(new) => of_folder.diagnosed.insert(path.clone(), new.clone()),
                None => of_folder.diagnosed.remove(path),
            };
            has_changed_by_others |= old.zip(new.as_ref()).is_some_and(|(old, new)| {
                new.version.is_some() && old.version == new.version && old.id != new.id
            });
        }
        let has_ended = scope != Scope::First;
        if has_ended {
            of_folder.is_complete = true;
            self.refresh();
        }
        if self.client.pulls {
            if has_changed_by_others && self.client.refreshes_diagnostics {
                self.ask_client::<DiagnosticRefreshRequest>(&(), ClientRequest::Nothing);
            }
        } else {
            for (path, diagnosed) in diagnosed {
                self.publish(&path, diagnosed);
            }
        }
        // A client that diagnostics are published to may request them, too.
        if has_ended {
            self.answer_parked();
        }
    }

    /// Asks the client to refresh lenses, hints and tokens, which may be outdated in documents that weren't edited themselves.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        if self.client.refreshes_lenses {
            self.ask_client::<CodeLensRefreshRequest>(&(), ClientRequest::Nothing);
        }
        if self.client.refreshes_hints {
            self.ask_client::<InlayHintRefreshRequest>(&(), ClientRequest::Nothing);
        }
        if self.client.refreshes_tokens {
            self.ask_client::<SemanticTokensRefreshRequest>(&(), ClientRequest::Nothing);
        }
    }

    /// Handles the diagnostic of a folder's configuration; None if the configuration is valid.
    pub(super) fn configuration_diagnosed(
        &mut self,
        folder: FolderId,
        diagnosed: Option<(Utf8PathBuf, FileDiagnostics)>,
    ) {
        let of_folder = self.published.folders.entry(folder).or_default();
        let before = std::mem::replace(&mut of_folder.configuration, diagnosed.clone());
        self.answer_parked();
        if !self.client.pulls && before != diagnosed {
            if let Some((path, _)) = before {
                self.publish(&path, None);
            }
            if let Some((path, diagnosed)) = diagnosed {
                self.publish(&path, Some(diagnosed));
            }
        }
    }

    /// Removes the diagnostics of a folder that left the session.
    pub(super) fn forget(&mut self, folder: FolderId) {
        let Some(known) = self.published.folders.remove(&folder) else { return };
        if !self.client.pulls {
            let configurations = known.configuration.iter().map(|it| &it.0);
            // Other folders have diagnostics of open documents, too.
            let of_others = self.published.all();
            for path in known.diagnosed.keys().chain(configurations) {
                self.publish(path, of_others.get(path).map(|it| (*it).clone()));
            }
        }
    }

    fn publish(&self, path: &Utf8Path, diagnosed: Option<FileDiagnostics>) {
        let version = self.version(path);
        let (of_version, diagnostics) = match diagnosed {
            Some(it) => (it.version, it.diagnostics.to_vec()),
            None => (version, Vec::new()),
        };
        // The text has changed since, and will be checked.
        if of_version != version {
            return;
        }
        let uri = self.document_uri(path);
        self.notify::<PublishDiagnosticsNotification>(&PublishDiagnosticsParams {
            uri,
            version,
            diagnostics,
        });
    }

    /// Withdraws the diagnostics that the client got for another spelling of a document's URI. The next check sends those for the
    /// current one.
    pub(super) fn withdraw_former_uri(&mut self, path: &Utf8Path, before: Uri) {
        if self.client.pulls || self.document_uri(path) == before {
            return;
        }
        let of_folders = self.published.folders.values_mut();
        let removed: Vec<_> = of_folders.filter_map(|it| it.diagnosed.remove(path)).collect();
        if !removed.is_empty() {
            self.notify::<PublishDiagnosticsNotification>(&PublishDiagnosticsParams {
                uri: before,
                version: None,
                diagnostics: Vec::new(),
            });
        }
    }

    /// The client's URI of a file.
    pub(super) fn document_uri(&self, path: &Utf8Path) -> Uri {
        self.documents.get(path).map_or_else(|| uri_of(path), |it| it.uri.clone())
    }

    /// Answers requests for workspace diagnostics, if there are new ones.
    pub(super) fn answer_parked(&mut self) {
        let waiting = self.pending.iter().filter_map(|(id, it)| {
            let News { params, unsettled } = it.news.as_ref()?;
            // A folder that left the session has nothing to tell.
            let is_settled = unsettled.iter().all(|it| !self.folders.contains_key(it));
            is_settled.then(|| (id.clone(), params.clone()))
        });
        for (id, params) in waiting.collect::<Vec<_>>() {
            if let Some(report) = self.report(&params) {
                self.published.was_asked = true;
                self.answered(&id, Ok(value_of(&report)));
            }
        }
    }

    /// The workspace diagnostics. None if not everything has been checked yet, or if the client already has them all.
    fn report(&self, params: &WorkspaceDiagnosticParams) -> Option<WorkspaceDiagnosticReport> {
        let is_complete =
            self.folders.keys().all(|it| self.published.folders.get(it).is_some_and(|it| it.is_complete));
        if !is_complete {
            return None;
        }
        let mut known: BTreeMap<Utf8PathBuf, &str> = BTreeMap::new();
        for previous in &params.previous_result_ids {
            if let Some(path) = path_of(&previous.uri) {
                known.insert(path, &previous.value);
            }
        }
        let all = self.published.all();
        let mut is_new = false;
        let mut items: Vec<WorkspaceDocumentDiagnosticReport> = Vec::new();
        for (path, diagnosed) in &all {
            let uri = self.document_uri(path);
            let version = diagnosed.version;
            items.push(if known.get(*path) == Some(&&*diagnosed.id) {
                let report = UnchangedDocumentDiagnosticReport::new(diagnosed.id.to_string());
                WorkspaceUnchangedDocumentDiagnosticReport::new(uri, version, report).into()
            } else {
                is_new = true;
                full(uri, version, diagnosed).into()
            });
        }
        for path in known.keys().filter(|it| !all.contains_key(it)) {
            is_new = true;
            let nothing = FileDiagnostics::new(self.version(path), Vec::new());
            items.push(full(self.document_uri(path), nothing.version, &nothing).into());
        }
        (is_new || !self.published.was_asked).then(|| WorkspaceDiagnosticReport::new(items))
    }
}

fn full(
    uri: Uri,
    version: Option<i32>,
    diagnosed: &FileDiagnostics,
) -> WorkspaceFullDocumentDiagnosticReport {
    let report = FullDocumentDiagnosticReport {
        result_id: Some(diagnosed.id.to_string()),
        items: diagnosed.diagnostics.to_vec(),
    };
    WorkspaceFullDocumentDiagnosticReport::new(uri, version, report)
}
