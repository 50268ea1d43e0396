use serde_json::{Value, json};

use crate::{Session, uri};

const FILES: [(&str, &str); 5] = [
    ("/m/environment.conf", ""),
    ("/m/manifests/site.pp", "node default {\n  include a\n}\n"),
    ("/m/modules/a/manifests/init.pp", "# Serves.\nclass a(Integer $port = 1) {\n  notice($port)\n}\n"),
    ("/m/modules/a/templates/t.epp", "<%- | String $who | -%>\nHello <%= $who %>!\n"),
    ("/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
];

fn session() -> Session {
    let capabilities = json!({
        "textDocument": { "hover": { "contentFormat": ["markdown"] }, "definition": { "linkSupport": true } },
        "workspace": { "workspaceEdit": { "documentChanges": true, "resourceOperations": ["rename"] } },
    });
    Session::with(&FILES, &["/m"], capabilities)
}

fn run(session: &mut Session, command: &str, argument: Value) -> Value {
    let params = json!({ "command": command, "arguments": [argument] });
    session.peer.request("workspace/executeCommand", params).unwrap()
}

#[test]
fn a_class_is_found_where_it_is_defined() {
    let mut session = session();
    let found = session.at("textDocument/definition", "/m/manifests/site.pp", 1, 10).unwrap();
    assert_eq!(found[0]["targetUri"], uri("/m/modules/a/manifests/init.pp"));
    assert_eq!(found[0]["targetSelectionRange"]["start"], json!({ "line": 1, "character": 6 }));
    let used = session.at("textDocument/references", "/m/modules/a/manifests/init.pp", 1, 6).unwrap();
    let places: Vec<&str> = used.as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(places, [uri("/m/manifests/site.pp"), uri("/m/modules/a/manifests/init.pp")]);
    let hover = session.at("textDocument/hover", "/m/manifests/site.pp", 1, 10).unwrap();
    assert!(hover["contents"]["value"].as_str().unwrap().contains("Serves."), "{hover}");
}

#[test]
fn a_renamed_class_takes_its_file_with_it() {
    let mut session = session();
    session.open("/m/modules/a/manifests/b.pp", "class a::b { }\n");
    let prepared = session.at("textDocument/prepareRename", "/m/modules/a/manifests/b.pp", 0, 7).unwrap();
    assert_eq!(prepared["placeholder"], "a::b");
    let params = json!({ "textDocument": { "uri": uri("/m/modules/a/manifests/b.pp") },
        "position": { "line": 0, "character": 7 }, "newName": "a::c" });
    let edit = session.peer.request("textDocument/rename", params).unwrap();
    let changes = edit["documentChanges"].as_array().unwrap();
    assert_eq!(
        changes[0]["textDocument"],
        json!({ "uri": uri("/m/modules/a/manifests/b.pp"), "version": 1 })
    );
    assert_eq!(changes[1]["kind"], "rename");
    assert_eq!(changes[1]["newUri"], uri("/m/modules/a/manifests/c.pp"));
}

#[test]
fn symbols_are_a_list_for_clients_that_know_no_trees() {
    let mut session = session();
    let symbols = session.at("textDocument/documentSymbol", "/m/modules/a/manifests/init.pp", 0, 0).unwrap();
    let names: Vec<&str> =
        symbols.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names[0], "a");
    assert_eq!(symbols[1]["containerName"], "a");
}

#[test]
fn commands_show_what_evaluation_knows() {
    let mut session = session();
    let site = uri("/m/manifests/site.pp");
    let catalog = run(&mut session, "marotte.showCatalog", json!({ "uri": site, "node": "n.example" }));
    assert!(catalog["text"].as_str().unwrap().contains("Class[A]"), "{catalog}");
    let value = run(&mut session, "marotte.evaluate", json!({ "uri": site, "text": "notice(5) 1 + 2" }));
    assert_eq!((value["text"].as_str(), value["messages"].as_str()), (Some("3"), Some("Notice: 5\n")));
    let template = json!({ "uri": uri("/m/modules/a/templates/t.epp"), "values": { "who": "you" } });
    assert_eq!(run(&mut session, "marotte.previewTemplate", template)["text"], "Hello you!\n");
    session.open("/m/data/common.yaml", "a::port: 7\n");
    let found = run(&mut session, "marotte.explainLookup", json!({ "uri": site, "key": "a::port" }));
    assert!(found["text"].as_str().unwrap().contains("Found key: \"a::port\" value: 7"), "{found}");
}

#[test]
fn commands_run_on_what_the_editor_has() {
    let mut session = session();
    session.open("/m/modules/a/templates/t.epp", "<%= 1 + 1 %>");
    let template = json!({ "uri": uri("/m/modules/a/templates/t.epp") });
    assert_eq!(run(&mut session, "marotte.previewTemplate", template)["text"], "2");
    let params = json!({ "command": "marotte.evaluate", "arguments": [{ "uri": uri("/m/manifests/site.pp"), "text": "1 +" }] });
    let value = session.peer.request("workspace/executeCommand", params).unwrap();
    assert!(value["messages"].as_str().unwrap().contains("syntax-error"), "{value}");
}
