//! Answers that use the facts of nodes.

use serde_json::{Value, json};

use crate::{Session, uri};

const INIT: &str = "/m/modules/a/manifests/init.pp";

fn session() -> Session {
    let files = [
        ("/m/environment.conf", ""),
        ("/m/manifests/site.pp", "if $facts['os']['family'] == 'Debian' {\n  include a\n}\n"),
        (INIT, "class a { }\n"),
        ("/m/facts/one.yaml", "os:\n  family: Debian\n"),
        ("/m/facts/two.json", r#"{ "name": "two.example", "values": { "os": { "family": "Suse" } } }"#),
        ("/m/facts/notes.txt", "no facts"),
    ];
    Session::with_options(&files, &["/m"], json!({}), json!({ "watcher": "client", "facts": "facts" }))
}

#[test]
fn a_fact_has_the_values_of_known_nodes() {
    let mut session = session();
    let hover = session.at("textDocument/hover", "/m/manifests/site.pp", 0, 18).unwrap();
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.ends_with("**On known nodes**\n\n- `Debian`: one\n- `Suse`: two.example"), "{text}");
}

#[test]
fn a_lens_says_which_nodes_have_a_class() {
    let mut session = session();
    let lenses = session.at("textDocument/codeLens", INIT, 0, 0).unwrap();
    assert_eq!(lenses[1]["command"]["title"], "which nodes?");
    assert_eq!(session.peer.request("codeLens/resolve", lenses[1].clone()).unwrap(), lenses[1]);
    let run = |session: &mut Session, command: &Value| {
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        session.peer.request("workspace/executeCommand", params).unwrap()
    };
    let nodes = run(&mut session, &lenses[1]["command"]);
    assert_eq!(nodes["text"], "nodes with the class `a`: one\n");
    let shown = session.peer.told.iter().find(|it| it.method == "window/showMessage").unwrap();
    assert_eq!(shown.params["message"], "nodes with the class `a`: one");
    // Evaluation has the documents of the editor.
    session.open("/m/manifests/site.pp", "include a\nfail('no')\n");
    let nodes = run(&mut session, &lenses[1]["command"]);
    assert_eq!(
        nodes["text"],
        "no known node has the class `a`\ncatalogs that cannot be compiled: one, two.example\n"
    );
}

#[test]
fn a_command_takes_the_facts_of_its_node() {
    let mut session = session();
    let mut show = |node: Value| {
        let argument = json!({ "uri": uri("/m/manifests/site.pp"), "node": node });
        let params = json!({ "command": "marotte.showCatalog", "arguments": [argument] });
        session.peer.request("workspace/executeCommand", params)
    };
    assert!(show(json!("one")).unwrap()["text"].as_str().unwrap().contains("Class[A]"));
    assert!(show(json!("three")).unwrap_err().message.starts_with("there are no facts of `three`"));
    assert!(show(Value::Null).unwrap_err().message.contains("set `node` to the name of one"));
}
