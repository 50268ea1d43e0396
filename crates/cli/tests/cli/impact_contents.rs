//! The contents of files behind `source`, in `marotte impact`, `affected` and `compile --watch`.

use serde_json::{Value, json};

use crate::support::{Folder, Run};

const FILES: &[(&str, &str)] = &[
    ("environment.conf", ""),
    ("manifests/site.pp", "include base\nnode /^web/ { include web }\nnode default { }\n"),
    (
        "modules/base/manifests/init.pp",
        "class base {\n  file { '/etc/motd': source => 'puppet:///modules/base/motd' }\n}\n",
    ),
    ("modules/base/files/motd", "a\nb\nc\n"),
    (
        "modules/web/manifests/init.pp",
        "class web {\n  file { '/srv/www': source => 'puppet:///modules/web/www/', recurse => true, ignore => ['*.bak', '.git'] }\n  file { '/logo': source => ['puppet:///modules/web/own', 'puppet:///modules/web/logo'] }\n}\n",
    ),
    ("modules/web/files/www/index.html", "<p>\n"),
    ("modules/web/files/www/css/style.css", "p { }\n"),
    ("modules/web/files/www/old.bak", "old\n"),
    ("modules/web/files/logo", "\0logo"),
    ("modules/web/files/unread", "unread\n"),
];

/// Two trees with facts of three nodes. In `after`, each file has another text, or is removed if that is `None`.
fn folder(changes: &[(&str, Option<&str>)]) -> Folder {
    let folder = Folder::new(&[]);
    for node in ["db1", "web1", "web2"] {
        folder.write(&format!("facts/{node}.yaml"), b"kernel: Linux\n");
    }
    for (path, text) in FILES {
        folder.write(&format!("before/{path}"), text.as_bytes());
        folder.write(&format!("after/{path}"), text.as_bytes());
    }
    for (path, text) in changes {
        let path = format!("after/{path}");
        match text {
            Some(text) => folder.write(&path, text.as_bytes()),
            None => std::fs::remove_file(folder.path(&path)).unwrap(),
        }
    }
    folder
}

fn compare(folder: &Folder, options: &[&str]) -> Run {
    let arguments = ["impact", "--from", "before", "--to", "after", "--facts-dir", "facts"];
    folder.marotte(&[&arguments[..], options].concat())
}

fn impact(changes: &[(&str, Option<&str>)], options: &[&str]) -> Run {
    compare(&folder(changes), options)
}

fn concise(changes: &[(&str, Option<&str>)]) -> Vec<String> {
    let run = impact(changes, &["--output-format", "concise"]);
    run.stdout.lines().map(str::to_owned).collect()
}

#[test]
fn lines_of_a_file_are_shown_once_for_all_nodes() {
    let run = impact(&[("modules/base/files/motd", Some("a\nB\nc\n"))], &[]);
    let expected = "From before to after\n3 nodes: 3 changed\n\n\
        Changed: 3 nodes: db1, web1, web2\n  \
        because of modules/base/files/motd:2\n  \
        ~ File[/etc/motd] content: 1 line added, 1 removed (source puppet:///modules/base/motd)  # modules/base/manifests/init.pp:2\n      \
        @@ -1,3 +1,3 @@\n       a\n      -b\n      +B\n       c\n";
    assert_eq!((run.status, run.stdout.as_str()), (1, expected), "{}", run.stderr);
}

#[test]
fn files_that_are_no_text_have_digests() {
    let lines = concise(&[("modules/web/files/logo", Some("\0LOGO!"))]);
    // The digests are those of `sha256sum`.
    assert_eq!(
        lines[0],
        "2 nodes: ~ File[/logo] content: 5 bytes, SHA-256 bbcef7a604ca… => 6 bytes, SHA-256 85e1bdeafc03… (source puppet:///modules/web/logo) (modules/web/manifests/init.pp:3, because of modules/web/files/logo:1) [web1, web2]"
    );
}

