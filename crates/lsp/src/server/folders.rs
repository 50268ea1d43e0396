//! The folders of a session, and their settings.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use lsp_types::{
    BaseUri, ConfigurationItem, ConfigurationParams, ConfigurationRequest, Diagnostic, DiagnosticSeverity,
    DidChangeConfigurationParams, DidChangeWatchedFilesRegistrationOptions, DidChangeWorkspaceFoldersParams,
    FileSystemWatcher, GlobPattern, InitializeParams, MessageType, Position, Range, Registration,
    RegistrationParams, RegistrationRequest, RelativePattern, Uri, WorkspaceFolders,
};
use marotte_project::outermost;
use serde_json::Value;

use super::Server;
use super::requests::ClientRequest;
use crate::analysis::{Edit, Folder, Order, Start};
use crate::diagnostics::convert::SOURCE;
use crate::diagnostics::findings::FileDiagnostics;
use crate::event::FolderId;
use crate::message::value_of;
use crate::settings::{self, ConfigurationError};
use crate::snapshot::Opened;
use crate::uri::{is_no_file, path_of, uri_of};

/// The section of the client's settings.
const SECTION: &str = "marotte";

/// The glob pattern of the folders whose files have any name: code refers to them.
const WATCHED_FOLDERS: &str = "**/{files,templates,tasks}/**";

/// The glob pattern of other relevant files.
const WATCHED: &str = "**/{*.pp,*.epp,*.erb,*.rb,*.yaml,*.yml,*.eyaml,*.json,*.conf,*.toml,Puppetfile,.gitignore,.ignore,.gitmodules}";

