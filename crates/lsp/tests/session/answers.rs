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

#[test]
fn what_could_be_written_is_offered() {
    let mut session = session();
    session.open(
        "/m/modules/a/manifests/init.pp",
        "class a(Integer $port = 1) {\n  include \n  notice($po)\n}\n",
    );
    let found = session.at("textDocument/completion", "/m/modules/a/manifests/init.pp", 2, 12).unwrap();
    let labels: Vec<&str> =
        found["items"].as_array().unwrap().iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert!(labels.contains(&"port"), "{labels:?}");
    let help = session.at("textDocument/signatureHelp", "/m/modules/a/manifests/init.pp", 2, 10).unwrap();
    assert!(help["signatures"][0]["label"].as_str().unwrap().starts_with("notice("), "{help}");
}

#[test]
fn words_are_told_by_their_distances() {
    let mut session = session();
    let path = "/m/modules/a/manifests/init.pp";
    session.open(path, "# é\n$x = '\u{1f600}' # c\n");
    let full = session.at("textDocument/semanticTokens/full", path, 0, 0).unwrap();
    let numbers: Vec<u64> = full["data"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
    let places: Vec<&[u64]> = numbers.chunks(5).map(|it| &it[..3]).collect();
    assert_eq!(places[..2], [[0, 0, 3], [1, 0, 2]]);
    assert_eq!(places.last().unwrap(), &[0, 5, 3]);
    session.replace(path, "# é\n$xy = '\u{1f600}' # c\n");
    let params = json!({ "textDocument": { "uri": uri(path) }, "previousResultId": full["resultId"] });
    let delta = session.peer.request("textDocument/semanticTokens/full/delta", params).unwrap();
    assert_eq!(delta["edits"].as_array().unwrap().len(), 1, "{delta}");
    assert_eq!(delta["edits"][0]["start"], 5);
}

#[test]
fn a_lens_counts_who_declares_a_class() {
    let mut session = session();
    let path = "/m/modules/a/manifests/init.pp";
    let lenses = session.at("textDocument/codeLens", path, 0, 0).unwrap();
    let lens = session.peer.request("codeLens/resolve", lenses[0].clone()).unwrap();
    assert_eq!(lens["command"]["title"], "1 declaration");
    assert_eq!(lens["command"]["arguments"][2][0]["uri"], uri("/m/manifests/site.pp"));
    let params = json!({ "command": lens["command"]["command"], "arguments": lens["command"]["arguments"] });
    let places = session.peer.request("workspace/executeCommand", params).unwrap();
    assert_eq!(places[0]["uri"], uri("/m/manifests/site.pp"));
}

#[test]
fn calls_are_followed_in_both_directions() {
    let mut session = session();
    let items = session.at("textDocument/prepareCallHierarchy", "/m/manifests/site.pp", 1, 10).unwrap();
    assert_eq!(items[0]["name"], "a");
    let calls = session.peer.request("callHierarchy/incomingCalls", json!({ "item": items[0] })).unwrap();
    assert_eq!(calls[0]["from"]["uri"], uri("/m/manifests/site.pp"));
    let calls = session.peer.request("callHierarchy/outgoingCalls", json!({ "item": items[0] })).unwrap();
    assert!(calls.as_array().is_some());
}

#[test]
fn symbols_of_all_folders_are_found() {
    let mut session = session();
    let found = session.peer.request("workspace/symbol", json!({ "query": "a" })).unwrap();
    let names: Vec<&str> = found.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn the_parts_of_a_text_are_told() {
    let mut session = session();
    let path = "/m/modules/a/manifests/init.pp";
    let folded = session.at("textDocument/foldingRange", path, 0, 0).unwrap();
    assert_eq!((&folded[0]["startLine"], &folded[0]["endLine"]), (&json!(1), &json!(3)));
    let params =
        json!({ "textDocument": { "uri": uri(path) }, "positions": [{ "line": 2, "character": 10 }] });
    let selected = session.peer.request("textDocument/selectionRange", params).unwrap();
    assert!(selected[0]["parent"]["parent"].is_object(), "{selected}");
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri(path) }, "range": range });
    assert!(session.peer.request("textDocument/inlayHint", params).unwrap().is_array());
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
fn a_class_takes_the_name_of_its_renamed_file() {
    let mut session = session();
    session.open("/m/modules/a/manifests/b.pp", "class a::b { }\n");
    let renamed = |to: &str| {
        let to = format!("/m/modules/a/manifests/{to}");
        json!({ "files": [{ "oldUri": uri("/m/modules/a/manifests/b.pp"), "newUri": uri(&to) }] })
    };
    let edit = session.peer.request("workspace/willRenameFiles", renamed("c.pp")).unwrap();
    assert_eq!(edit["documentChanges"][0]["edits"][0]["newText"], "a::c");
    assert_eq!(edit["documentChanges"].as_array().unwrap().len(), 1);
    // There is such a class already.
    assert!(session.peer.request("workspace/willRenameFiles", renamed("init.pp")).unwrap().is_null());
    let shown = session.peer.told.iter().rfind(|it| it.method == "window/showMessage").unwrap();
    assert!(shown.params["message"].as_str().unwrap().ends_with("there is a class `a` already"), "{shown:?}");
}

