use serde_json::{Value, json};

use crate::{Session, rules, uri};

#[test]
fn diagnostics_of_all_files_are_told() {
    let mut session =
        Session::start(&[("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })"), ("/m/b.pp", "notice(1)")]);
    session.expect("/m/a.pp", &["duplicate-key"]);
    assert!(!session.peer.diagnostics.contains_key(&uri("/m/b.pp")));
}

#[test]
fn what_the_editor_has_counts_and_then_what_is_on_disk() {
    let mut session = Session::start(&[("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })")]);
    session.open("/m/a.pp", "notice(1)");
    assert!(session.rules("/m/a.pp").is_empty());
    session.close("/m/a.pp");
    session.expect("/m/a.pp", &["duplicate-key"]);
}

#[test]
fn files_that_are_read_beside_the_code_keep_their_diagnostics_when_they_are_closed() {
    let text = "{\"name\": \"a-m\", \"version\": \"0.1.0\"}\nx\n";
    let init = "/m/manifests/init.pp";
    let mut session = Session::start(&[("/m/metadata.json", text), (init, "class m { }")]);
    session.expect("/m/metadata.json", &["invalid-metadata"]);
    session.open("/m/metadata.json", text);
    session.close("/m/metadata.json");
    // The diagnostics of a later edit arrive after those of the closed document.
    session.open(init, "class m { notice({ 'a' => 1, 'a' => 2 }) }");
    session.expect(init, &["duplicate-key"]);
    session.close(init);
    session.expect(init, &[]);
    session.expect("/m/metadata.json", &["invalid-metadata"]);
}

/// If a space replaces a line end, findings keep their offsets and are in other lines.
#[test]
fn lines_follow_edits_that_change_no_offset() {
    let line = |peer: &marotte_lsp::Peer, path: &str| {
        peer.diagnostics.get(&uri(path)).and_then(|it| it.1[0].pointer("/range/start/line")?.as_u64())
    };
    let (metadata, code) = ("/m/metadata.json", "/m/manifests/init.pp");
    let text = "{\"name\": \"a-m\",\n\"version\": \"0.1.0\"}\nx\n";
    let of_code = "class m {\n\n  notice({ 'a' => 1, 'a' => 2 })\n}\n";
    let mut session = Session::start(&[(metadata, text), (code, of_code)]);
    session.expect(metadata, &["invalid-metadata"]);
    session.expect(code, &["duplicate-key"]);
    session.open(metadata, text);
    assert_eq!((line(&session.peer, metadata), line(&session.peer, code)), (Some(2), Some(2)));
    session.change(metadata, json!([{ "text": text.replacen('\n', " ", 1) }]));
    session.write(code, &of_code.replacen('\n', " ", 1));
    assert!(session.peer.wait(|it| line(it, metadata) == Some(1) && line(it, code) == Some(1)));
}

#[test]
fn a_document_has_its_diagnostics_once_however_its_uri_is_spelled() {
    let text = "notice({ 'a' => 1, 'a' => 2 })";
    let mut session = Session::start(&[("/m/a.pp", text)]);
    session.expect("/m/a.pp", &["duplicate-key"]);
    let told = |session: &Session, uri: &str| session.peer.diagnostics.get(uri).map(|it| rules(&it.1));
    for other in ["file:///m/a%2Epp", "file:///m/./a.pp", "file:///m/%61.pp"] {
        let document = json!({ "uri": other, "languageId": "puppet", "version": 1, "text": text });
        session.peer.notify("textDocument/didOpen", json!({ "textDocument": document }));
        let is_told =
            |peer: &marotte_lsp::Peer| peer.diagnostics.get(other).is_some_and(|it| !rules(&it.1).is_empty());
        assert!(session.peer.wait(is_told), "{other}");
        session.expect("/m/a.pp", &[]);
        session.close("/m/a.pp");
        session.expect("/m/a.pp", &["duplicate-key"]);
        assert_eq!(told(&session, other), Some(Vec::new()));
    }
}