#[test]
fn the_first_source_that_exists_counts() {
    let lines = concise(&[("modules/web/files/own", Some("\0logo"))]);
    assert_eq!(lines, ["3 nodes: 3 unchanged"]);
    let lines = concise(&[("modules/web/files/own", Some("own\n"))]);
    assert!(
        lines[0].contains("(source puppet:///modules/web/own, before: puppet:///modules/web/logo)"),
        "{lines:?}"
    );
    let lines = concise(&[("modules/web/files/logo", None)]);
    assert!(
        lines[0].starts_with("2 nodes: ~ File[/logo] content: 5 bytes, SHA-256 ")
            && lines[0].contains(
                "… => (missing) (source puppet:///modules/web/own, before: puppet:///modules/web/logo)"
            ),
        "{lines:?}"
    );
}

#[test]
fn folders_are_compared_file_by_file() {
    let lines = concise(&[
        ("modules/web/files/www/index.html", Some("<p>Hello\n")),
        ("modules/web/files/www/css/style.css", None),
        ("modules/web/files/www/css/new.css", Some("b { }\n")),
        ("modules/web/files/www/old.bak", Some("older\n")),
        ("modules/web/files/www/.git/config", Some("x\n")),
        ("modules/web/files/unread", Some("still unread\n")),
    ]);
    let changes: Vec<&str> = lines.iter().filter_map(|it| it.split(" (source").next()).collect();
    assert_eq!(changes.len(), 4, "{lines:?}");
    assert!(
        changes[0]
            .starts_with("2 nodes: ~ File[/srv/www] content of css/new.css: (missing) => 6 bytes, SHA-256 ")
    );
    assert!(changes[1].starts_with("2 nodes: ~ File[/srv/www] content of css/style.css: 6 bytes, SHA-256 "));
    assert!(changes[1].ends_with("… => (missing)"), "{lines:?}");
    assert_eq!(changes[2], "2 nodes: ~ File[/srv/www] content of index.html: 1 line added, 1 removed");
    assert_eq!(changes[3], "3 nodes: 2 changed, 1 unchanged");
}

