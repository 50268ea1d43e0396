use serde_json::{Value, json};

use crate::{Session, uri};

const LITERALS: &str = r#"{"textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
    "isPreferredSupport": true}}}"#;

fn session(files: &[(&str, &str)]) -> Session {
    Session::with(files, &["/m"], serde_json::from_str(LITERALS).unwrap())
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|it| it["title"].as_str().unwrap()).collect()
}

/// The text after the edit of an action.
fn applied(action: &Value, path: &str, text: &str) -> String {
    let mut edits = action["edit"]["changes"][uri(path)].as_array().cloned().unwrap_or_default();
    edits.reverse();
    let index = marotte_lsp::Lines::new(text);
    let offset = |position: &Value| {
        let position = serde_json::from_value(position.clone()).unwrap();
        index.offset(text, position, marotte_lsp::Encoding::Utf16).unwrap()
    };
    let mut text = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn a_safe_fix_is_what_most_people_want() {
    let mut session = session(&[]);
    let text = "file { '/é': ensure = file }\n";
    session.open("/m/a.pp", text);
    let actions = session.actions("/m/a.pp", &["quickfix"]);
    assert_eq!(actions[0]["isPreferred"], true);
    assert_eq!(applied(&actions[0], "/m/a.pp", text), "file { '/é': ensure => file }\n");
}

#[test]
fn a_fix_that_is_not_safe_says_so() {
    let mut session = session(&[]);
    session.open("/m/a.pp", "notice(0888)\n");
    let actions = session.actions("/m/a.pp", &[]);
    assert!(titles(&actions)[0].ends_with("(may change what the code means)"), "{:?}", titles(&actions));
    assert!(actions[0].get("isPreferred").is_none());
    assert!(session.actions("/m/a.pp", &["source.fixAll"]).is_empty());
}

#[test]
fn a_rule_is_silenced_on_a_line_or_in_a_file() {
    let mut session = session(&[]);
    for text in [
        "notice({ 'a' => 1, 'a' => 2 })",
        "notice({ 'a' => 1, 'a' => 2 }) # why\n",
        "notice({ 'a' => 1, 'a' => 2 }) # lint:ignore:wmf_styleguide why\n$x = 1\n",
    ] {
        session.open("/m/a.pp", text);
        let actions = session.actions("/m/a.pp", &[]);
        let silencing: Vec<&Value> =
            actions.iter().filter(|it| it["title"].as_str().unwrap().starts_with("Silence")).collect();
        assert_eq!(silencing.len(), 2, "{text}: {:?}", titles(&actions));
        for action in silencing {
            let after = applied(action, "/m/a.pp", text);
            session.replace("/m/a.pp", &after);
            assert!(session.rules("/m/a.pp").is_empty(), "{after}");
        }
        session.close("/m/a.pp");
    }
}

#[test]
fn a_comment_that_silences_a_rule_is_no_documentation() {
    let options = json!({ "watcher": "client", "warn": ["missing-documentation"] });
    let capabilities = serde_json::from_str(LITERALS).unwrap();
    let mut session = Session::with_options(&[], &["/m"], capabilities, options);
    for (text, expected) in [
        ("define d() { }\n", "# lint:ignore:missing-documentation\n\ndefine d() { }\n# lint:endignore\n"),
        ("\ndefine d() { }\n", "# lint:ignore:missing-documentation\n\ndefine d() { }\n# lint:endignore\n"),
    ] {
        session.open("/m/a.pp", text);
        let line = u32::try_from(text.lines().count()).unwrap() - 1;
        let actions = session.actions_until("/m/a.pp", line, &[]);
        let title = "Silence `missing-documentation` in this file";
        let action = actions.iter().find(|it| it["title"] == title).unwrap();
        let after = applied(action, "/m/a.pp", text);
        assert_eq!(after, expected);
        session.replace("/m/a.pp", &after);
        assert!(session.rules("/m/a.pp").is_empty(), "{after}");
        session.close("/m/a.pp");
    }
}

#[test]
fn a_rule_is_silenced_in_data() {
    let hierarchy = "version: 5\nhierarchy: [{name: c, path: common.yaml}]\n";
    let mut session = session(&[
        ("/m/environment.conf", ""),
        ("/m/hiera.yaml", hierarchy),
        ("/m/modules/ntp/manifests/init.pp", "class ntp ($port) { notice($port) }\n"),
        ("/m/data/common.yaml", "a: 1\n"),
    ]);
    let path = "/m/data/common.yaml";
    // On the line of a text that a comment would be part of, there is only the block.
    for (text, expected) in [
        ("ntp::prot: 1\n", 2),
        ("a: 1 # why\nntp::prot: 1 # why", 2),
        ("ntp::prot: >\n  1\n", 2),
        ("{ntp::prot: 'a\n b'}\n", 1),
    ] {
        session.open(path, text);
        let actions = session.actions_until(path, 1, &[]);
        let silencing: Vec<&Value> =
            actions.iter().filter(|it| it["title"].as_str().unwrap().starts_with("Silence")).collect();
        assert_eq!(silencing.len(), expected, "{text}: {:?}", titles(&actions));
        for action in silencing {
            let after = applied(action, path, text);
            session.replace(path, &after);
            assert!(session.rules(path).is_empty(), "{after}");
        }
        session.close(path);
    }
}

#[test]
fn a_comment_is_not_put_into_a_string() {
    let mut session = session(&[]);
    session.open("/m/a.pp", "notice({ 'a' => 1, 'a' => 2 }, 'a\nb')\n");
    let actions = session.actions("/m/a.pp", &[]);
    assert_eq!(titles(&actions), ["Silence `duplicate-key` in this file"]);
}

#[test]
fn each_of_many_findings_has_its_own_comment() {
    let mut session = session(&[]);
    let line = "notice({ 'a' => 1, 'a' => 2 })";
    let heredoc = "notice({ 'a' => @(E), 'a' => @(F) })\n\ntext\n  E\nb\n  F\n";
    let text = format!(
        "{}{heredoc}notice({{ 'a' => 'b\nc', 'a' => 2 }})\n{line}\n",
        format!("{line}\n").repeat(400)
    );
    session.open("/m/a.pp", &text);
    let start = std::time::Instant::now();
    let last = u32::try_from(text.lines().count()).unwrap() - 1;
    let actions = session.actions_until("/m/a.pp", last, &["quickfix"]);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
    let titled = |title: &str| actions.iter().filter(|it| it["title"] == title).collect::<Vec<&Value>>();
    assert_eq!(titled("Silence `duplicate-key` in this file").len(), 403);
    let on_lines = titled("Silence `duplicate-key` on this line");
    assert_eq!(on_lines.len(), 403);
    for action in [on_lines[0], on_lines[399], on_lines[402]] {
        let after = applied(action, "/m/a.pp", &text);
        assert_eq!(after.matches("# lint:ignore:duplicate-key").count(), 1);
        session.replace("/m/a.pp", &after);
        let left = session.rules("/m/a.pp").len();
        assert_eq!(left, 402, "{after}");
        session.replace("/m/a.pp", &text);
    }
}

#[test]
fn all_safe_fixes_are_made_at_once() {
    let mut session = session(&[]);
    let text = "file { '/a': ensure = file }\nfile { '/b': ensure = file }\nnotice(0888)\n";
    session.open("/m/a.pp", text);
    let actions = session.actions("/m/a.pp", &["source.fixAll"]);
    assert_eq!(titles(&actions), ["Make all safe fixes"]);
    let after = "file { '/a': ensure => file }\nfile { '/b': ensure => file }\nnotice(0888)\n";
    assert_eq!(applied(&actions[0], "/m/a.pp", text), after);
}

#[test]
fn a_client_may_ask_for_the_edit_when_somebody_wants_it() {
    let capabilities = json!({ "textDocument": { "codeAction": {
        "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
        "resolveSupport": { "properties": ["edit"] } } } });
    let mut session = Session::with(&[], &["/m"], capabilities);
    let text = "file { '/a': ensure = file }\n";
    session.open("/m/a.pp", text);
    let actions = session.actions("/m/a.pp", &["source"]);
    assert!(actions[0].get("edit").is_none());
    let resolved = session.peer.request("codeAction/resolve", actions[0].clone()).unwrap();
    assert_eq!(applied(&resolved, "/m/a.pp", text), "file { '/a': ensure => file }\n");
}

#[test]
fn a_client_that_knows_commands_only_is_asked_to_make_the_edit() {
    let mut session = Session::start(&[]);
    session.open("/m/a.pp", "file { '/a': ensure = file }\n");
    let actions = session.actions("/m/a.pp", &[]);
    let params = json!({ "command": actions[0]["command"], "arguments": actions[0]["arguments"] });
    session.peer.request("workspace/executeCommand", params).unwrap();
    assert!(session.peer.wait(|it| it.asked.iter().any(|it| it.method == "workspace/applyEdit")));
}

#[test]
fn what_is_not_wrong_can_be_changed_too() {
    let mut session = session(&[]);
    let text = "notice(\"a\")\n";
    session.open("/m/a.pp", text);
    let params = json!({ "textDocument": { "uri": uri("/m/a.pp") }, "context": { "diagnostics": [], "only": ["refactor"] },
        "range": { "start": { "line": 0, "character": 8 }, "end": { "line": 0, "character": 8 } } });
    let actions = session.peer.request("textDocument/codeAction", params).unwrap();
    let actions = actions.as_array().unwrap();
    let texts: Vec<String> = actions.iter().map(|it| applied(it, "/m/a.pp", text)).collect();
    assert!(texts.contains(&"notice('a')\n".to_owned()), "{texts:?}");
    assert!(actions.iter().all(|it| it["kind"].as_str().unwrap().starts_with("refactor.")));
}

#[test]
fn a_finding_is_resolved_in_another_file() {
    let data = "/m/data/common.yaml";
    let files = [
        ("/m/environment.conf", ""),
        ("/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
        (data, "other: 1\n"),
    ];
    let mut session = session(&files);
    session.open("/m/manifests/site.pp", "notice(lookup('servers'))\n");
    assert_eq!(session.rules("/m/manifests/site.pp"), ["unresolved-key"]);
    let actions = session.actions("/m/manifests/site.pp", &["quickfix"]);
    assert_eq!(actions[0]["title"], "Add `servers` to `data/common.yaml`");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "unresolved-key");
    session.write(data, &applied(&actions[0], data, files[2].1));
    session.expect("/m/manifests/site.pp", &[]);
}

#[test]
fn an_included_class_has_what_a_reference_needs() {
    let site = "/m/manifests/site.pp";
    let files = [
        ("/m/environment.conf", ""),
        (site, ""),
        ("/m/modules/a/manifests/init.pp", "class a { package { 'a': } }\n"),
    ];
    let mut session = session(&files);
    let text = "notify { 'x': require => Package['a'] }\n";
    session.open(site, text);
    let catalog = |session: &mut Session| {
        let params =
            json!({ "command": "marotte.showCatalog", "arguments": [{ "uri": uri(site), "node": "n" }] });
        session.peer.request("workspace/executeCommand", params)
    };
    assert!(catalog(&mut session).unwrap_err().message.contains("Package[a]"));
    let at = json!({ "line": 0, "character": text.find("a']").unwrap() });
    let params = json!({ "textDocument": { "uri": uri(site) }, "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": ["quickfix"] } });
    let actions = session.peer.request("textDocument/codeAction", params).unwrap();
    let action =
        actions.as_array().unwrap().iter().find(|it| it["title"] == "Include the class `a`").unwrap();
    session.replace(site, &applied(action, site, text));
    assert!(catalog(&mut session).unwrap()["text"].as_str().unwrap().contains("Class[A]"));
}

#[test]
fn legacy_facts_in_templates_are_replaced() {
    let (class, template) = ("/m/modules/a/manifests/init.pp", "/m/modules/a/templates/t.erb");
    let files = [
        ("/m/environment.conf", ""),
        (class, "class a { file { '/x': content => template('a/t.erb') } }"),
        (template, "<%= @osfamily %>\n"),
    ];
    let mut session = Session::start(&files);
    session.expect(template, &["legacy-fact"]);
    let told = session.peer.diagnostics[&uri(template)].1.clone();
    let params = json!({
        "textDocument": { "uri": uri(template) }, "range": told[0]["range"], "context": { "diagnostics": told },
    });
    let found = session.peer.request("textDocument/codeAction", params).unwrap();
    assert_eq!(
        found[0]["title"],
        "Replace with `@facts['os']['family']` (may change what the template means)"
    );
}
