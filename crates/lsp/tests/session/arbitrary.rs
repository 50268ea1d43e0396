//! Random sessions: valid and malformed requests and notifications at random places, between random edits, of documents of every
//! kind. Each request is answered once, and the findings at the end are those of a new process. `LSP_SESSIONS` is the number of
//! sessions, `LSP_SEED` the first seed.

use marotte_lsp::Id;
use serde_json::{Value, json};

use crate::{Session, cold, told, uri};

const FILES: [(&str, &str); 9] = [
    ("/m/environment.conf", "modulepath = modules\n"),
    ("/m/hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"),
    ("/m/data/a.yaml", "m::port: 1\nx: \"%{lookup('m::port')} %{facts.os.family}\"\n"),
    (
        "/m/modules/m/metadata.json",
        r#"{"name": "a-m", "version": "1.0.0", "author": "a", "dependencies": []}"#,
    ),
    (
        "/m/modules/m/manifests/init.pp",
        "class m($port = 1) {\n  $x = template('m/a.erb')\n  $y = epp('m/b')\n}\n",
    ),
    ("/m/modules/m/templates/a.erb", "<%= @port %> <%= scope['m::port'] %>\n"),
    ("/m/modules/m/templates/b.epp", "<%- | $a = 1 | -%>\n<%= $a %>\n"),
    ("/m/manifests/site.pp", "node default {\n  include m\n  file { '/x': ensure => file }\n}\n"),
    ("/m/Puppetfile", "mod 'a-m', '1.0.0'\n"),
];

const AT_PLACE: [&str; 16] = [
    "hover",
    "completion",
    "definition",
    "declaration",
    "typeDefinition",
    "implementation",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
    "signatureHelp",
    "linkedEditingRange",
    "prepareCallHierarchy",
    "prepareTypeHierarchy",
    "onTypeFormatting",
    "selectionRange",
];

const OF_DOCUMENT: [&str; 12] = [
    "documentSymbol",
    "foldingRange",
    "documentLink",
    "codeLens",
    "semanticTokens/full",
    "semanticTokens/full/delta",
    "diagnostic",
    "formatting",
    "codeAction",
    "inlayHint",
    "semanticTokens/range",
    "rangeFormatting",
];

const OTHER: [&str; 12] = [
    "workspace/symbol",
    "workspace/executeCommand",
    "workspace/textDocumentContent",
    "codeLens/resolve",
    "codeAction/resolve",
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "typeHierarchy/subtypes",
    "typeHierarchy/supertypes",
    "textDocument/rangesFormatting",
    "initialize",
    "no/such/method",
];

const NOTIFICATIONS: [&str; 10] = [
    "textDocument/didChange",
    "textDocument/didOpen",
    "textDocument/didClose",
    "textDocument/didSave",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "$/cancelRequest",
    "$/setTrace",
    "window/workDoneProgress/cancel",
];

const PIECES: [&str; 16] = [
    "",
    "}",
    "{",
    "'",
    "\n",
    "$",
    "é",
    "include m",
    " => ",
    "\u{1f600}",
    "\r\n",
    "<%= @",
    "%>",
    ": ",
    "%{",
    "[",
];

/// A random number generator that produces the same sequence for a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn position(&mut self) -> Value {
        let number = |it: usize| if it == 0 { u32::MAX } else { u32::try_from(it).unwrap() - 1 };
        json!({ "line": number(self.below(8)), "character": number(self.below(40)) })
    }

    /// Something that no request expects.
    fn nonsense(&mut self) -> Value {
        let all = [
            Value::Null,
            json!([]),
            json!({}),
            json!(-1),
            json!("text"),
            json!({ "textDocument": 1 }),
            json!({ "textDocument": { "uri": "file:///m/%ff%00" }, "position": { "line": -1, "character": 1.5 } }),
            json!({ "textDocument": { "uri": "untitled:x" }, "position": { "line": 0, "character": 0 } }),
            json!({ "item": { "uri": uri("/m/none.pp") } }),
            json!({ "data": { "uri": uri("/m/manifests/site.pp") } }),
            json!({ "command": "marotte.evaluate", "arguments": [{ "uri": uri("/m/none.pp"), "text": "1 +" }] }),
            json!({ "command": "marotte.showCatalog", "arguments": [{ "uri": uri("/m/manifests/site.pp") }] }),
            json!({ "query": "m" }),
        ];
        all[self.below(all.len())].clone()
    }

    fn params(&mut self, path: &str) -> Value {
        let (start, end) = (self.position(), self.position());
        json!({
            "textDocument": { "uri": uri(path) },
            "position": start,
            "positions": [start, end],
            "range": { "start": start, "end": end },
            "context": { "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false, "diagnostics": [] },
            "newName": self.one_of(&["renamed", "m::renamed", "", "Ü", "a b"]),
            "ch": self.one_of(&["}", "\n", "x"]),
            "options": { "tabSize": self.below(9), "insertSpaces": true },
            "previousResultId": "1",
        })
    }
}

