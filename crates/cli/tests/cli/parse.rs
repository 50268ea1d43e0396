//! `marotte parse`. The expected output for trees was printed by `puppet parser dump`.

use crate::support::Folder;

const JSON: &str = r#"{"^":["=",{"^":["var","a"]},1]}"#;

#[test]
fn notation_is_the_references() {
    let folder = Folder::new(&[("a.pp", b"$a = 1\n")]);
    let stdout = |arguments: &[&str]| folder.marotte(arguments).stdout;
    assert_eq!(stdout(&["parse", "-e", "$a = 1"]), "(= (var \"a\") 1)\n");
    assert_eq!(stdout(&["parse", "-e", "$a = 1", "--format", "json"]), format!("{JSON}\n"));
    assert_eq!(stdout(&["parse", "a.pp", "--format=json"]), format!("{JSON}\n"));
    assert_eq!(folder.marotte_with_input(&["parse"], b"$a = 1").stdout, "(= (var \"a\") 1)\n");
}

#[test]
fn several_files_are_told_apart() {
    let folder = Folder::new(&[("a.pp", b"$a = 1\n"), ("b.pp", b"$a = 1\n")]);
    let pn = folder.marotte(&["parse", "a.pp", "b.pp"]).stdout;
    assert_eq!(pn, "--- a.pp(= (var \"a\") 1)\n--- b.pp(= (var \"a\") 1)\n");
    let json = folder.marotte(&["parse", "a.pp", "b.pp", "--format=json"]).stdout;
    assert_eq!(json, format!("{JSON}\n{JSON}\n"));
}

#[test]
fn templates_are_known_by_their_name_or_by_a_flag() {
    let folder = Folder::new(&[("a.epp", b"<%= 1 %>")]);
    let file = folder.marotte(&["parse", "a.epp"]);
    let flag = folder.marotte(&["parse", "--epp", "-e", "<%= 1 %>"]);
    assert_eq!((file.status, &file.stdout), (0, &flag.stdout), "{file:?}");
    assert!(file.stdout.contains("render"), "{file:?}");
}

#[test]
fn the_tree_has_places() {
    let run = Folder::new(&[]).marotte(&["parse", "-e", "$a = [1,\n2]", "--format=tree"]);
    let expected = "\
'=' expression  1:1-2:3  $a = [1,…
  Variable  1:1-1:3  $a
  Array Expression  1:6-2:3  [1,…
    Literal Integer  1:7-1:8  1
    Literal Integer  2:1-2:2  2
";
    let lines: Vec<_> = run.stdout.lines().skip(1).collect();
    assert_eq!(lines, expected.lines().skip(1).collect::<Vec<_>>(), "{run:?}");
    assert!(run.stdout.lines().next().unwrap().ends_with("  1:1-2:3  $a = [1,…"), "{run:?}");
}

#[test]
fn errors_take_the_place_of_the_tree() {
    let folder = Folder::new(&[]);
    let run = folder.marotte(&["parse", "-e", "$a = 08"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.starts_with("error[invalid-octal-number]: "), "{run:?}");
    let both = folder.marotte(&["parse", "--no-validate", "-e", "$a = 08"]);
    assert_eq!((both.status, both.stderr), (1, run.stderr));
    assert!(both.stdout.starts_with("(= (var \"a\")"), "{}", both.stdout);
}

#[test]
fn what_cannot_be_read_is_wrong_usage() {
    let folder = Folder::new(&[("latin.pp", b"\xe9")]);
    assert_eq!(folder.marotte(&["parse", "missing.pp"]).status, 2);
    let run = folder.marotte(&["parse", "latin.pp"]);
    assert_eq!(run.stderr, "error: latin.pp is not UTF-8: the byte at offset 0 cannot appear there\n");
}
