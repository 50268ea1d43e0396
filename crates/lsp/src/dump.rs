//! The server's results for a file, without an editor: for bug reports.

use std::io;
use std::thread;

use camino::Utf8Path;
use serde_json::{Value, json};

use crate::connection::Connection;
use crate::peer::Peer;
use crate::position::{Encoding, Lines};
use crate::server::{Options, serve};
use crate::uri::uri_of;

/// Larger files aren't read.
const LARGEST: u64 = 16 << 20;

/// The maximum number of words for which requests are sent, times the number of words in the file: the answers about a word may
/// name all others.
const WORDS_BY_WORDS: usize = 200_000;

/// The requests about the whole file.
const OF_FILE: [&str; 9] = [
    "textDocument/diagnostic",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/documentLink",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "textDocument/semanticTokens/full",
    "textDocument/codeAction",
    "textDocument/formatting",
];

/// The requests about each word.
const OF_WORD: [&str; 3] =
    ["textDocument/hover", "textDocument/definition", "textDocument/documentHighlight"];

/// The results that an editor would get after opening a folder and a file in it, each as a line of JSON. Empty results are left
/// out. In a file with very many words, requests are sent for some of them, spread over the file; a line has both numbers.
///
/// # Errors
/// If the file cannot be read.
pub fn dump(options: Options, folder: &Utf8Path, file: &Utf8Path) -> io::Result<Vec<String>> {
    let bytes = options.system.read(file, LARGEST).map_err(|error| io::Error::other(error.to_string()))?;
    // An editor would convert a file that isn't UTF-8: the server reads it itself, and has no words to be asked about.
    let text = String::from_utf8(bytes).ok();
    let (connection, mut peer) = Connection::memory();
    let server = thread::spawn(move || serve(connection, options));
    let lines = session(&mut peer, folder, file, text.as_deref());
    peer.notify("exit", Value::Null);
    // If the server failed, its results already show that.
    let _ = server.join();
    Ok(lines)
}

fn session(peer: &mut Peer, folder: &Utf8Path, file: &Utf8Path, text: Option<&str>) -> Vec<String> {
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": {
            "diagnostic": { "relatedInformation": true, "dataSupport": true },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "hover": { "contentFormat": ["markdown"] },
        },
    });
    let mut lines = Vec::new();
    let mut add = |method: &str, about: Option<&Value>, result: Result<Value, crate::ResponseError>| {
        let line = match (result, about) {
            (Ok(Value::Null), _) => return,
            (Ok(Value::Array(it)), _) if it.is_empty() => return,
            (Ok(result), None) => json!({ "method": method, "result": result }),
            (Ok(result), Some(about)) => json!({ "method": method, "at": about, "result": result }),
            (Err(error), None) => json!({ "method": method, "error": error.message }),
            (Err(error), Some(about)) => json!({ "method": method, "at": about, "error": error.message }),
        };
        lines.push(line.to_string());
    };
    let folders = json!([{ "uri": uri_of(folder), "name": "folder" }]);
    let result = peer.request(
        "initialize",
        json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders,
            "initializationOptions": { "watcher": "client" } }),
    );
    let provided = result.as_ref().map(|it| it["capabilities"].clone()).unwrap_or_default();
    add("initialize", None, result);
    peer.notify("initialized", json!({}));
    let uri = uri_of(file);
    if let Some(text) = text {
        let document = json!({ "uri": uri, "languageId": "puppet", "version": 1, "text": text });
        peer.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }
    let text = text.unwrap_or_default();
    let index = Lines::new(text);
    let end = index.position(text, text.len(), Encoding::Utf8);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    for method in OF_FILE.into_iter().filter(|it| is_provided(&provided, it)) {
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] },
            "options": { "tabSize": 2, "insertSpaces": true } });
        let result = peer.request(method, params);
        add(method, None, result);
    }
    let words: Vec<usize> = words(text).collect();
    let each = words.len().saturating_mul(words.len()).div_ceil(WORDS_BY_WORDS).max(1);
    let asked: Vec<usize> = words.iter().copied().step_by(each).collect();
    if asked.len() < words.len() {
        add("words", None, Ok(json!({ "all": words.len(), "asked": asked.len() })));
    }
    for at in asked {
        let position = json!(index.position(text, at, Encoding::Utf8));
        for method in OF_WORD.into_iter().filter(|it| is_provided(&provided, it)) {
            let params = json!({ "textDocument": { "uri": uri }, "position": position });
            let result = peer.request(method, params);
            add(method, Some(&position), result);
        }
    }
    let _ = peer.request("shutdown", Value::Null);
    lines
}

/// Whether the server's capabilities include a method.
fn is_provided(capabilities: &Value, method: &str) -> bool {
    let name = method.trim_start_matches("textDocument/").split('/').next().unwrap_or_default();
    let key = match name {
        "formatting" => "documentFormattingProvider".to_owned(),
        name => format!("{name}Provider"),
    };
    capabilities.get(key).is_some_and(|it| *it != Value::Bool(false))
}

/// The offsets at which the words of a text start.
fn words(text: &str) -> impl Iterator<Item = usize> {
    let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, character)| {
        let starts = is_part(character) && !is_part(before);
        before = character;
        starts.then_some(at)
    })
}
