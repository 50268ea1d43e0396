//! Messages to the language server: any bytes in the stream, and sessions of requests and edits that are almost right.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{MemorySystem, System};
use marotte_lsp::{
    Configuration, ConfigurationError, Connection, Exit, FolderSettings, Id, Options, Peer, serve,
};
use marotte_project::ProjectOptions;
use marotte_tests::arbitrary::Choices;
use serde_json::{Map, Value, json};

const FILES: [(&str, &str); 6] = [
    ("/m/environment.conf", "modulepath = modules\n"),
    ("/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
    ("/m/data/a.yaml", "m::port: 1\nx: \"%{lookup('m::port')}\"\n"),
    ("/m/modules/m/manifests/init.pp", "class m($port = 1) {\n  $x = epp('m/b')\n}\n"),
    ("/m/modules/m/templates/b.epp", "<%- | $a = 1 | -%>\n<%= $a %>\n"),
    ("/m/manifests/site.pp", "node default {\n  include m\n  $é = '😀'\n}\n"),
];

const METHODS: [&str; 44] = [
    "initialize",
    "shutdown",
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/signatureHelp",
    "textDocument/linkedEditingRange",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareTypeHierarchy",
    "textDocument/onTypeFormatting",
    "textDocument/selectionRange",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/diagnostic",
    "textDocument/formatting",
    "textDocument/rangeFormatting",
    "textDocument/rangesFormatting",
    "textDocument/codeAction",
    "textDocument/inlayHint",
    "workspace/symbol",
    "workspace/diagnostic",
    "workspace/executeCommand",
    "workspace/textDocumentContent",
    "workspace/willRenameFiles",
    "codeLens/resolve",
    "codeAction/resolve",
    "completionItem/resolve",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "typeHierarchy/subtypes",
    "typeHierarchy/supertypes",
    "no/such/method",
];

const NOTIFICATIONS: [&str; 12] = [
    "textDocument/didChange",
    "textDocument/didOpen",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "workspace/didRenameFiles",
    "$/cancelRequest",
    "$/setTrace",
    "window/workDoneProgress/cancel",
    "initialized",
];

const PIECES: [&str; 14] =
    ["", "}", "{", "'", "\n", "$", "é", "include m", " => ", "\u{1f600}", "\r\n", "<%= @", "%{", "["];

/// The maximal number of messages of a session.
const MESSAGES: usize = 40;

#[derive(Debug)]
struct Defaults;

impl Configuration for Defaults {
    fn load(
        &self,
        _: &dyn System,
        _: &Utf8Path,
        _: &Map<String, Value>,
    ) -> Result<FolderSettings, ConfigurationError> {
        let project = ProjectOptions { threads: 1, ..ProjectOptions::default() };
        Ok(FolderSettings { project, ..FolderSettings::default() })
    }

    fn sources(&self, _: &dyn System, _: &Utf8Path, _: &Map<String, Value>) -> Vec<Utf8PathBuf> {
        Vec::new()
    }
}

fn options() -> Options {
    Options {
        system: Arc::new(MemorySystem::with_files(FILES)),
        configuration: Arc::new(Defaults),
        version: "0".to_owned(),
    }
}

/// Sends bytes to a server: the first says whether the rest is the stream, the texts of messages, or chooses messages.
///
/// # Panics
/// If a request is answered twice or not at all, or if an answer tells of an error of the server.
pub fn check(bytes: &[u8]) {
    let [first, rest @ ..] = bytes else { return };
    match first % 4 {
        0 => stream(rest.to_vec()),
        1 => {
            let mut all = Vec::new();
            for text in rest.split(|it| *it == 0) {
                all.extend(format!("Content-Length: {}\r\n\r\n", text.len()).into_bytes());
                all.extend_from_slice(text);
            }
            stream(all);
        }
        _ => session(&mut Choices::new(rest)),
    }
}

/// The output of a server.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A server whose input ends ends, and writes whole messages.
fn stream(input: Vec<u8>) {
    let output = Output::default();
    serve(Connection::over(io::Cursor::new(input), output.clone()), options());
    let written = output.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rest = &written[..];
    while !rest.is_empty() {
        let header = rest.strip_prefix(b"Content-Length: ").expect("a header");
        let end = header.windows(4).position(|it| it == b"\r\n\r\n").expect("the end of a header");
        let length: usize = String::from_utf8_lossy(&header[..end]).parse().expect("a length");
        let (text, others) = header[end + 4..].split_at(length);
        let message: Value = serde_json::from_slice(text).expect("JSON");
        faultless(&message["error"]);
        rest = others;
    }
}

fn faultless(error: &Value) {
    assert_ne!(error["code"], -32603, "{error}");
}

fn uri(path: &str) -> String {
    format!("file://{path}")
}

/// Something in the place of a parameter.
fn nonsense(choices: &mut Choices<'_>) -> Value {
    match choices.below(10) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(1.5),
        3 => json!("file:///m/%ff%00"),
        4 => json!([]),
        5 => json!({}),
        6 => json!([{ "uri": uri("/m/none.pp"), "range": null, "type": 9 }]),
        7 => json!(u64::MAX),
        8 => json!("é\u{0}"),
        _ => (0..100).fold(json!(1), |inner, _| json!([inner])),
    }
}

