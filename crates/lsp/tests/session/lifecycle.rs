use marotte_lsp::{Exit, Id, Malformed, Message, Request, ResponseError};
use serde_json::{Value, json};

use crate::Session;

fn code(result: Result<Value, ResponseError>) -> i32 {
    result.unwrap_err().code
}

#[test]
fn what_comes_before_initialize_is_refused() {
    let mut session = Session::fresh(&[]);
    assert_eq!(code(session.peer.request("textDocument/hover", json!({}))), -32002);
    assert_eq!(code(session.peer.request("shutdown", Value::Null)), -32002);
    // Ignored.
    session.open("/m/a.pp", "");
    assert!(session.peer.request("initialize", json!({ "capabilities": {} })).is_ok());
}

#[test]
fn initialize_comes_once() {
    let mut session = Session::start(&[]);
    assert_eq!(code(session.peer.request("initialize", json!({ "capabilities": {} }))), -32600);
}

#[test]
fn initialize_says_what_the_server_is() {
    let mut session = Session::fresh(&[]);
    let params = json!({ "capabilities": { "general": { "positionEncodings": ["utf-16", "utf-8"] } } });
    let result = session.peer.request("initialize", params).unwrap();
    assert_eq!(result["serverInfo"]["name"], "marotte");
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(result["capabilities"]["textDocumentSync"]["change"], 2);
}

#[test]
fn initialize_with_nonsense_is_refused_and_may_come_again() {
    let mut session = Session::fresh(&[]);
    assert_eq!(code(session.peer.request("initialize", json!({ "capabilities": 3 }))), -32602);
    assert!(session.peer.request("initialize", json!({ "capabilities": {} })).is_ok());
}

#[test]
fn what_comes_after_shutdown_is_refused() {
    let mut session = Session::start(&[]);
    session.peer.request("shutdown", Value::Null).unwrap();
    assert_eq!(code(session.peer.request("textDocument/hover", json!({}))), -32600);
    assert_eq!(code(session.peer.request("shutdown", Value::Null)), -32600);
    session.peer.notify("exit", Value::Null);
    assert_eq!(session.server.take().unwrap().join().unwrap(), Exit::Asked);
}

#[test]
fn a_session_ends_as_the_client_wants() {
    assert_eq!(Session::start(&[]).end(), Exit::Asked);
}

#[test]
fn exit_without_shutdown_is_early() {
    let mut session = Session::start(&[]);
    session.peer.notify("exit", Value::Null);
    assert_eq!(session.server.take().unwrap().join().unwrap(), Exit::Early);
}

#[test]
fn a_client_that_has_gone_ends_the_session() {
    let (connection, peer) = marotte_lsp::Connection::memory();
    drop(peer);
    let options = marotte_lsp::Options {
        system: std::sync::Arc::new(marotte_db::MemorySystem::default()),
        configuration: std::sync::Arc::new(crate::Simple),
        version: String::new(),
    };
    assert_eq!(marotte_lsp::serve(connection, options), Exit::Early);
}

#[test]
fn a_method_that_nobody_knows_is_refused() {
    let mut session = Session::start(&[]);
    assert_eq!(code(session.peer.request("textDocument/nonsense", json!({}))), -32601);
    assert_eq!(code(session.peer.request("$/nonsense", json!({}))), -32601);
    session.peer.notify("$/nonsense", json!({}));
    assert!(session.peer.request("workspace/executeCommand", json!({ "command": "none" })).is_err());
}

#[test]
fn a_malformed_message_is_answered_and_the_session_goes_on() {
    let mut session = Session::start(&[]);
    session.peer.send(Message::parse(b"{").map_err(|it: Malformed| it));
    assert_eq!(code(session.peer.answer(&Id::Null)), -32700);
    session.peer.send(Message::parse(b"{\"id\": true}"));
    assert_eq!(code(session.peer.answer(&Id::Null)), -32600);
    assert_eq!(code(session.peer.request("textDocument/hover", json!({ "textDocument": 3 }))), -32602);
}

#[test]
fn two_requests_of_one_identity_are_told_apart() {
    let mut session = Session::pulling(&[("/m/a.pp", "")]);
    let first = session.peer.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    session.peer.answer(&first).unwrap();
    let parked = session.peer.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let again = Request { id: parked.clone(), method: "shutdown".into(), params: Value::Null };
    session.peer.send(Ok(Message::Request(Request { method: "textDocument/hover".into(), ..again })));
    assert_eq!(code(session.peer.answer(&parked)), -32600);
}
