//! Who is told of which diagnostics: clients that want to be told are told of all that is different; others ask.

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
use super::requests::Awaited;
use crate::diagnostics::findings::{Diagnosed, FileDiagnostics};
use crate::event::{FolderId, Scope};
use crate::message::{Id, value_of};
use crate::uri::{path_of, uri_of};

/// What the client was told, or will be when it asks.
#[derive(Debug, Default)]
pub(super) struct Published {
    folders: BTreeMap<FolderId, OfFolder>,
    /// Whether the client has asked for everything before.
    was_asked: bool,
}

#[derive(Debug, Default)]
struct OfFolder {
    /// The number of the check that told of them.
    check: u64,
    diagnosed: BTreeMap<Utf8PathBuf, FileDiagnostics>,
    /// All files were checked once.
    is_complete: bool,
    /// What is wrong with the configuration.
    configuration: Option<(Utf8PathBuf, FileDiagnostics)>,
}

impl Published {
    /// What is known of each file, of those that somebody has checked and of configurations.
    fn all(&self) -> BTreeMap<&Utf8PathBuf, &FileDiagnostics> {
        let of_folders = self.folders.values();
        let known = of_folders.flat_map(|it| {
            it.diagnosed.iter().chain(it.configuration.as_ref().map(|(path, diagnosed)| (path, diagnosed)))
        });
        known.collect()
    }
}

impl Server {
    /// A check has found something, or nothing any more.
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
                self.ask_client::<DiagnosticRefreshRequest>(&(), Awaited::Nothing);
            }
            if has_ended {
                self.tell_those_who_wait();
            }
        } else {
            for (path, diagnosed) in diagnosed {
                self.publish(&path, diagnosed);
            }
        }
    }

    /// Asks the client to ask again for what it shows of documents in which nobody types.
    fn refresh(&mut self) {
        if !std::mem::take(&mut self.is_stale) {
            return;
        }
        if self.client.refreshes_lenses {
            self.ask_client::<CodeLensRefreshRequest>(&(), Awaited::Nothing);
        }
        if self.client.refreshes_hints {
            self.ask_client::<InlayHintRefreshRequest>(&(), Awaited::Nothing);
        }
        if self.client.refreshes_tokens {
            self.ask_client::<SemanticTokensRefreshRequest>(&(), Awaited::Nothing);
        }
    }

    /// What is wrong with a folder's configuration; None if nothing is.
    pub(super) fn configuration_diagnosed(
        &mut self,
        folder: FolderId,
        diagnosed: Option<(Utf8PathBuf, FileDiagnostics)>,
    ) {
        let of_folder = self.published.folders.entry(folder).or_default();
        let before = std::mem::replace(&mut of_folder.configuration, diagnosed.clone());
        if self.client.pulls {
            self.tell_those_who_wait();
        } else if before != diagnosed {
            if let Some((path, _)) = before {
                self.publish(&path, None);
            }
            if let Some((path, diagnosed)) = diagnosed {
                self.publish(&path, Some(diagnosed));
            }
        }
    }

    /// A folder has left the session.
    pub(super) fn forget(&mut self, folder: FolderId) {
        let Some(known) = self.published.folders.remove(&folder) else { return };
        if !self.client.pulls {
            for path in known.diagnosed.keys() {
                self.publish(path, None);
            }
        }
    }

    fn publish(&self, path: &Utf8Path, diagnosed: Option<FileDiagnostics>) {
        let version = self.version(path);
        let (of_version, diagnostics) = match diagnosed {
            Some(it) => (it.version, it.diagnostics.to_vec()),
            None => (version, Vec::new()),
        };
        // The text is another one by now, and will be checked.
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

    /// How the client calls a file.
    fn document_uri(&self, path: &Utf8Path) -> Uri {
        self.documents.get(path).map_or_else(|| uri_of(path), |it| it.uri.clone())
    }

    /// Answers who asks for the diagnostics of everything, now or when there is something new.
    pub(super) fn workspace_diagnostics(&mut self, id: Id, params: WorkspaceDiagnosticParams) {
        match self.report(&params) {
            Some(report) => {
                self.published.was_asked = true;
                self.respond(id, Ok(value_of(&report)));
            }
            None => self.park(id, params),
        }
    }

    fn tell_those_who_wait(&mut self) {
        let waiting = self.pending.iter().filter_map(|(id, it)| Some((id.clone(), it.news.clone()?)));
        for (id, params) in waiting.collect::<Vec<_>>() {
            if let Some(report) = self.report(&params) {
                self.published.was_asked = true;
                self.answered(&id, Ok(value_of(&report)));
            }
        }
    }

    /// The diagnostics of everything. None if not everything has been checked yet, or if all is as the client knows it.
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