fn position(choices: &mut Choices<'_>) -> Value {
    let number = |it: usize| if it == 0 { u32::MAX } else { it as u32 - 1 };
    json!({ "line": number(choices.below(6)), "character": number(choices.below(32)) })
}

fn params(choices: &mut Choices<'_>, version: &mut i64) -> Value {
    let (start, end) = (position(choices), position(choices));
    let path = FILES[choices.below(FILES.len())].0;
    *version += 1;
    let range = json!({ "start": start, "end": end });
    let item = json!({ "name": "m", "kind": 5, "uri": uri(path), "range": range, "selectionRange": range,
        "data": { "uri": uri(path) } });
    let mut params = json!({
        "textDocument": { "uri": uri(path), "version": version, "languageId": "puppet", "text": choices.choose(&PIECES) },
        "contentChanges": [{ "range": range, "text": choices.choose(&PIECES) }],
        "position": start,
        "positions": [start, end],
        "range": range,
        "ranges": [range, range],
        "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false, "diagnostics": [] },
        "newName": choices.choose(&["renamed", "m::renamed", "", "Ü", "a b"]),
        "ch": choices.choose(&["}", "\n", "x"]),
        "options": { "tabSize": choices.below(9), "insertSpaces": true },
        "previousResultId": "1",
        "previousResultIds": [],
        "item": item,
        "uri": uri(path),
        "id": choices.below(9),
        "query": "m",
        "command": choices.choose(&["marotte.evaluate", "marotte.showCatalog", "marotte.x", ""]),
        "arguments": [{ "uri": uri(path), "text": choices.choose(&PIECES) }],
        "changes": [{ "uri": uri(path), "type": choices.below(5) }],
        "event": { "added": [{ "uri": uri("/m/modules"), "name": "x" }], "removed": [{ "uri": uri("/m"), "name": "m" }] },
        "settings": { "marotte": {} },
        "files": [{ "oldUri": uri(path), "newUri": uri("/m/modules/m/manifests/n.pp") }],
        "capabilities": {},
    });
    if choices.one_in(6) {
        let keys: Vec<String> = params.as_object().into_iter().flat_map(|it| it.keys().cloned()).collect();
        let key = &keys[choices.below(keys.len())];
        params[key] = nonsense(choices);
    }
    if choices.one_in(32) { nonsense(choices) } else { params }
}

fn session(choices: &mut Choices<'_>) {
    let (connection, mut peer) = Connection::memory();
    let server = thread::spawn(move || serve(connection, options()));
    let capabilities = match choices.below(2) {
        0 => json!({ "textDocument": { "publishDiagnostics": {} } }),
        _ => json!({ "general": { "positionEncodings": ["utf-8"] }, "textDocument": { "diagnostic": {} } }),
    };
    if !choices.one_in(16) {
        let folders = json!([{ "uri": uri("/m"), "name": "m" }]);
        let params = json!({ "processId": null, "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": folders, "initializationOptions": { "watcher": "client" } });
        peer.request("initialize", params).expect("a server");
        peer.notify("initialized", json!({}));
        for (path, text) in FILES {
            let document = json!({ "uri": uri(path), "languageId": "puppet", "version": 1, "text": text });
            peer.notify("textDocument/didOpen", json!({ "textDocument": document }));
        }
    }
    let (mut asked, mut version): (Vec<Id>, i64) = (Vec::new(), 1);
    for _ in 0..MESSAGES {
        if choices.is_over() {
            break;
        }
        match choices.below(3) {
            0 => {
                let method = choices.choose(&NOTIFICATIONS);
                peer.notify(method, params(choices, &mut version));
            }
            1 => peer.notify("textDocument/didChange", params(choices, &mut version)),
            _ => {
                let method = choices.choose(&METHODS);
                let params = params(choices, &mut version);
                asked.push(peer.ask(method, params));
            }
        }
    }
    for id in &asked {
        answered(&mut peer, id);
    }
    // It may not have been initialized, or been shut down before.
    let is_shut_down = peer.request("shutdown", Value::Null).is_ok();
    peer.notify("exit", Value::Null);
    let end = server.join().expect("no panic");
    assert!(!is_shut_down || end == Exit::Asked, "the end of a session");
}

fn answered(peer: &mut Peer, id: &Id) {
    peer.wait(|peer| peer.is_answered(id));
    assert!(peer.is_answered(id), "the request {id:?} is not answered");
    if let Err(error) = peer.answer(id) {
        assert_ne!(error.code, -32603, "{error}");
    }
    assert!(!peer.is_answered(id), "the request {id:?} is answered twice");
}