#[test]
fn only_nodes_that_fetch_a_file_are_compiled_again() {
    for (path, number) in [
        ("modules/base/files/motd", 3),
        ("modules/web/files/www/index.html", 2),
        ("modules/web/files/www/old.bak", 0),
        ("modules/web/files/unread", 0),
    ] {
        let run = impact(&[(path, Some("other\n"))], &["--verbose"]);
        let expected = format!("{number} of 3 nodes read something that is different");
        assert!(run.stderr.lines().any(|it| it == expected), "{path}: {}", run.stderr);
    }
    let folder = folder(&[]);
    let affected = |path: &str| {
        let run = folder.marotte(&["affected", "--environment-dir", "before", "--facts-dir", "facts", path]);
        run.stdout.lines().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(affected("before/modules/base/files/motd"), "db1 web1 web2");
    assert_eq!(affected("before/modules/web/files/own"), "web1 web2");
    assert_eq!(affected("before/modules/web/files/www/new/file"), "web1 web2");
    assert_eq!(affected("before/modules/web/files/unread"), "");
}

/// A resource of a type that a module declares has a source, too, and other files are elsewhere.
const OTHERS: &[(&str, Option<&str>)] = &[
    (
        "modules/base/lib/puppet/type/fragment.rb",
        Some(
            "Puppet::Type.newtype(:fragment) do\n  newparam(:name, :namevar => true)\n  newparam(:from)\nend\n",
        ),
    ),
    (
        "modules/base/manifests/init.pp",
        Some(
            "class base {\n  fragment { 'x': from => 'puppet:///modules/base/motd' }\n  file { '/a': source => 'puppet:///extra/a' }\n  file { '/b': source => ['http://example.com/b', 'puppet:///modules/base/motd'] }\n  file { '/c': source => '/opt/c' }\n  file { '/d': source => 'puppet://other/modules/base/motd' }\n  file { '/e': source => Sensitive('puppet:///modules/base/motd') }\n  file { '/f': ensure => absent, source => 'puppet:///modules/base/motd' }\n}\n",
        ),
    ),
];

#[test]
fn what_is_elsewhere_is_said_to_be_not_compared() {
    let folder = folder(OTHERS);
    for (path, text) in OTHERS {
        folder.write(&format!("before/{path}"), text.unwrap().as_bytes());
    }
    folder.write("after/modules/base/files/motd", b"a\nb\nd\n");
    let expected = "\
        3 nodes: ~ Fragment[x] content: 1 line added, 1 removed (source puppet:///modules/base/motd) (modules/base/manifests/init.pp:2, because of modules/base/files/motd:3) [db1, web1, web2]\n\
        Content not compared: a Sensitive value on 3 nodes\n\
        Content not compared: http://example.com/b on 3 nodes\n\
        Content not compared: puppet:///extra/a on 3 nodes\n\
        Content not compared: puppet://other/modules/base/motd on 3 nodes\n\
        3 nodes: 3 changed\n";
    let run = compare(&folder, &["--output-format", "concise"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, expected), "{}", run.stderr);
    let ignored = compare(&folder, &["--output-format", "concise", "--ignore", "Fragment[*]::content"]);
    assert!(ignored.stdout.ends_with("3 nodes: 3 unchanged\n"), "{}", ignored.stdout);
    for format in ["full", "markdown", "html", "junit", "sarif"] {
        let run = compare(&folder, &["--output-format", format]);
        assert!(run.stdout.contains("Content not compared: "), "{format}: {}", run.stdout);
        assert!(run.stdout.contains("content: 1 line added, 1 removed"), "{format}: {}", run.stdout);
    }
    let json: Value = serde_json::from_str(&compare(&folder, &["--output-format", "json"]).stdout).unwrap();
    assert_eq!(
        json["not_compared"][2],
        json!({ "source": "puppet:///extra/a", "nodes": ["db1", "web1", "web2"] })
    );
    let change = &json["groups"][0]["changes"][0];
    assert_eq!(
        [&change["kind"], &change["source_after"], &change["after"]["path"], &change["after"]["bytes"]],
        [
            &json!("content"),
            &json!("puppet:///modules/base/motd"),
            &json!("modules/base/files/motd"),
            &json!(6)
        ]
    );
}

#[test]
fn another_run_and_several_processes_say_the_same() {
    let folder = folder(&[]);
    let source = "class base {\n  file { '/x': source => 'puppet:///extra/x' }\n}\n";
    for tree in ["before", "after"] {
        folder.write(&format!("{tree}/modules/base/manifests/init.pp"), source.as_bytes());
    }
    let cached = ["--output-format", "full", "--cache", "kept", "--verbose"];
    assert_eq!(compare(&folder, &cached).status, 0);
    folder.write("after/modules/web/files/www/index.html", b"<p>\n<b>\n");
    let fresh = compare(&folder, &["--output-format", "full"]);
    assert!(fresh.stdout.contains("      +<b>\n"), "{}", fresh.stdout);
    for _ in 0..2 {
        let run = compare(&folder, &cached);
        assert_eq!((run.status, &run.stdout), (1, &fresh.stdout), "{}", run.stderr);
        assert!(run.stderr.contains("3 of 3 nodes are known from other runs"), "{}", run.stderr);
        assert!(run.stderr.contains("2 of 3 nodes read something that is different"), "{}", run.stderr);
    }
    for part in ["1", "2"] {
        let shard = format!("{part}/2");
        let run = compare(&folder, &["--shard", &shard, "--output", &format!("part-{part}")]);
        assert_eq!(run.status, 0, "{}", run.stderr);
    }
    let merged = folder.marotte(&["impact", "--merge", "part-1", "part-2"]);
    assert_eq!((merged.status, merged.stdout), (1, fresh.stdout), "{}", merged.stderr);
}

#[test]
fn lines_are_not_shown_if_they_must_not_be() {
    let hidden = "class base {\n  file { '/etc/motd': source => 'puppet:///modules/base/motd', show_diff => false }\n}\n";
    let folder = folder(&[("modules/base/files/motd", Some("secret\n"))]);
    for tree in ["before", "after"] {
        folder.write(&format!("{tree}/modules/base/manifests/init.pp"), hidden.as_bytes());
    }
    let run = compare(&folder, &[]);
    assert!(run.stdout.contains("~ File[/etc/motd] content: 6 bytes, SHA-256 "), "{}", run.stdout);
    assert!(!run.stdout.contains("secret"), "{}", run.stdout);
    let key = "-----BEGIN RSA PRIVATE KEY-----\nabc\n";
    let run = impact(&[("modules/base/files/motd", Some(key))], &[]);
    assert_eq!(run.status, 1);
    assert!(!run.stdout.contains("abc"), "{}", run.stdout);

    // The same holds for texts in the code, of changed and of new resources.
    let code = |secret: &str| {
        let file = |path: &str, more: &str| {
            format!("  file {{ '{path}': content => \"pw={secret}\\nend\\n\", show_diff => {more} }}\n")
        };
        let binary = format!("  file {{ '/d': content => Binary('{secret}', '%s'), show_diff => no }}\n");
        let (one, other, new) = (file("/a", "false"), file("/b", "'No'"), file(secret, "false"));
        format!("class base {{\n{one}{other}{new}{binary}}}\n")
    };
    for (tree, secret) in [("before", "kanarienvogel"), ("after", "/kanarienvogel2")] {
        folder.write(&format!("{tree}/modules/base/manifests/init.pp"), code(secret).as_bytes());
    }
    for format in ["full", "concise", "json", "markdown", "html", "junit", "sarif"] {
        let run = compare(&folder, &["--output-format", format]);
        assert_eq!(run.status, 1, "{format}: {}", run.stderr);
        for shown in ["pw=", "Binary("] {
            assert!(!run.stdout.contains(shown), "{format}: {}", run.stdout);
        }
    }
    let run = compare(&folder, &["--output-format", "json"]);
    assert!(run.stdout.contains("\"withheld\": \"21 bytes, SHA-256 "), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn a_cause_is_the_file_that_links_lead_to() {
    let folder = folder(&[]);
    for tree in ["before", "after"] {
        std::fs::create_dir(folder.path(&format!("{tree}/shared"))).unwrap();
        std::fs::rename(
            folder.path(&format!("{tree}/modules/base")),
            folder.path(&format!("{tree}/shared/base")),
        )
        .unwrap();
        std::os::unix::fs::symlink("../shared/base", folder.path(&format!("{tree}/modules/base"))).unwrap();
    }
    folder.write("after/shared/base/files/motd", b"a\nB\nc\n");
    let run = compare(&folder, &["--output-format", "concise"]);
    assert!(run.stdout.contains("because of shared/base/files/motd:2"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn links_are_followed_or_copied() {
    let folder = folder(&[]);
    let source = "class base {\n  file { '/copied': source => 'puppet:///modules/base/link' }\n  file { '/followed': source => 'puppet:///modules/base/link', links => follow }\n}\n";
    for (tree, target) in [("before", "motd"), ("after", "other")] {
        folder.write(&format!("{tree}/modules/base/manifests/init.pp"), source.as_bytes());
        folder.write(&format!("{tree}/modules/base/files/other"), b"a\nb\nc\n");
        std::os::unix::fs::symlink(target, folder.path(&format!("{tree}/modules/base/files/link"))).unwrap();
    }
    let run = compare(&folder, &["--output-format", "concise"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(
        lines[0].starts_with("3 nodes: ~ File[/copied] content: a link to motd => a link to other (source"),
        "{lines:?}"
    );
    // The text behind it is the same.
    assert_eq!(lines.len(), 2, "{lines:?}");
    // Agents create links with the target as it is written, wherever it leads.
    for target in ["./motd", "../files/motd", "/etc/hostname"] {
        let link = folder.path("after/modules/base/files/link");
        std::fs::remove_file(&link).unwrap();
        std::os::unix::fs::symlink(target, &link).unwrap();
        let run = compare(&folder, &["--output-format", "concise", "--ignore", "File[/followed]"]);
        let expected =
            format!("3 nodes: ~ File[/copied] content: a link to motd => a link to {target} (source");
        assert!(run.stdout.starts_with(&expected), "{}", run.stdout);
    }
    std::fs::remove_file(folder.path("after/modules/base/files/link")).unwrap();
    std::os::unix::fs::symlink("other", folder.path("after/modules/base/files/link")).unwrap();
    folder.write("after/modules/base/files/other", b"a\nb\nd\n");
    let run = compare(&folder, &["--output-format", "concise"]);
    assert!(run.stdout.contains("File[/followed] content: 1 line added, 1 removed"), "{}", run.stdout);
}