impl Server {
    /// Opens the initial folders of a session.
    pub(super) fn open_folders(&mut self, params: &InitializeParams) {
        let folders = match &params.workspace_folders_initialize_params.workspace_folders {
            Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
                folders.iter().map(|it| it.uri.clone()).collect()
            }
            Some(WorkspaceFolders::Null) | None => root(params).into_iter().collect::<Vec<Uri>>(),
        };
        // A folder inside another one belongs to that one's code.
        for root in outermost(folders.iter().filter_map(path_of)) {
            self.open_folder(Some(root));
        }
    }

    fn open_folder(&mut self, root: Option<Utf8PathBuf>) -> FolderId {
        let id = FolderId(self.next_folder);
        self.next_folder += 1;
        let folder = Folder::start(Start {
            id,
            root,
            system: Arc::clone(&self.options.system),
            configuration: Arc::clone(&self.options.configuration),
            client: Arc::clone(&self.client),
            server: Arc::clone(&self.server),
            settings: self.settings.clone(),
            pool: self.pool.clone(),
            events: self.events.clone(),
        });
        self.folders.insert(id, folder);
        id
    }

    /// The folder that a document belongs to; opens the loose folder for documents outside of all folders.
    pub(super) fn home(&mut self, path: &Utf8Path) -> FolderId {
        let holds = |folder: &Folder| folder.root.as_ref().is_some_and(|root| path.starts_with(root));
        if let Some((id, _)) = self.folders.iter().find(|(_, folder)| holds(folder)) {
            return *id;
        }
        match self.loose {
            Some(id) => id,
            None => {
                let id = self.open_folder(None);
                self.loose = Some(id);
                id
            }
        }
    }

    /// Whether a document is outside of all folders of the session.
    pub(super) fn is_in_no_folder(&self, path: &Utf8Path) -> bool {
        let roots = self.folders.values().filter_map(|it| it.root.as_ref());
        is_no_file(path) || !roots.into_iter().any(|root| path.starts_with(root))
    }

    pub(super) fn folders_changed(&mut self, params: DidChangeWorkspaceFoldersParams) {
        for root in params.event.removed.iter().filter_map(|it| path_of(&it.uri)) {
            let closed: Vec<FolderId> = self
                .folders
                .iter()
                .filter(|(_, it)| it.root.as_ref() == Some(&root))
                .map(|(id, _)| *id)
                .collect();
            for id in closed {
                self.folders.remove(&id);
                self.forget(id);
            }
        }
        self.answer_parked();
        let known: Vec<Utf8PathBuf> = self.folders.values().filter_map(|it| it.root.clone()).collect();
        let added = params.event.added.iter().filter_map(|it| path_of(&it.uri));
        let added: Vec<Utf8PathBuf> = outermost(added)
            .into_iter()
            .filter(|it| !known.iter().any(|root| it.starts_with(root)))
            .collect();
        for root in added {
            self.open_folder(Some(root));
        }
        self.reopen_documents();
    }

    /// Sends all open documents to all folders; the loose folder only gets those that are in no other folder.
    fn reopen_documents(&mut self) {
        let open: Vec<Edit> = self
            .documents
            .iter()
            .map(|(path, document)| Edit {
                path: path.clone(),
                opened: Some(Opened { uri: document.uri.clone(), version: document.version }),
                content: Some(document.content.clone()),
            })
            .collect();
        for edit in open {
            let home = self.home(&edit.path);
            for (id, folder) in &self.folders {
                if Some(*id) == self.loose && home != *id {
                    let closed = Edit { opened: None, content: None, ..edit.clone() };
                    folder.order(Order::Edit(closed));
                } else {
                    folder.order(Order::Edit(edit.clone()));
                }
            }
        }
    }

    /// Sends the client's registrations once a session has begun.
    pub(super) fn register(&mut self) {
        let mut registrations = Vec::new();
        if self.client.watches {
            let patterns = [WATCHED, WATCHED_FOLDERS].map(str::to_owned);
            let everywhere = patterns.clone().map(GlobPattern::Pattern);
            let mut watchers: Vec<_> =
                everywhere.into_iter().map(|it| FileSystemWatcher::new(it, None)).collect();
            // Plain patterns only cover the folders of the session; modules may be elsewhere.
            let outside = self.settings.get("module-path").and_then(Value::as_str).unwrap_or_default();
            for folder in outside.split(':').filter(|it| it.starts_with('/')) {
                let base = BaseUri::Uri(uri_of(Utf8Path::new(folder)));
                watchers.extend(patterns.clone().map(|it| {
                    let pattern = GlobPattern::RelativePattern(RelativePattern::new(base.clone(), it));
                    FileSystemWatcher::new(pattern, None)
                }));
            }
            let options = DidChangeWatchedFilesRegistrationOptions::new(watchers);
            registrations.push(Registration {
                id: "watched-files".to_owned(),
                method: "workspace/didChangeWatchedFiles".to_owned(),
                register_options: Some(value_of(&options)),
            });
        }
        if self.client.registers_configuration {
            registrations.push(Registration {
                id: "configuration".to_owned(),
                method: "workspace/didChangeConfiguration".to_owned(),
                register_options: Some(serde_json::json!({ "section": SECTION })),
            });
        }
        if !registrations.is_empty() {
            self.ask_client::<RegistrationRequest>(
                &RegistrationParams::new(registrations),
                ClientRequest::Nothing,
            );
        }
        self.ask_for_configuration();
    }

    fn ask_for_configuration(&mut self) {
        if self.client.has_configuration {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let params = ConfigurationParams::new(vec![item]);
            self.ask_client::<ConfigurationRequest>(&params, ClientRequest::Configuration);
        }
    }

    pub(super) fn configuration_changed(&mut self, params: DidChangeConfigurationParams) {
        if self.client.has_configuration {
            self.ask_for_configuration();
        } else {
            // Clients that cannot be asked send their settings here; some put them under the section's name, some don't.
            let set = params.settings.get(SECTION).unwrap_or(&params.settings).clone();
            self.set(&set);
        }
    }

    /// Applies the client's settings.
    pub(super) fn set(&mut self, set: &Value) {
        let is_set = set.as_object().is_some_and(|it| it.values().any(|it| !it.is_null()));
        match settings::split(if is_set { set } else { &self.initial }) {
            Err(error) => self.show(MessageType::Warning, error.message),
            Ok((server, settings)) => {
                if *self.server == server && self.settings == settings {
                    return;
                }
                self.server = Arc::new(server);
                self.settings = settings;
                for folder in self.folders.values() {
                    folder.order(Order::Configure(Arc::clone(&self.server), self.settings.clone()));
                }
            }
        }
    }

    /// Handles the result of reading a folder's configuration: an error is shown at its place.
    pub(super) fn configured(&mut self, folder: FolderId, error: Option<ConfigurationError>) {
        let Some(error) = error else { return self.configuration_diagnosed(folder, None) };
        let Some((path, line, column)) = error.place else {
            self.configuration_diagnosed(folder, None);
            return self.show(MessageType::Warning, error.message);
        };
        let start = Position::new(line.saturating_sub(1), column.saturating_sub(1));
        let diagnostic = Diagnostic {
            range: Range::new(start, Position::new(start.line, start.character.saturating_add(1))),
            severity: Some(DiagnosticSeverity::Error),
            source: Some(SOURCE.to_owned()),
            message: error.message.clone().into(),
            ..Diagnostic::default()
        };
        self.show(MessageType::Warning, format!("{path}:{line}:{column}: {}", error.message));
        let diagnosed = FileDiagnostics::new(self.version(&path), vec![diagnostic]);
        self.configuration_diagnosed(folder, Some((path, diagnosed)));
    }
}

/// The folder of clients that support only one.
#[expect(deprecated, reason = "older clients send nothing else")]
fn root(params: &InitializeParams) -> Option<Uri> {
    params.root_uri.clone().or_else(|| match &params.root_path {
        Some(lsp_types::RootPath::String(path)) => Some(uri_of(Utf8Path::new(path))),
        Some(lsp_types::RootPath::Null) | None => None,
    })
}
