//! Sessions with the server, as editors have them, over a connection in memory.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod actions;
mod answers;
mod arbitrary;
mod diagnostics;
mod facts;
mod folders;
mod garbage;
mod lifecycle;
mod typing;

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{MemorySystem, System};
use marotte_diagnostics::{Choice, Settings};
use marotte_lsp::{
    Configuration, ConfigurationError, Connection, Exit, FolderSettings, Options, Peer, ResponseError, serve,
    uri_of,
};
use marotte_project::{Project, ProjectDatabase, ProjectOptions};
use serde_json::{Map, Value, json};

/// Understands `ignore` and `warn`, lists of rules, in the client's settings, and a line for each ignored rule in
/// `marotte.toml`.
#[derive(Debug)]
struct Simple;

impl Configuration for Simple {
    fn load(
        &self,
        system: &dyn System,
        folder: &Utf8Path,
        client: &Map<String, Value>,
    ) -> Result<FolderSettings, ConfigurationError> {
        let path = folder.join("marotte.toml");
        let text = system.read(&path, 1 << 20).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let of_client = |name: &str| {
            let rules = client.get(name).and_then(Value::as_array).into_iter().flatten();
            rules.filter_map(Value::as_str)
        };
        let ignored = text.lines().chain(of_client("ignore")).map(|it| (Choice::Ignore, it));
        let warned = of_client("warn").map(|it| (Choice::Warn, it));
        let rules = Settings::new(ignored.chain(warned));
        let rules = rules.map_err(|error| ConfigurationError {
            place: Some((path.clone(), 1, 1)),
            message: error.to_string(),
        })?;
        let project = ProjectOptions { threads: 1, rules: rules.wanted(), ..ProjectOptions::default() };
        Ok(FolderSettings { rules, project, ..FolderSettings::default() })
    }

    fn sources(&self, _: &dyn System, folder: &Utf8Path, _: &Map<String, Value>) -> Vec<Utf8PathBuf> {
        vec![folder.join("marotte.toml")]
    }
}

/// A server on a thread, and the client's end of the connection.
struct Session {
    peer: Peer,
    system: Arc<MemorySystem>,
    server: Option<JoinHandle<Exit>>,
    version: i64,
}

impl Session {
    /// A server that hasn't received anything yet.
    fn fresh(files: &[(&str, &str)]) -> Session {
        let system = Arc::new(MemorySystem::with_files(files.iter().copied()));
        let options = Options {
            system: Arc::clone(&system) as _,
            configuration: Arc::new(Simple),
            version: "0".to_owned(),
        };
        let (connection, peer) = Connection::memory();
        let server = thread::spawn(move || serve(connection, options));
        Session { peer, system, server: Some(server), version: 0 }
    }

    /// A session in the folder `/m` with a client to which diagnostics are pushed.
    fn start(files: &[(&str, &str)]) -> Session {
        Session::with(files, &["/m"], json!({ "textDocument": { "publishDiagnostics": {} } }))
    }

    /// A session with a client that pulls diagnostics.
    fn pulling(files: &[(&str, &str)]) -> Session {
        Session::with(files, &["/m"], json!({ "textDocument": { "diagnostic": {} } }))
    }

    fn with(files: &[(&str, &str)], folders: &[&str], capabilities: Value) -> Session {
        Session::with_options(files, folders, capabilities, json!({ "watcher": "client" }))
    }