#[test]
fn a_rename_shows_what_it_leaves_as_it_is() {
    let mut session = session();
    session.open("/m/modules/a/manifests/b.pp", "class a::b { }\n");
    session.write("/m/modules/a/spec/classes/b_spec.rb", "describe 'a::b' do\nend\n");
    let params = json!({ "textDocument": { "uri": uri("/m/modules/a/manifests/b.pp") },
        "position": { "line": 0, "character": 7 }, "newName": "a::c" });
    session.peer.request("textDocument/rename", params).unwrap();
    let shown = session.peer.told.iter().find(|it| it.method == "window/showMessage").unwrap();
    assert_eq!(
        shown.params,
        json!({ "type": 3, "message": "The rename to `a::c` may not cover everything: what classifies nodes may name the \
            class `a::b`; a test names `a::b` at modules/a/spec/classes/b_spec.rb:1" })
    );
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

#[test]
fn documents_and_lines_are_laid_out() {
    let mut session = session();
    let path = "/m/modules/a/manifests/init.pp";
    let text = "class a(Integer $port=1){\nnotice($port)\nnotice( 2 )\n}\n";
    session.open(path, text);
    let options = json!({ "tabSize": 8, "insertSpaces": false });
    let params = json!({ "textDocument": { "uri": uri(path) }, "options": options });
    let edits = session.peer.request("textDocument/formatting", params).unwrap();
    let formatted =
        marotte_format::format(text, marotte_syntax::Mode::default(), &Default::default()).unwrap();
    assert_eq!(applied(text, &edits), formatted);

    let range = json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri(path) }, "options": options, "range": range });
    let edits = session.peer.request("textDocument/rangeFormatting", params).unwrap();
    assert_eq!(applied(text, &edits), text.replace("notice( 2 )", "  notice(2)"));

    let ranges = json!([range, { "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 3 } }, range]);
    let params = json!({ "textDocument": { "uri": uri(path) }, "options": options, "ranges": ranges });
    let edits = session.peer.request("textDocument/rangesFormatting", params).unwrap();
    let both = text.replace("notice( 2 )", "  notice(2)").replace("notice($port)", "  notice($port)");
    assert_eq!(applied(text, &edits), both);

    session.open("/m/manifests/broken.pp", "class {");
    let params = json!({ "textDocument": { "uri": uri("/m/manifests/broken.pp") }, "options": options });
    let refused = session.peer.request("textDocument/formatting", params).unwrap_err();
    assert!(refused.message.starts_with("this document is not formatted: it has "), "{}", refused.message);
}

#[test]
fn blocks_are_laid_out_when_they_are_closed() {
    let mut session = session();
    let path = "/m/modules/a/manifests/init.pp";
    let text = "class a {\nnotice(1)\nif true {\nnotice( 2 )\n}\n}\n";
    session.open(path, text);
    let edits = typed(&mut session, path, 4, 1, "}");
    assert_eq!(applied(text, &edits), "class a {\nnotice(1)\n  if true {\n    notice(2)\n  }\n}\n");
    let edits = typed(&mut session, path, 2, 0, "\n");
    assert_eq!(applied(text, &edits), text.replace("notice(1)", "  notice(1)"));
    session.replace(path, "class a {\n  $x   = 1\n\n}\n");
    let edits = typed(&mut session, path, 2, 0, "\n");
    assert_eq!(applied("class a {\n  $x   = 1\n\n}\n", &edits), "class a {\n  $x = 1\n\n}\n");
    // The line break that was just typed stays.
    session.replace(path, "class a {\n  if true {\n    \n  }\n}\n");
    assert_eq!(typed(&mut session, path, 2, 4, "\n"), json!([]));
    session.replace(path, text);
    // Nothing was typed there.
    assert_eq!(typed(&mut session, path, 0, 0, "\n"), Value::Null);
    assert_eq!(typed(&mut session, path, 1, 3, "}"), Value::Null);
    session.open("/m/manifests/broken.pp", "if true {\n }\n}\n");
    assert_eq!(typed(&mut session, "/m/manifests/broken.pp", 1, 2, "}"), Value::Null);
}

/// The edits after a character was typed before a position.
fn typed(session: &mut Session, path: &str, line: u32, character: u32, sign: &str) -> Value {
    let params = json!({ "textDocument": { "uri": uri(path) }, "ch": sign,
        "position": { "line": line, "character": character },
        "options": { "tabSize": 2, "insertSpaces": true } });
    session.peer.request("textDocument/onTypeFormatting", params).unwrap()
}

/// A text after edits.
fn applied(text: &str, edits: &Value) -> String {
    let lines = marotte_lsp::Lines::new(text);
    let offset = |position: &Value| {
        let position = serde_json::from_value(position.clone()).unwrap();
        lines.offset(text, position, marotte_lsp::Encoding::Utf16).unwrap()
    };
    let mut edits: Vec<_> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut new = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        new.replace_range(range, edit["newText"].as_str().unwrap());
    }
    new
}