/// Plays a session, and returns the requests that it sent.
fn play(seed: u64) {
    let mut random = Random(seed);
    let client = match random.below(2) {
        0 => json!({ "textDocument": { "publishDiagnostics": {} } }),
        _ => {
            json!({ "general": { "positionEncodings": ["utf-8"] }, "textDocument": { "publishDiagnostics": {} } })
        }
    };
    let mut session = Session::with(&FILES, &["/m"], client);
    let mut texts: Vec<(&str, String)> =
        FILES.iter().map(|(path, text)| (*path, (*text).to_owned())).collect();
    for (path, text) in &texts {
        session.open(path, text);
    }
    let mut asked: Vec<Id> = Vec::new();
    for _ in 0..60 {
        let index = random.below(texts.len());
        let path = texts[index].0;
        match random.below(10) {
            0..3 => {
                // The whole text is sent, whatever the server made of the malformed changes.
                let text = &mut texts[index].1;
                let places: Vec<usize> = (0..=text.len()).filter(|it| text.is_char_boundary(*it)).collect();
                let from = random.below(places.len());
                let to = (from + random.below(9)).min(places.len() - 1);
                text.replace_range(places[from]..places[to], random.one_of(&PIECES));
                let text = text.clone();
                session.replace(path, &text);
            }
            3 => {
                let method = random.one_of(&NOTIFICATIONS);
                let params = random.nonsense();
                session.peer.notify(method, params);
            }
            4 => {
                let method = match random.below(2) {
                    0 => random.one_of(&OTHER).to_owned(),
                    _ => format!("textDocument/{}", random.one_of(&AT_PLACE)),
                };
                let params = random.nonsense();
                asked.push(session.peer.ask(&method, params));
            }
            5 => {
                if let Some(id) = asked.last() {
                    session.peer.notify("$/cancelRequest", json!({ "id": id }));
                }
            }
            it => {
                let of_place = it < 9;
                let name = if of_place { random.one_of(&AT_PLACE) } else { random.one_of(&OF_DOCUMENT) };
                let params = random.params(path);
                asked.push(session.peer.ask(&format!("textDocument/{name}"), params));
            }
        }
    }
    for id in &asked {
        session.peer.wait(|peer| peer.is_answered(id));
        assert!(session.peer.is_answered(id), "seed {seed}: the request {id:?} is not answered");
        let answer = session.peer.answer(id);
        let is_fault = answer.as_ref().is_err_and(|it| it.code == -32603);
        assert!(!is_fault, "seed {seed}: {answer:?}");
        assert!(!session.peer.is_answered(id), "seed {seed}: the request {id:?} is answered twice");
    }
    // Malformed notifications may have closed or changed documents: they are opened again.
    for (path, text) in &texts {
        session.close(path);
        session.open(path, text);
    }
    let system = std::sync::Arc::new(marotte_db::MemorySystem::with_files(
        texts.iter().map(|(path, text)| (*path, text.as_str())),
    ));
    for (path, text) in texts.iter().filter(|(path, _)| path.ends_with(".pp") || path.ends_with(".epp")) {
        let expected = cold(&system, path, text);
        session.peer.wait(|peer| peer.diagnostics.get(&uri(path)).is_some_and(|it| told(&it.1) == expected));
        assert_eq!(told(&session.peer.diagnostics[&uri(path)].1), expected, "seed {seed}: {path}\n{text}");
    }
    assert!(session.peer.request("shutdown", Value::Null).is_ok(), "seed {seed}");
}

#[test]
fn random_sessions_end_where_a_new_process_is() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let first = number("LSP_SEED").unwrap_or(1);
    for seed in first..first + number("LSP_SESSIONS").unwrap_or(12) {
        play(seed);
    }
}