    /// A session with initialization options.
    fn with_options(
        files: &[(&str, &str)],
        folders: &[&str],
        capabilities: Value,
        options: Value,
    ) -> Session {
        let mut session = Session::fresh(files);
        let folders: Vec<Value> = folders.iter().map(|it| json!({ "uri": uri(it), "name": it })).collect();
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders,
            "initializationOptions": options,
        });
        session.peer.request("initialize", params).unwrap();
        session.peer.notify("initialized", json!({}));
        session
    }

    fn open(&mut self, path: &str, text: &str) {
        self.version += 1;
        let document =
            json!({ "uri": uri(path), "languageId": "puppet", "version": self.version, "text": text });
        self.peer.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces the whole text.
    fn replace(&mut self, path: &str, text: &str) {
        self.change(path, json!([{ "text": text }]));
    }

    fn change(&mut self, path: &str, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": uri(path), "version": self.version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.peer.notify("textDocument/didChange", params);
    }

    fn close(&mut self, path: &str) {
        self.peer.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// Writes a file, and sends the notification of an editor that watches files.
    fn write(&mut self, path: &str, text: &str) {
        self.system.write_atomically(path.into(), text.as_bytes()).unwrap();
        self.peer.notify(
            "workspace/didChangeWatchedFiles",
            json!({ "changes": [{ "uri": uri(path), "type": 2 }] }),
        );
    }

    /// The rules of the diagnostics last pushed for a file. Waits until those for the current text arrived.
    fn rules(&mut self, path: &str) -> Vec<String> {
        let (uri, version) = (uri(path), self.version);
        let is_told = |peer: &Peer| peer.diagnostics.get(&uri).is_some_and(|(of, _)| *of == Some(version));
        assert!(self.peer.wait(is_told), "nothing is told of {path} in version {version}");
        rules(&self.peer.diagnostics[&uri].1)
    }

    /// Waits until diagnostics of these rules are pushed for a file.
    fn expect(&mut self, path: &str, expected: &[&str]) {
        let uri = uri(path);
        let told = |peer: &Peer| peer.diagnostics.get(&uri).map(|(_, it)| rules(it)).unwrap_or_default();
        self.peer.wait(|peer| told(peer) == expected);
        assert_eq!(told(&self.peer), expected, "{path}");
    }

    fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Result<Value, ResponseError> {
        let params = json!({
            "textDocument": { "uri": uri(path) }, "position": { "line": line, "character": character },
            "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false }, "newName": "renamed",
        });
        self.peer.request(method, params)
    }

    fn actions(&mut self, path: &str, only: &[&str]) -> Vec<Value> {
        self.actions_until(path, 0, only)
    }

    /// The actions from the first line to another.
    fn actions_until(&mut self, path: &str, line: u32, only: &[&str]) -> Vec<Value> {
        let params = json!({
            "textDocument": { "uri": uri(path) },
            "range": { "start": { "line": 0, "character": 0 }, "end": { "line": line, "character": 1000 } },
            "context": { "diagnostics": [], "only": only },
        });
        let params = if only.is_empty() { without_only(params) } else { params };
        self.peer.request("textDocument/codeAction", params).unwrap().as_array().cloned().unwrap_or_default()
    }

    fn end(mut self) -> Exit {
        self.peer.request("shutdown", Value::Null).unwrap();
        self.peer.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap()
    }
}

fn without_only(mut params: Value) -> Value {
    params["context"].as_object_mut().unwrap().remove("only");
    params
}

impl Drop for Session {
    fn drop(&mut self) {
        self.peer.notify("exit", Value::Null);
        if let Some(server) = self.server.take() {
            let _ = server.join();
        }
    }
}

fn uri(path: &str) -> String {
    uri_of(path.into()).0
}

fn rules(diagnostics: &Value) -> Vec<String> {
    let diagnostics = diagnostics.as_array().into_iter().flatten();
    diagnostics.map(|it| it["code"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The diagnostics of a new process with this text in a file: the rules and the lines.
fn cold(system: &Arc<MemorySystem>, path: &str, text: &str) -> Vec<(String, u64)> {
    let overlay = marotte_db::OverlaySystem::new(Arc::clone(system) as _);
    overlay.insert(path.into(), text.as_bytes());
    let project =
        Project::new(ProjectDatabase::frozen(Arc::new(overlay)), &["/m".into()], ProjectOptions::default());
    let file = marotte_db::Db::files(project.db()).file(project.db(), path.into()).id(project.db());
    let index = marotte_lsp::Lines::new(text);
    let found = project.check(&()).findings;
    let found = found.iter().filter(|it| it.file == file);
    found
        .map(|it| {
            let at = index.position(text, it.range.start().into(), marotte_lsp::Encoding::Utf8);
            (it.rule.name.to_owned(), u64::from(at.line))
        })
        .collect()
}

/// The same from diagnostics that were pushed.
fn told(diagnostics: &Value) -> Vec<(String, u64)> {
    let diagnostics = diagnostics.as_array().into_iter().flatten();
    let told = diagnostics.map(|it| {
        (
            it["code"].as_str().unwrap_or_default().to_owned(),
            it["range"]["start"]["line"].as_u64().unwrap_or_default(),
        )
    });
    told.collect()
}
