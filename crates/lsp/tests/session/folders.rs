use serde_json::{Value, json};

use crate::{Session, uri};

#[test]
fn folders_come_and_go() {
    let files = [("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })"), ("/n/b.pp", "notice(")];
    let mut session = Session::with(&files, &["/m", "/n"], json!({}));
    session.expect("/m/a.pp", &["duplicate-key"]);
    session.expect("/n/b.pp", &["unclosed-delimiter"]);
    let event = json!({ "added": [], "removed": [{ "uri": uri("/n"), "name": "n" }] });
    session.peer.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    session.expect("/n/b.pp", &[]);
    let event = json!({ "added": [{ "uri": uri("/n"), "name": "n" }], "removed": [] });
    session.peer.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    session.expect("/n/b.pp", &["unclosed-delimiter"]);
}

#[test]
fn a_document_in_no_folder_is_checked_by_itself() {
    let mut session = Session::with(&[], &[], json!({}));
    session.open("/elsewhere/a.pp", "notice({ 'a' => 1, 'a' => 2 })");
    assert_eq!(session.rules("/elsewhere/a.pp"), ["duplicate-key"]);
    session.replace("/elsewhere/a.pp", "notice(1)");
    assert!(session.rules("/elsewhere/a.pp").is_empty());
}

#[test]
fn a_document_that_was_never_saved_is_checked() {
    let mut session = Session::start(&[]);
    let document =
        json!({ "uri": "untitled:Untitled-1", "languageId": "puppet", "version": 1, "text": "notice(" });
    session.peer.notify("textDocument/didOpen", json!({ "textDocument": document }));
    assert!(session.peer.wait(|it| it.diagnostics.contains_key("untitled:Untitled-1")));
    let (_, diagnostics) = &session.peer.diagnostics["untitled:Untitled-1"];
    assert_eq!(crate::rules(diagnostics), ["unclosed-delimiter"]);
}

#[test]
fn a_configuration_that_changes_is_followed() {
    let mut session = Session::start(&[("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })")]);
    session.expect("/m/a.pp", &["duplicate-key"]);
    session.write("/m/marotte.toml", "duplicate-key");
    session.expect("/m/a.pp", &[]);
    session.write("/m/marotte.toml", "");
    session.expect("/m/a.pp", &["duplicate-key"]);
}

#[test]
fn a_configuration_that_is_wrong_is_told_where_it_is() {
    let mut session = Session::start(&[("/m/a.pp", "notice(1)"), ("/m/marotte.toml", "nonsense")]);
    let uri = uri("/m/marotte.toml");
    assert!(session.peer.wait(|it| it.diagnostics.contains_key(&uri)));
    let message = session.peer.diagnostics[&uri].1[0]["message"].as_str().unwrap().to_owned();
    assert_eq!(message, "there is no rule `nonsense`");
    session.write("/m/marotte.toml", "");
    session.expect("/m/marotte.toml", &[]);
}

#[test]
fn a_client_is_asked_for_its_settings() {
    let files = [("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })")];
    let mut session = Session::with(&files, &["/m"], json!({ "workspace": { "configuration": true } }));
    session.expect("/m/a.pp", &["duplicate-key"]);
    session.peer.settings = json!({ "ignore": ["duplicate-key"], "modulePath": null });
    session.peer.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    session.expect("/m/a.pp", &[]);
    // Unset again.
    session.peer.settings = json!({ "ignore": null, "modulePath": null });
    session.peer.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    session.expect("/m/a.pp", &["duplicate-key"]);
}

#[test]
fn an_open_document_keeps_its_diagnostics_when_another_folder_leaves() {
    let mut session = Session::with(&[("/m/a.pp", ""), ("/n/b.pp", "notice(")], &["/m", "/n"], json!({}));
    session.open("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })");
    session.expect("/m/a.pp", &["duplicate-key"]);
    session.expect("/n/b.pp", &["unclosed-delimiter"]);
    let event = json!({ "added": [], "removed": [{ "uri": uri("/n"), "name": "n" }] });
    session.peer.notify("workspace/didChangeWorkspaceFolders", json!({ "event": event }));
    session.expect("/n/b.pp", &[]);
    session.expect("/m/a.pp", &["duplicate-key"]);
}

#[test]
fn a_client_that_watches_files_is_asked_to() {
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } },
        "window": { "workDoneProgress": true } });
    let mut session = Session::with(&[("/m/a.pp", "")], &["/m"], capabilities);
    assert!(session.peer.wait(|it| it.asked.iter().any(|it| it.method == "client/registerCapability")));
    let asked = session.peer.asked.iter().find(|it| it.method == "client/registerCapability").unwrap();
    assert_eq!(asked.params["registrations"][0]["method"], "workspace/didChangeWatchedFiles");
}

#[test]
fn the_first_check_shows_how_far_it_is() {
    let files: Vec<(String, &str)> = (0..200).map(|it| (format!("/m/f{it}.pp"), "notice(1)")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let mut session = Session::with(&files, &["/m"], json!({ "window": { "workDoneProgress": true } }));
    let is_over = |told: &marotte_lsp::Notification| {
        told.method == "$/progress" && told.params["value"]["kind"] == "end"
    };
    let asked =
        |it: &marotte_lsp::Peer| it.asked.iter().any(|it| it.method == "window/workDoneProgress/create");
    assert!(session.peer.wait(asked));
    // Progress before the client has created a bar isn't shown.
    session.peer.wait_for(std::time::Duration::from_secs(5), |it| it.told.iter().any(is_over));
    let kinds: Vec<&Value> = session.peer.told.iter().map(|it| &it.params["value"]["kind"]).collect();
    assert!(kinds.is_empty() || kinds[0] == "begin" && kinds[kinds.len() - 1] == "end", "{kinds:?}");
}
