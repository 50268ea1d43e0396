use serde_json::{Value, json};

use crate::{Session, uri};

const METHODS: [&str; 10] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/declaration",
    "textDocument/typeDefinition",
    "textDocument/implementation",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
];

#[test]
fn a_position_outside_the_text_is_an_error() {
    let mut session = Session::start(&[]);
    session.open("/m/a.pp", "notice($x)\n");
    for method in METHODS.into_iter().filter(|it| !it.ends_with("documentSymbol")) {
        for (line, character) in [(2, 0), (u32::MAX, u32::MAX)] {
            let error = session.at(method, "/m/a.pp", line, character).unwrap_err();
            assert_eq!(error.code, -32602, "{method}: {error}");
        }
        // A position after the end of a line is its end.
        if let Err(error) = session.at(method, "/m/a.pp", 0, u32::MAX) {
            assert_eq!(error.code, -32803, "{method}: {error}");
        }
    }
}

#[test]
fn a_document_that_nobody_knows_is_an_error() {
    let mut session = Session::start(&[]);
    for method in METHODS {
        let error = session.at(method, "/m/none.pp", 0, 0).unwrap_err();
        assert_eq!(error.message, format!("there is no document `{}`", uri("/m/none.pp")), "{method}");
        let params =
            json!({ "textDocument": { "uri": "no uri" }, "position": { "line": 0, "character": 0 } });
        assert_eq!(session.peer.request(method, params).unwrap_err().code, -32602, "{method}");
    }
    session.change("/m/none.pp", json!([{ "text": "x" }]));
    session.close("/m/none.pp");
    assert!(
        session.peer.wait(|it| it.told.iter().filter(|it| it.method == "window/logMessage").count() == 2)
    );
}

#[test]
fn a_document_that_is_far_too_large_is_reported_as_that() {
    let mut session = Session::start(&[]);
    session.open("/m/a.pp", &"#".repeat(100 << 20));
    assert_eq!(session.rules("/m/a.pp"), ["file-too-large"]);
    let _ = session.at("textDocument/hover", "/m/a.pp", 0, 5);
    session.replace("/m/a.pp", "notice(1)");
    assert!(session.rules("/m/a.pp").is_empty());
}

#[test]
fn nonsense_in_documents_does_no_harm() {
    let mut session = Session::start(&[]);
    session.open("/m/a.pp", "");
    let texts =
        ["\0\u{feff}", "{{{{{{{{{{", "'\u{202e}", "@(x)\n", "<%= ", "\r\r\r", "class a::b::c::", "$x = $x["];
    for text in texts {
        session.replace("/m/a.pp", text);
        for method in METHODS {
            let _ = session.at(method, "/m/a.pp", 0, 1);
        }
        session.actions("/m/a.pp", &[]);
        session.rules("/m/a.pp");
    }
}

#[test]
fn notifications_of_nonsense_are_passed_over() {
    let mut session = Session::start(&[]);
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "$/cancelRequest",
        "workspace/didChangeWatchedFiles",
        "workspace/didChangeWorkspaceFolders",
        "textDocument/didSave",
    ] {
        for params in [Value::Null, json!([]), json!({ "textDocument": { "uri": 3 } })] {
            session.peer.notify(method, params);
        }
    }
    assert!(session.peer.request("shutdown", Value::Null).is_ok());
}