#[test]
fn an_edit_changes_what_is_told_of_other_files() {
    let (init, other) = ("/m/modules/m/manifests/init.pp", "/m/modules/m/manifests/b.pp");
    let mut session = Session::start(&[("/m/environment.conf", ""), (init, "class m { include m::b }")]);
    session.expect(init, &["unresolved-class"]);
    session.open(other, "class m::b { }");
    session.expect(init, &[]);
    // The document isn't on disk.
    session.close(other);
    session.expect(init, &["unresolved-class"]);
}

#[test]
fn files_that_change_on_disk_are_checked() {
    let mut session = Session::start(&[("/m/a.pp", "notice(1)")]);
    session.write("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })");
    session.expect("/m/a.pp", &["duplicate-key"]);
    session.write("/m/new.pp", "notice(");
    session.expect("/m/new.pp", &["unclosed-delimiter"]);
}

#[test]
fn a_folder_that_the_editor_deletes_renames_or_creates_is_noticed() {
    let (init, class) = ("/m/modules/m/manifests/init.pp", "/m/modules/m/manifests/a/b.pp");
    let files =
        [("/m/environment.conf", ""), (init, "class m { include m::a::b }"), (class, "class m::a::b { }")];
    let mut session = Session::start(&files);
    session.expect(init, &[]);
    let (old, new) = (uri("/m/modules/m/manifests/a"), uri("/m/drafts/a"));
    session.system.rename("/m/modules/m/manifests/a", "/m/drafts/a");
    session.peer.notify("workspace/didRenameFiles", json!({ "files": [{ "oldUri": old, "newUri": new }] }));
    session.expect(init, &["unresolved-class"]);
    session.system.rename("/m/drafts/a", "/m/modules/m/manifests/a");
    session.peer.notify("workspace/didCreateFiles", json!({ "files": [{ "uri": old }, { "uri": new }] }));
    session.expect(init, &[]);
    session.system.remove(class);
    session.peer.notify("workspace/didDeleteFiles", json!({ "files": [{ "uri": old }] }));
    session.expect(init, &["unresolved-class"]);
}

#[test]
fn modules_of_the_puppetfile_are_left_to_others_until_one_opens_them() {
    let init = "/m/modules/apache/manifests/init.pp";
    let files = [
        ("/m/environment.conf", ""),
        ("/m/Puppetfile", "mod 'puppetlabs-apache', '1.0.0'\n"),
        (init, "class apache { notice({ 'a' => 1, 'a' => 2 }) }"),
        ("/m/manifests/site.pp", "notice({ 'b' => 1, 'b' => 2 })"),
    ];
    let mut session = Session::start(&files);
    session.expect("/m/manifests/site.pp", &["duplicate-key"]);
    assert!(!session.peer.diagnostics.contains_key(&uri(init)));
    session.open(init, files[2].1);
    session.expect(init, &["duplicate-key"]);
    session.close(init);
    session.expect(init, &[]);
}

