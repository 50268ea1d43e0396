//! `marotte impact`.

use std::process::Command;

use serde_json::Value;

use crate::support::{Folder, Run};

const SITE: &str = "node default { include base }\nnode /^web/ { include base\n  include web }\n";

const FILES: &[(&str, &str)] = &[
    ("environment.conf", "modulepath = modules\n"),
    ("manifests/site.pp", SITE),
    ("hiera.yaml", "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"),
    ("data/common.yaml", "base::motd: hello\n"),
    (
        "modules/base/manifests/init.pp",
        "class base(String $motd) {\n  file { '/etc/motd': content => \"a\\n${motd}\\nz\\n\" }\n  service { 'cron': }\n}\n",
    ),
    (
        "modules/web/manifests/init.pp",
        "class web {\n  package { 'nginx': ensure => '1' }\n  service { 'nginx': }\n}\n",
    ),
    // What it gives is known to nobody who does not run it.
    (
        "modules/m/lib/puppet/functions/m/f.rb",
        "Puppet::Functions.create_function(:'m::f') do\n  def f\n    File.exist?('/x')\n  end\nend\n",
    ),
];

/// Facts of four nodes, and the code in `before` and `after`, which has other files in some places.
fn folder(changes: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(&[]);
    for node in ["db1", "web1", "web2", "web3"] {
        folder.write(&format!("facts/{node}.yaml"), format!("hostname: {node}\n").as_bytes());
    }
    for (path, text) in FILES {
        folder.write(&format!("before/{path}"), text.as_bytes());
        folder.write(&format!("after/{path}"), text.as_bytes());
    }
    for (path, text) in changes {
        folder.write(&format!("after/{path}"), text.as_bytes());
    }
    folder
}

fn impact(changes: &[(&str, &str)], options: &[&str]) -> Run {
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    folder(changes).marotte(&[&arguments[..], options].concat())
}

fn last_line(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or_default()
}

