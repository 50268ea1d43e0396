//! `marotte check --baseline` and `--write-baseline`.

use crate::support::{Folder, Run};

const OLD: &[u8] = b"$a = { 'x' => 1, 'x' => 2 }\nnotice($a, 0888)\n";
/// The same findings further down, and a new one.
const LATER: &[u8] = b"# a comment\n\n$a = { 'x' => 1, 'x' => 2 }\nnotice($a, 0888)\n$b = { 'y' => 1, 'y' => 2 }\nnotice($b)\n";

fn concise(folder: &Folder, more: &[&str]) -> Run {
    folder.marotte(&[&["check", "--output-format=concise", "--baseline=known.json"], more].concat())
}

#[test]
fn an_old_tree_starts_at_none_and_new_findings_are_told() {
    let folder = Folder::new(&[("a.pp", OLD)]);
    let run = concise(&folder, &["--write-baseline"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(run.stderr, format!("Listed 2 findings in {}\n", folder.path("known.json")));
    assert!(run.stdout.ends_with(": nothing found, and 2 of the baseline\n"), "{run:?}");

    folder.write("a.pp", LATER);
    let run = concise(&folder, &[]);
    assert_eq!(run.status, 1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("a.pp:5:18: error[duplicate-key]"), "{run:?}");
    assert!(lines[1].ends_with(": 1 error, and 2 of the baseline"), "{run:?}");
    assert_eq!(lines.len(), 2);
}

#[test]
fn fixed_findings_can_be_removed() {
    let folder = Folder::new(&[("a.pp", OLD), ("sub/b.pp", OLD)]);
    concise(&folder, &["--write-baseline"]);
    folder.write("a.pp", b"notice(1)\n");
    let run = concise(&folder, &[]);
    assert_eq!(run.status, 0);
    let told = "2 findings of the baseline no longer there: `--write-baseline` shortens it\n";
    assert!(run.stdout.ends_with(told), "{run:?}");

    // The findings of files that are not checked are kept.
    let run = concise(&folder, &["--write-baseline", "a.pp"]);
    assert!(
        run.stderr.starts_with("Listed 2 findings") && run.stderr.ends_with(", 2 fewer than before\n"),
        "{run:?}"
    );
    assert!(concise(&folder, &[]).stdout.ends_with(": nothing found, and 2 of the baseline\n"));
}

#[test]
fn known_findings_are_fixed_too() {
    let folder = Folder::new(&[("a.pp", b"user { 'a':\n  ensure = present,\n}\n")]);
    concise(&folder, &["--write-baseline"]);
    let run = concise(&folder, &["--fix"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, "Fixed 1 finding in 1 file\n"));
}

#[test]
fn a_configuration_names_the_baseline_from_where_it_stands() {
    let folder =
        Folder::new(&[("a.pp", OLD), ("marotte.toml", b"baseline = 'ci/known.json'\n"), ("ci/x.txt", b"")]);
    assert_eq!(folder.marotte(&["check", "--write-baseline"]).status, 0);
    assert!(String::from_utf8(folder.read("ci/known.json")).unwrap().contains("\"path\": \"../a.pp\""));
    assert_eq!(folder.marotte(&["check", "a.pp"]).status, 0);
}

#[test]
fn what_is_no_baseline_is_refused() {
    let folder = Folder::new(&[("a.pp", OLD), ("odd.json", b"[]")]);
    let error = |arguments: &[&str]| {
        let run = folder.marotte(&[&["check"], arguments].concat());
        assert_eq!(run.status, 2);
        run.stderr.replace(&folder.path(""), "")
    };
    assert_eq!(
        error(&["--baseline=known.json"]),
        "error: there is no known.json; `--write-baseline` makes it\n"
    );
    assert!(error(&["--baseline=odd.json"]).starts_with("error: odd.json is not a baseline: "));
    assert_eq!(
        error(&["--write-baseline"]),
        "error: `--write-baseline` needs `--baseline FILE`, the file that it writes\n"
    );
}