#[test]
fn data_is_checked_as_it_is_typed() {
    let files = [
        ("/m/environment.conf", ""),
        ("/m/manifests/site.pp", "include a"),
        ("/m/modules/a/manifests/init.pp", "class a(Integer $port) { notice($port) }"),
        ("/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        ("/m/data/common.yaml", "a::port: 1\n"),
    ];
    let mut session = Session::start(&files);
    session.open("/m/data/common.yaml", "a::port: one\n");
    assert_eq!(session.rules("/m/data/common.yaml"), ["value-type"]);
    session.replace("/m/data/common.yaml", "a::prot: 1\na::port: 2\n");
    assert_eq!(session.rules("/m/data/common.yaml"), ["unknown-parameter-key"]);
}

#[test]
fn diagnostics_have_all_that_the_client_can_show() {
    let capabilities = json!({ "textDocument": { "publishDiagnostics": {
        "relatedInformation": true, "codeDescriptionSupport": true, "dataSupport": true } },
        "workspace": { "textDocumentContent": {} } });
    let mut session = Session::with(&[], &["/m"], capabilities);
    session.open("/m/a.pp", "notice(1) # lint:ignore:duplicate-key\n$y = 1\n$y = 2\nnotice($y)\n");
    session.rules("/m/a.pp");
    let all = session.peer.diagnostics[&uri("/m/a.pp")].1.clone();
    let of = |rule: &str| {
        all.as_array().unwrap().iter().find(|it| it["code"] == rule).cloned().unwrap_or_default()
    };
    assert_eq!(of("unused-suppression")["tags"], json!([1]));
    let twice = of("reassigned-variable");
    assert_eq!(
        twice["relatedInformation"][0]["location"]["range"]["start"],
        json!({ "line": 1, "character": 0 })
    );
    assert_eq!(twice["data"]["rule"], "reassigned-variable");
    let page = twice["codeDescription"]["href"].as_str().unwrap().to_owned();
    let content = session.peer.request("workspace/textDocumentContent", json!({ "uri": page })).unwrap();
    assert!(content["text"].as_str().unwrap().starts_with("# reassigned-variable"));
}

#[test]
fn a_client_may_ask_instead() {
    let mut session = Session::pulling(&[("/m/a.pp", "notice(1)")]);
    session.open("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })");
    let params = json!({ "textDocument": { "uri": uri("/m/a.pp") } });
    let report = session.peer.request("textDocument/diagnostic", params).unwrap();
    assert_eq!(report["kind"], "full");
    assert_eq!(rules(&report["items"]), ["duplicate-key"]);
    let params = json!({ "textDocument": { "uri": uri("/m/a.pp") }, "previousResultId": report["resultId"] });
    let again = session.peer.request("textDocument/diagnostic", params).unwrap();
    assert_eq!((again["kind"].as_str(), &again["resultId"]), (Some("unchanged"), &report["resultId"]));
    assert!(session.peer.diagnostics.is_empty());
}

#[test]
fn a_client_may_ask_about_files_that_are_not_code() {
    let (puppetfile, metadata) = ("/m/Puppetfile", "/m/modules/a/metadata.json");
    let files = [
        ("/m/environment.conf", ""),
        (puppetfile, "mod 'b', (\n"),
        (metadata, "{ \"name\": \"me-a\" }"),
        ("/m/modules/a/manifests/init.pp", "class a { }"),
    ];
    let mut pushed = Session::start(&files);
    let mut pulled = Session::pulling(&files);
    for (path, text) in [(puppetfile, files[1].1), (metadata, files[2].1)] {
        pushed.peer.wait(|it| it.diagnostics.contains_key(&uri(path)));
        let params = json!({ "textDocument": { "uri": uri(path) } });
        let report = pulled.peer.request("textDocument/diagnostic", params.clone()).unwrap();
        let expected = rules(&pushed.peer.diagnostics[&uri(path)].1);
        assert!(!expected.is_empty());
        assert_eq!(rules(&report["items"]), expected, "{path}");
        // What the editor has counts.
        let valid = match path == puppetfile {
            true => "mod 'b'\n".to_owned(),
            false => text.replace('}', ", \"source\": \"\", \"author\": \"me\", \"license\": \"x\", \"version\": \"1.0.0\", \"dependencies\": [] }"),
        };
        pulled.open(path, &valid);
        let report = pulled.peer.request("textDocument/diagnostic", params).unwrap();
        assert_eq!(rules(&report["items"]), Vec::<String>::new(), "{path}");
    }
}

#[test]
fn no_way_to_ask_shows_a_secret() {
    let data = "m::password: kanarienvogel\nm::size: finch\n";
    let path = "/m/data/a.yaml";
    let files = [
        ("/m/environment.conf", ""),
        ("/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: all\n    path: a.yaml\n"),
        (path, data),
        (
            "/m/modules/m/manifests/init.pp",
            "class m(Sensitive[Enum['a']] $password, Integer $size) { notice($password, $size) }",
        ),
    ];
    let check = |said: &Value| {
        let said = said.to_string();
        assert!(said.contains("parameter `password`") && !said.contains("kanarienvogel"), "{said}");
    };
    let mut session = Session::start(&files);
    session.open(path, data);
    assert_eq!(session.rules(path), ["value-type", "value-type"]);
    check(&session.peer.diagnostics[&uri(path)].1);

    let mut session = Session::pulling(&files);
    session.open(path, data);
    let params = json!({ "textDocument": { "uri": uri(path) } });
    check(&session.peer.request("textDocument/diagnostic", params).unwrap());
}

#[test]
fn a_finding_that_is_fixed_in_another_file_disappears() {
    let (init, other) = ("/m/modules/m/manifests/init.pp", "/m/modules/m/manifests/b.pp");
    let files = [
        ("/m/environment.conf", ""),
        (init, "class m { class { 'm::b': port => 'x' } }"),
        (other, "class m::b($port) { notice($port) }"),
    ];
    let mut session = Session::start(&files);
    session.open(other, "class m::b(Integer $port) { notice($port) }");
    session.expect(init, &["parameter-type"]);
    session.replace(other, "class m::b(String $port) { notice($port) }");
    session.expect(init, &[]);
}

#[test]
fn whoever_asks_for_everything_waits_for_news() {
    let mut session = Session::pulling(&[("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })")]);
    let all = session.peer.request("workspace/diagnostic", json!({ "previousResultIds": [] })).unwrap();
    assert_eq!(rules(&all["items"][0]["items"]), ["duplicate-key"]);
    let known = json!([{ "uri": uri("/m/a.pp"), "value": all["items"][0]["resultId"] }]);
    let waiting = session.peer.ask("workspace/diagnostic", json!({ "previousResultIds": known }));
    // The response to a later request shows that this one has none.
    session
        .peer
        .request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri("/m/a.pp") } }))
        .unwrap();
    assert!(!session.peer.is_answered(&waiting));
    session.write("/m/a.pp", "notice(1)");
    let news = session.peer.answer(&waiting).unwrap();
    assert_eq!(news["items"][0]["items"], Value::Array(Vec::new()));
}