#[test]
fn equal_trees_change_nothing() {
    let run = impact(&[], &[]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (0, "From before to after\n4 nodes: 4 unchanged\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_change_of_many_nodes_is_shown_once() {
    let run = impact(&[("data/common.yaml", "base::motd: welcome\n")], &[]);
    let expected = "From before to after\n4 nodes: 4 changed\n\n\
        Changed: 4 nodes: db1, web1, web2, web3\n  \
        because of data/common.yaml:1\n  \
        ~ Class[Base] motd: 'hello' => 'welcome'\n  \
        ~ File[/etc/motd] content: 1 line added, 1 removed  # modules/base/manifests/init.pp:2\n      \
        @@ -1,3 +1,3 @@\n       a\n      -hello\n      +welcome\n       z\n";
    assert_eq!((run.status, run.stdout.as_str()), (1, expected), "{}", run.stderr);
}

#[test]
fn changes_are_grouped_by_the_nodes_that_have_them() {
    let web = "class web {\n  package { 'nginx': ensure => '2' }\n  ~> service { 'nginx': }\n  file { '/w': mode => '0644' }\n}\n";
    let run = impact(&[("modules/web/manifests/init.pp", web)], &["--output-format", "concise"]);
    let nodes = "[web1, web2, web3]";
    let because = "because of modules/web/manifests/init.pp:2";
    let expected = format!(
        "3 nodes: + File[/w] (modules/web/manifests/init.pp:4, {because}) {nodes}\n\
         3 nodes: ~ Package[nginx] ensure: '1' => '2' (modules/web/manifests/init.pp:2, {because}) {nodes}\n\
         3 nodes: + Package[nginx] notify: Service[nginx] (Service[nginx] restarts when Package[nginx] changes) (modules/web/manifests/init.pp:2, {because}) {nodes}\n\
         4 nodes: 3 changed, 1 unchanged\n"
    );
    assert_eq!((run.status, run.stdout), (1, expected), "{}", run.stderr);
}

#[test]
fn a_node_that_fails_now_has_a_status_of_its_own() {
    let site = format!("{SITE}node 'web2' {{ include none }}\n");
    let run = impact(&[("manifests/site.pp", &site)], &["--output-format", "concise"]);
    assert_eq!((run.status, last_line(&run)), (4, "4 nodes: 1 failing now, 3 unchanged"), "{}", run.stdout);
    assert!(run.stdout.contains("none") && run.stdout.contains("manifests/site.pp:4"), "{}", run.stdout);
}

#[test]
fn nodes_that_fail_for_the_same_reason_are_one_entry() {
    let run = impact(&[("manifests/site.pp", "include gone\n")], &["--output-format", "concise"]);
    assert_eq!(
        (run.status, run.stdout.as_str()),
        (
            4,
            "4 nodes: failing now: Error while evaluating a Function Call, Could not find class ::gone (manifests/site.pp:1), because of manifests/site.pp:1 [db1, web1, web2, web3]\n4 nodes: 4 failing now\n"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn a_node_that_failed_before_is_a_change_and_one_that_fails_still_is_not_known() {
    let folder = folder(&[]);
    let failing = format!("{SITE}node 'web2' {{ include none }}\n");
    folder.write("before/manifests/site.pp", failing.as_bytes());
    let arguments =
        ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts", "--format", "concise"];
    let run = folder.marotte(&arguments);
    assert_eq!(
        (run.status, last_line(&run)),
        (1, "4 nodes: 1 failing before, compiling now, 3 unchanged"),
        "{}",
        run.stdout
    );
    folder.write("after/manifests/site.pp", failing.as_bytes());
    let run = folder.marotte(&arguments);
    assert_eq!(
        (run.status, last_line(&run)),
        (3, "4 nodes: 1 failing before and now, 3 unchanged"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_not_known_is_never_unchanged() {
    let folder = folder(&[]);
    let site = format!("{SITE}if m::f() {{ notify {{ 'a': }} }}\n");
    folder.write("before/manifests/site.pp", site.as_bytes());
    folder.write("after/manifests/site.pp", site.as_bytes());
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&arguments);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(run.stdout.contains("4 nodes: 4 not fully known\n"), "{}", run.stdout);
    assert!(run.stdout.contains("Not known, because of\n  the Ruby function 'm::f'"), "{}", run.stdout);
    assert_eq!(folder.marotte(&[&arguments[..], &["--allow-incomplete"]].concat()).status, 0);

    // What is gone may be what was left out, and what is there and different is different all the same.
    let gone = format!("{SITE}notify {{ 'a': }}\n");
    folder.write("before/manifests/site.pp", gone.as_bytes());
    let run = folder.marotte(&arguments);
    assert_eq!(run.status, 3, "{}", run.stdout);
    assert!(run.stdout.contains("  ? - Notify[a]"), "{}", run.stdout);
    folder.write("after/data/common.yaml", b"base::motd: welcome\n");
    let run = folder.marotte(&arguments);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("4 changed (4 of them not fully known)"), "{}", run.stdout);
}

#[test]
fn nothing_is_shown_of_what_is_sensitive() {
    let base = |secret: &str| {
        format!(
            "class base(String $motd) {{\n  file {{ '/etc/motd': content => Sensitive(\"{secret}\\n\") }}\n  notify {{ 'x': message => ['a', Sensitive('{secret}')] }}\n}}\n"
        )
    };
    let folder = folder(&[]);
    folder.write("before/modules/base/manifests/init.pp", base("hunter2").as_bytes());
    folder.write("after/modules/base/manifests/init.pp", base("swordfish").as_bytes());
    for format in ["full", "concise", "json", "markdown", "html", "junit", "sarif"] {
        let run = folder.marotte(&[
            "impact",
            "--from",
            "before",
            "--to",
            "after",
            "--facts-dir",
            "facts",
            "--output-format",
            format,
        ]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(!all.contains("hunter2") && !all.contains("swordfish"), "{all}");
        assert!(all.contains("/etc/motd") && all.contains("Notify[x]"), "{all}");
    }
}

#[test]
fn where_trees_are_and_what_time_it_is_is_no_difference() {
    let site = format!(
        "{SITE}notify {{ 'a': message => \"${{settings::modulepath}} ${{module_directory('base')}} ${{Timestamp.new}}\" }}\n"
    );
    let folder = folder(&[]);
    folder.write("before/manifests/site.pp", site.as_bytes());
    folder.write("after/manifests/site.pp", format!("# a comment\n{site}").as_bytes());
    let run = folder.marotte(&["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"]);
    assert_eq!((run.status, last_line(&run)), (0, "4 nodes: 4 unchanged"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn json_has_all_that_is_known() {
    let web = "class web {\n  package { 'nginx': ensure => '2' }\n}\n";
    let run = impact(&[("modules/web/manifests/init.pp", web)], &["--output-format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["counts"]["changed"], 3);
    assert_eq!(
        report["nodes"][0],
        serde_json::json!({ "name": "db1", "verdict": "unchanged", "fully_known": true })
    );
    let group = &report["groups"][0];
    assert_eq!(group["nodes"], serde_json::json!(["web1", "web2", "web3"]));
    assert_eq!(
        group["changes"],
        serde_json::json!([
            {
                "kind": "resource-removed",
                "resource": "Service[nginx]",
                "exported": false,
                "within": ["Class[Web]"],
                "declared_before": { "file": "modules/web/manifests/init.pp", "line": 3 },
                "declared_after": null,
                "containing_class": "Web",
                "causes": [{ "file": "modules/web/manifests/init.pp", "edit": "changed", "line_before": 2, "line_after": 2 }],
            },
            {
                "kind": "attribute",
                "resource": "Package[nginx]",
                "exported": false,
                "attribute": "ensure",
                "before": { "value": "'1'" },
                "after": { "value": "'2'" },
                "declared_before": { "file": "modules/web/manifests/init.pp", "line": 2 },
                "declared_after": { "file": "modules/web/manifests/init.pp", "line": 2 },
                "containing_class": "Web",
                "causes": [{ "file": "modules/web/manifests/init.pp", "edit": "changed", "line_before": 2, "line_after": 2 }],
            },
        ])
    );
}

#[test]
fn a_comment_is_never_too_long() {
    let notes = (0..3000).map(|it| format!("notify {{ 'n{it}': message => '```{}' }}\n", "é".repeat(300)));
    let site = format!("{}{SITE}", notes.collect::<String>());
    let run = impact(&[("manifests/site.pp", &site)], &["--output-format", "markdown"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.len() < 60_000, "{}", run.stdout.len());
    assert!(run.stdout.contains("more changes are not shown here."), "{}", run.stdout);
    // What is quoted ends no block of code.
    assert_eq!(run.stdout.lines().filter(|it| it.starts_with("````")).count(), 2);
}

#[test]
fn a_value_that_nobody_knows_has_no_cause() {
    let folder = folder(&[("data/common.yaml", "base::motd: welcome\n")]);
    let site = format!("{SITE}notify {{ 'unknown': message => m::f() }}\n");
    for tree in ["before", "after"] {
        folder.write(&format!("{tree}/manifests/site.pp"), site.as_bytes());
    }
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&[&arguments[..], &["--output-format", "concise"]].concat());
    let lines = |what: &str| run.stdout.lines().filter(|it| it.contains(what)).collect::<Vec<_>>();
    let [unknown] = lines("Notify[unknown]")[..] else { panic!("{}", run.stdout) };
    assert!(unknown.contains("(not known, because of ") && unknown.contains(", on both sides"), "{unknown}");
    assert!(!unknown.contains("because of data"), "{unknown}");
    // The known changes have it.
    let known = lines("Class[Base] motd");
    assert!(
        known.iter().all(|it| it.contains("because of data/common.yaml:1")) && !known.is_empty(),
        "{run:?}"
    );
}

#[test]
fn a_page_has_each_node_once_and_nothing_is_markup() {
    let site = format!("{SITE}notify {{ '</script><b>': message => '<i>' }}\n");
    let run = impact(&[("manifests/site.pp", &site)], &["--output-format", "html"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("+ Notify[&lt;/script&gt;&lt;b&gt;]"), "{}", run.stdout);
    assert!(!run.stdout.contains("<b>") && !run.stdout.contains("<i>"), "{}", run.stdout);
    assert!(
        run.stdout.contains("data-nodes=\"0-3\"") && run.stdout.matches("\"web3\"").count() == 1,
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_ignored_is_counted_and_not_shown() {
    let web = "class web {\n  package { 'nginx': ensure => '2' }\n  service { 'nginx': }\n  file { '/w': mode => '0644', tag => 'volatile' }\n}\n";
    let changes = [("modules/web/manifests/init.pp", web), ("data/common.yaml", "base::motd: ' hello'\n")];
    let run = |options: &[&str]| impact(&changes, &[&["--output-format", "concise"], options].concat());
    let plain = run(&[]);
    assert_eq!(plain.stdout.lines().count(), 5, "{}", plain.stdout);
    let options = ["--ignore", "Package[*]::ensure", "--ignore-tags", "Volatile", "--ignore-whitespace"];
    let ignored = run(&options);
    assert_eq!(
        (ignored.status, ignored.stdout.as_str()),
        (
            0,
            "Ignored because of white space: 8 changes on 4 nodes\n\
             Ignored because of Package[*]::ensure: 3 changes on 3 nodes\n\
             Ignored because of the tag volatile: 3 changes on 3 nodes\n\
             4 nodes: 4 unchanged\n"
        ),
        "{}",
        ignored.stderr
    );
    // A report that omits changes mentions this in each format.
    for format in ["full", "json", "markdown", "html", "junit", "sarif"] {
        let run = impact(&changes, &[&options[..], &["--output-format", format]].concat());
        assert_eq!(run.status, 0, "{format}: {}", run.stderr);
        let said = if format == "json" { "\"reason\": \"white space\"" } else { "8 changes on 4 nodes" };
        assert!(run.stdout.contains(said), "{format}: {}", run.stdout);
    }
    let wrong = run(&["--ignore", "File[x"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.stderr.contains("`File[x` is not a pattern of resources"), "{}", wrong.stderr);
}

#[test]
fn the_configuration_says_what_is_ignored() {
    let folder = folder(&[("data/common.yaml", "base::motd: welcome\n")]);
    let text = "[impact]\nignore = ['File[/etc/*]', 'class[base]']\nignore-whitespace = true\n";
    folder.write("marotte.toml", text.as_bytes());
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&arguments);
    assert_eq!((run.status, last_line(&run)), (0, "Ignored because of File[/etc/*]: 4 changes on 4 nodes"));
    // A flag overrides the configuration.
    let run = folder.marotte(&[&arguments[..], &["--ignore", "Class"]].concat());
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("~ File[/etc/motd] content"), "{}", run.stdout);
    folder.write("marotte.toml", b"[impact]\nignored = []\n");
    let run = folder.marotte(&arguments);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `ignore`?"), "{}", run.stderr);
}

#[test]
fn servers_for_tests_get_a_case_for_each_node() {
    let site = format!("{SITE}node 'web2' {{ include none }}\nnotify {{ '<b>': }}\n");
    let run = impact(&[("manifests/site.pp", &site)], &["--output-format", "junit"]);
    assert_eq!(run.status, 4, "{}", run.stderr);
    let count = |it: &str| run.stdout.matches(it).count();
    assert_eq!((count("<testcase "), count("<failure "), count("<error ")), (4, 3, 1), "{}", run.stdout);
    let head = r#"<testsuites name="marotte" tests="4" failures="3" errors="1" skipped="0">"#;
    assert!(run.stdout.contains(head), "{}", run.stdout);
    let message = r#"<failure message="changed: + Notify[&lt;b&gt;] (because of manifests/site.pp:4)">"#;
    assert!(run.stdout.contains(message), "{}", run.stdout);
}

#[test]
fn services_that_annotate_code_get_a_result_for_each_change() {
    let run = impact(&[("data/common.yaml", "base::motd: welcome\n")], &["--output-format", "sarif"]);
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "{}", run.stdout);
    let text = "4 nodes (db1, web1, web2, web3): ~ File[/etc/motd] content: 1 line added, 1 removed";
    assert_eq!(results[1]["message"]["text"], text);
    let place = &results[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "data/common.yaml");
    assert_eq!(place["region"]["startLine"], 1);
    let declared = &results[1]["relatedLocations"][0]["physicalLocation"];
    assert_eq!(declared["artifactLocation"]["uri"], "modules/base/manifests/init.pp");
    assert_eq!(declared["region"]["startLine"], 2);
}

#[test]
fn nodes_have_to_be_named() {
    let run = folder(&[]).marotte(&["impact", "--from", "before", "--to", "after"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--facts-dir"), "{}", run.stderr);
    for (options, message) in [
        (["--node", "none"], "error: there are no facts of none in facts"),
        (["--from-facts-dir", "nope"], "error: cannot read the folder nope:"),
        (["--to", "facts"], "error: no main manifest was found in facts\n"),
    ] {
        let folder = folder(&[]);
        let own = if options[0] == "--to" { &[] as &[&str] } else { &["--to", "after"] };
        let arguments = [&["impact", "--from", "before", "--facts-dir", "facts"], own, &options].concat();
        let run = folder.marotte(&arguments);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{options:?}: {}", run.stderr);
        assert!(run.stderr.starts_with(message), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn a_node_may_be_new() {
    let folder = folder(&[]);
    folder.write("old/db1.yaml", b"hostname: db1\n");
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&[&arguments[..], &["--from-facts-dir", "old", "--node", "web1"]].concat());
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("before: there are no facts of web1 in old"), "{}", run.stdout);
}

#[test]
fn what_ignores_nothing_is_reported() {
    let changes = [("data/common.yaml", "base::motd: welcome\n")];
    let options = ["--ignore", "File[/etc/mtod]", "--ignore", "Class", "--ignore-tags", "Base,none"];
    let run = impact(&changes, &options);
    let expected = "warning: `--ignore File[/etc/mtod]` matches no change\nwarning: `--ignore-tags none` matches no change\n";
    assert_eq!((run.status, run.stderr.as_str()), (0, expected), "{}", run.stdout);
}

#[test]
fn services_say_why_a_node_is_not_fully_known() {
    let changes = [("modules/web/manifests/init.pp", "class web {\n  notify { \"${m::f()}\": }\n}\n")];
    let junit = impact(&changes, &["--output-format", "junit"]).stdout;
    let cause = "not fully known, because of the Ruby function &#39;m::f&#39;";
    assert!(junit.contains(cause) || junit.contains(&cause.replace("&#39;", "'")), "{junit}");
    let markdown = impact(&changes, &["--output-format", "markdown"]).stdout;
    let line = "on 3 nodes: `web1`, `web2`, `web3`\n";
    assert!(markdown.contains(line), "{markdown}");
}

/// The lines of a concise report, each without its nodes.
fn concise(folder: &Folder, options: &[&str]) -> Vec<String> {
    let arguments =
        ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts", "--format", "concise"];
    let run = folder.marotte(&[&arguments[..], options].concat());
    let all = folder.marotte(&[&arguments[..], options, &["--compile-all"]].concat());
    assert_eq!(run.stdout, all.stdout, "{}", run.stderr);
    run.stdout.lines().map(|it| it.rsplit_once(" [").map_or(it, |it| it.0).to_owned()).collect()
}

#[test]
fn each_change_has_the_edit_that_led_to_it() {
    let init = "class base(String $motd) {\n  file { '/etc/motd': content => \"a\\n${motd}\\nz\\n\" }\n  service { 'cron': ensure => running }\n}\n";
    let folder = folder(&[
        ("modules/base/manifests/init.pp", init),
        ("data/common.yaml", "# Nothing else is new here.\nother: 1\nbase::motd: welcome\n"),
        // Nobody reads it.
        ("data/other.yaml", "a: 1\n"),
    ]);
    let expected = [
        "4 nodes: ~ Class[Base] motd: 'hello' => 'welcome' (because of data/common.yaml:1)",
        "4 nodes: ~ File[/etc/motd] content: 1 line added, 1 removed (modules/base/manifests/init.pp:2, because of data/common.yaml:1)",
        "4 nodes: ~ Service[cron] ensure: (not set) => 'running' (modules/base/manifests/init.pp:3, because of modules/base/manifests/init.pp:3)",
        "4 nodes: 4 changed",
    ];
    assert_eq!(concise(&folder, &[]), expected);
}

#[test]
fn lines_of_one_file_are_told_apart() {
    let web = "class web {\n  package { 'nginx': ensure => '2' }\n  # In between, nothing changes.\n  service { 'nginx': enable => true }\n}\n";
    let folder = folder(&[("modules/web/manifests/init.pp", web)]);
    let before = web.replace("'2'", "'1'").replace("enable => true", "");
    folder.write("before/modules/web/manifests/init.pp", before.as_bytes());
    let expected = [
        "3 nodes: ~ Package[nginx] ensure: '1' => '2' (modules/web/manifests/init.pp:2, because of modules/web/manifests/init.pp:2)",
        "3 nodes: ~ Service[nginx] enable: (not set) => true (modules/web/manifests/init.pp:4, because of modules/web/manifests/init.pp:4)",
        "4 nodes: 3 changed, 1 unchanged",
    ];
    assert_eq!(concise(&folder, &[]), expected);
}

#[test]
fn files_that_come_and_go_are_causes() {
    let folder = folder(&[
        // The module `web` is now the one that comes first, and has no class.
        ("first/web/files/x", "x\n"),
        ("environment.conf", "modulepath = first:modules\n"),
    ]);
    folder.write("before/environment.conf", b"modulepath = first:modules\n");
    folder.write("before/first/none/files/x", b"x\n");
    folder.write("after/first/none/files/x", b"x\n");
    let lines = concise(&folder, &[]);
    let failing = "3 nodes: failing now: Error while evaluating a Function Call, Could not find class ::web (manifests/site.pp:3), because of first/web/files/x, which is new";
    assert_eq!(lines, [failing, "4 nodes: 3 failing now, 1 unchanged"]);

    folder.rename("after/first/web", "unused");
    folder.write("before/data/nodes.yaml", b"base::motd: old\n");
    for tree in ["before", "after"] {
        let hiera = "version: 5\nhierarchy:\n  - name: all\n    paths: [nodes.yaml, common.yaml]\n";
        folder.write(&format!("{tree}/hiera.yaml"), hiera.as_bytes());
    }
    let lines = concise(&folder, &[]);
    let expected =
        "4 nodes: ~ Class[Base] motd: 'old' => 'hello' (because of data/nodes.yaml, which is gone)";
    assert_eq!(lines.first().map(String::as_str), Some(expected), "{lines:?}");
}

#[test]
fn an_edit_without_which_nothing_compiles_prevents_no_report() {
    // Without the new folder, there is no main manifest.
    let site = format!("{SITE}notify {{ 'new': }}\n");
    let folder =
        folder(&[("environment.conf", "modulepath = modules\nmanifest = other\n"), ("other/site.pp", &site)]);
    let lines = concise(&folder, &[]);
    assert!(lines.iter().any(|it| it.contains("Notify[new]")), "{lines:?}");
    assert_eq!(lines.last().map(String::as_str), Some("4 nodes: 4 changed"));
}

#[test]
fn edits_that_need_each_other_are_causes_only_as_far_as_it_is_known() {
    // Without the new parameter, the data and the class do not compile.
    let folder = folder(&[
        ("manifests/site.pp", "class { 'base': motd => 'x', level => 2 }\n"),
        (
            "modules/base/manifests/init.pp",
            "class base(String $motd, $level = 1) {\n  notify { \"level ${level}\": }\n}\n",
        ),
    ]);
    folder.write("before/manifests/site.pp", b"class { 'base': motd => 'x' }\n");
    let init = "class base(String $motd) {\n  notify { 'level': }\n}\n";
    folder.write("before/modules/base/manifests/init.pp", init.as_bytes());
    let expected = [
        "4 nodes: - Notify[level] (modules/base/manifests/init.pp:2)",
        "4 nodes: + Notify[level 2] (modules/base/manifests/init.pp:2, because of manifests/site.pp:1)",
        "4 nodes: ~ Class[Base] level: (not set) => 2 (manifests/site.pp:1, because of manifests/site.pp:1)",
        "4 nodes: 4 changed",
    ];
    assert_eq!(concise(&folder, &[]), expected);
}

#[test]
fn other_facts_are_a_cause() {
    let site = "notify { 'a': message => $facts['x'] }\nnotify { 'b': message => 'B' }\n";
    let folder = folder(&[("manifests/site.pp", site)]);
    folder.write("before/manifests/site.pp", site.replace('B', "C").as_bytes());
    folder.write("old/db1.yaml", b"x: 1\n");
    folder.write("facts/db1.yaml", b"x: 2\n");
    let expected = [
        "1 node: ~ Notify[a] message: 1 => 2 (manifests/site.pp:1, because of facts/db1.yaml)",
        "1 node: ~ Notify[b] message: 'C' => 'B' (manifests/site.pp:2, because of manifests/site.pp:2)",
        "1 node: 1 changed",
    ];
    assert_eq!(concise(&folder, &["--from-facts-dir", "old", "--node", "db1"]), expected);
}

/// A folder with a repository whose first commit has the files `before`; the working tree has those of `after`.
pub(crate) struct Repository(pub(crate) Folder);

impl Repository {
    pub(crate) fn new(changes: &[(&str, &str)]) -> Repository {
        let folder = folder(&[]);
        let repository = Repository(folder);
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        for (path, text) in FILES {
            repository.0.write(&format!("code/{path}"), text.as_bytes());
        }
        repository.commit();
        for (path, text) in changes {
            repository.0.write(&format!("code/{path}"), text.as_bytes());
        }
        repository
    }

    /// Runs git, and returns its output.
    fn git(&self, arguments: &[&str]) -> String {
        let mut git = Command::new("git");
        std::fs::create_dir_all(self.0.path("code")).unwrap();
        git.current_dir(self.0.path("code")).args(arguments);
        for (name, value) in
            [("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "nothing"), ("HOME", "nothing")]
        {
            git.env(name, value);
        }
        for role in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{role}_NAME"), "nobody")
                .env(format!("GIT_{role}_EMAIL"), "nobody@example.com");
        }
        let output = git.output().expect("git is installed");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message=a"]);
    }

    fn impact(&self, arguments: &[&str]) -> Run {
        let all =
            ["impact", "--facts-dir", "facts", "--environment-dir", "code", "--output-format", "concise"];
        self.0.marotte(&[&all[..], arguments].concat())
    }
}

#[test]
fn the_working_tree_is_compared_with_the_main_branch() {
    let repository = Repository::new(&[("data/common.yaml", "base::motd: welcome\n")]);
    let expected = "4 nodes: ~ Class[Base] motd: 'hello' => 'welcome' (because of data/common.yaml:1) [db1, web1, web2, web3]\n\
        4 nodes: ~ File[/etc/motd] content: 1 line added, 1 removed (modules/base/manifests/init.pp:2, because of data/common.yaml:1) [db1, web1, web2, web3]\n4 nodes: 4 changed\n";
    let run = repository.impact(&[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, expected), "{}", run.stderr);

    // On a branch, with a commit and without what main got in between.
    repository.git(&["checkout", "--quiet", "-b", "topic"]);
    repository.commit();
    repository.git(&["checkout", "--quiet", "main"]);
    repository.0.write("code/modules/web/manifests/init.pp", b"class web { }\n");
    repository.commit();
    repository.git(&["checkout", "--quiet", "topic"]);
    assert_eq!(repository.impact(&[]).stdout, expected);
    assert_eq!(repository.impact(&["main...topic"]).stdout, expected);
    assert_eq!(last_line(&repository.impact(&["HEAD"])), "4 nodes: 4 unchanged");
    let both = repository.impact(&["main..topic"]);
    assert!(
        both.stdout.contains("3 nodes: + Package[nginx]") && both.stdout.contains("motd"),
        "{}",
        both.stdout
    );
    let wrong = repository.impact(&["no-such-branch"]);
    assert_eq!(wrong.status, 2);
    let message = "code has no branch, tag or commit `no-such-branch`\n";
    assert!(wrong.stderr.ends_with(message), "{}", wrong.stderr);
}

#[test]
fn new_files_are_not_in_the_base_and_ignored_ones_are() {
    let repository = Repository::new(&[
        // It comes before the other.
        ("modules/web/manifests/extra.pp", "class web::extra { notify { 'new': } }\n"),
        ("modules/web/manifests/init.pp", "class web {\n  include web::extra\n  include fetched\n}\n"),
        (".gitignore", "/modules/fetched/\n"),
    ]);
    repository
        .0
        .write("code/modules/fetched/manifests/init.pp", b"class fetched { notify { 'fetched': } }\n");
    let run = repository.impact(&[]);
    assert!(
        run.stdout.contains("3 nodes: + Notify[new]") && run.stdout.contains("+ Notify[fetched]"),
        "{}",
        run.stdout
    );
    repository.commit();
    // What git leaves alone is the same in each revision.
    let run = repository.impact(&["HEAD~1..HEAD"]);
    assert!(
        run.stdout.contains("3 nodes: + Notify[new]") && run.stdout.contains("+ Notify[fetched]"),
        "{}",
        run.stdout
    );
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert_eq!(repository.impact(&["HEAD"]).status, 0);
    // Another list of modules, of which only one version is there.
    repository.0.write("code/Puppetfile", b"# none\n\n");
    assert_eq!(repository.impact(&["HEAD"]).status, 0);
    repository.0.write("code/Puppetfile", b"mod 'a/fetched', '2'\n");
    let run = repository.impact(&["HEAD"]);
    assert_eq!((run.status, last_line(&run)), (3, "4 nodes: 4 not fully known"), "{}", run.stdout);
    assert!(run.stdout.contains("the Puppetfile is different"), "{}", run.stdout);
}

#[test]
fn a_file_that_a_partial_clone_lacks_is_not_a_missing_file() {
    let repository = Repository::new(&[("data/common.yaml", "base::motd: one\n")]);
    let site = "class { 'base': motd => lookup('base::motd', default_value => 'none') }\n";
    repository.0.write("code/manifests/site.pp", site.as_bytes());
    repository.commit();
    repository.0.write("code/data/common.yaml", b"base::motd: two\n");
    repository.commit();
    // The revisions have different data, and neither can be read.
    for revision in ["HEAD", "HEAD~1"] {
        let id = repository.git(&["rev-parse", &format!("{revision}:./data/common.yaml")]);
        let (folder, name) = id.split_at(2);
        std::fs::remove_file(repository.0.path(&format!("code/.git/objects/{folder}/{name}"))).unwrap();
    }
    let run = repository.impact(&["HEAD~1..HEAD"]);
    assert_eq!((run.status, last_line(&run)), (3, "4 nodes: 4 failing before and now"), "{}", run.stdout);
    assert!(run.stdout.contains("common.yaml"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn links_are_followed_within_a_revision() {
    let repository = Repository::new(&[]);
    repository.git(&["rm", "--quiet", "-r", "modules/web"]);
    repository.0.write("code/releases/1/manifests/init.pp", b"class web { notify { 'one': } }\n");
    repository.0.write("code/releases/2/manifests/init.pp", b"class web { notify { 'two': } }\n");
    let link = |target: &str| {
        let path = repository.0.path("code/modules/web");
        let _ = std::fs::remove_file(&path);
        std::os::unix::fs::symlink(target, path).unwrap();
    };
    link("../releases/1");
    repository.commit();
    link("../releases/2");
    let run = repository.impact(&["HEAD"]);
    assert!(run.stdout.contains("- Notify[one]") && run.stdout.contains("+ Notify[two]"), "{}", run.stdout);
}

#[test]
fn submodules_are_refused() {
    let repository = Repository::new(&[]);
    let commit = "0123456789012345678901234567890123456789";
    repository.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},modules/other")]);
    repository.git(&["commit", "--quiet", "--message=b"]);
    let run = repository.impact(&["HEAD"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("has a submodule at modules/other"), "{}", run.stderr);
}

/// Nodes may have the same change for different reasons, and only the first and the last of them are looked at.
#[test]
fn an_edit_of_one_node_is_no_cause_of_the_same_change_elsewhere() {
    let hiera = "version: 5\nhierarchy:\n  - name: nodes\n    path: \"%{facts.hostname}.yaml\"\n  - name: common\n    path: common.yaml\n";
    let folder = folder(&[]);
    for tree in ["before", "after"] {
        folder.write(&format!("{tree}/hiera.yaml"), hiera.as_bytes());
        for node in ["db1", "web1", "web2", "web3"] {
            let motd = if tree == "before" { "hello" } else { "welcome" };
            let data = format!("base::motd: {motd}\n");
            folder.write(&format!("{tree}/data/{node}.yaml"), data.as_bytes());
        }
    }
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&arguments);
    assert!(run.stdout.contains("Changed: 4 nodes") && !run.stdout.contains("because of"), "{run:?}");
    // One of them.
    let run = folder.marotte(&[&arguments[..], &["--node", "web2"]].concat());
    assert!(run.stdout.contains("because of data/web2.yaml:1"), "{run:?}");
}

/// Without one of the edits, the node fails as well, but for another reason.
/// The only edited file is the cause, but none of its lines is the cause of all.
#[test]
fn a_line_of_one_node_is_no_cause_of_the_same_change_elsewhere() {
    let data = |value: u32| format!("k_n1: {value}\n#\nk_n2: {value}\n#\nk_n3: {value}\n");
    let site: &[u8] = b"notify { 'x': message => lookup(\"k_${trusted['certname']}\") }\n";
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for (tree, value) in [("before", 1), ("after", 2)] {
        files.push((format!("{tree}/manifests/site.pp"), site.to_vec()));
        files.push((format!("{tree}/data/common.yaml"), data(value).into_bytes()));
        files.push((
            format!("{tree}/hiera.yaml"),
            b"version: 5\nhierarchy: [{name: c, path: common.yaml}]\n".to_vec(),
        ));
    }
    files.extend(["n1", "n2", "n3"].map(|it| (format!("facts/{it}.yaml"), b"a: 1\n".to_vec())));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = Folder::new(&files);
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    let run = folder.marotte(&arguments);
    assert!(run.stdout.contains("because of data/common.yaml\n"), "{run:?}");
    // Of a single node, the line is known.
    let run = folder.marotte(&[&arguments[..], &["--node", "n2"]].concat());
    assert!(run.stdout.contains("because of data/common.yaml:3\n"), "{run:?}");
}

#[test]
fn an_edit_that_only_leads_to_another_error_is_no_cause() {
    let folder = folder(&[
        ("manifests/site.pp", "class { 'm': p => 1 }\n"),
        ("modules/m/manifests/init.pp", "class m($p) { }\n"),
    ]);
    folder.write("before/manifests/site.pp", b"fail('boom')\ninclude m\n");
    folder.write("before/modules/m/manifests/init.pp", b"class m { }\n");
    let run = folder.marotte(&["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"]);
    assert!(run.stdout.contains("4 failing before, compiling now"), "{run:?}");
    assert!(run.stdout.contains("because of manifests/site.pp:1"), "{run:?}");
    assert!(!run.stdout.contains("modules/m/manifests/init.pp:1"), "{run:?}");
}

#[test]
fn nodes_without_facts_after_the_change_are_named() {
    let folder = folder(&[]);
    folder.write("old/db1.yaml", b"hostname: db1\n");
    folder.write("old/gone.yaml", b"hostname: gone\n");
    let arguments =
        ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts", "--from-facts-dir", "old"];
    let run = folder.marotte(&arguments);
    assert!(run.stderr.contains("no facts after the change: gone\n"), "{run:?}");
}