#[test]
fn whoever_asks_for_everything_gets_the_state_after_all_edits() {
    let (edited, other) = ("/m/modules/m/manifests/b.pp", "/m/modules/m/manifests/init.pp");
    let mut session = Session::pulling(&[
        ("/m/environment.conf", ""),
        (other, "class m { class { 'm::b': port => 'x' } }"),
        (edited, "class m::b($port) { notice($port) }"),
    ]);
    session.open(edited, "class m::b($port) { notice($port) }");
    for round in 0..20 {
        let (kind, found) = if round % 2 == 0 { ("Integer", 1) } else { ("String", 0) };
        session.replace(edited, &format!("class m::b({kind} $port) {{ notice($port) }}"));
        let all = session.peer.request("workspace/diagnostic", json!({ "previousResultIds": [] })).unwrap();
        let of_other = all["items"].as_array().unwrap().iter().find(|it| it["uri"] == uri(other));
        let count = of_other.map_or(0, |it| it["items"].as_array().unwrap().len());
        assert_eq!(count, found, "round {round}: {all}");
    }
}

/// Clients that diagnostics are published to may request them, too.
#[test]
fn a_client_that_does_not_pull_may_wait_for_new_diagnostics() {
    let mut session = Session::start(&[("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 })")]);
    let all = session.peer.request("workspace/diagnostic", json!({ "previousResultIds": [] })).unwrap();
    let known = json!([{ "uri": uri("/m/a.pp"), "value": all["items"][0]["resultId"] }]);
    let waiting = session.peer.ask("workspace/diagnostic", json!({ "previousResultIds": known }));
    session.write("/m/a.pp", "notice(1)");
    let news = session.peer.answer(&waiting).unwrap();
    assert_eq!(news["items"][0]["items"], Value::Array(Vec::new()));
}

#[test]
fn what_is_cancelled_is_answered_as_cancelled() {
    let mut session = Session::pulling(&[("/m/a.pp", "notice(1)")]);
    session.peer.request("workspace/diagnostic", json!({ "previousResultIds": [] })).unwrap();
    let waiting = session.peer.ask("workspace/diagnostic", json!({ "previousResultIds": [] }));
    session.peer.notify("$/cancelRequest", json!({ "id": waiting }));
    assert_eq!(session.peer.answer(&waiting).unwrap_err().code, -32800);
    // There is no such request.
    session.peer.notify("$/cancelRequest", json!({ "id": 12345 }));
    assert!(session.peer.request("shutdown", Value::Null).is_ok());
}
