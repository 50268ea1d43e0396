//! `marotte migrate`, and the groups of rules for users of puppet-lint.

use crate::support::Folder;

const RC: &[u8] =
    b"--no-140chars-check\n--only-checks=star_comments,double_quoted_strings\n--with-filename\n";

#[test]
fn a_configuration_is_made_and_says_the_same() {
    let folder =
        Folder::new(&[(".puppet-lint.rc", RC), ("a.pp", b"/* a */\nnotice(\"b\")\n$c = ''\nnotice($c)\n")]);
    let run = folder.marotte(&["migrate", "puppet-lint"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{run:?}");
    let expected = "# Made of .puppet-lint.rc by `marotte migrate puppet-lint`.\nwarn = [\n    \"needless-double-quotes\",\n    \"star-comment\",\n]\n";
    assert_eq!(String::from_utf8(folder.read("marotte.toml")).unwrap(), expected);
    let checked = folder.marotte(&["check", "--output-format=concise"]);
    assert_eq!(checked.status, 1, "{checked:?}");
    assert_eq!(checked.stdout.matches("warning[").count(), 2, "{checked:?}");
}

#[test]
fn what_is_there_is_not_replaced_unasked() {
    let folder = Folder::new(&[(".puppet-lint.rc", RC), ("marotte.toml", b"quiet = true\n")]);
    let run = folder.marotte(&["migrate", "puppet-lint"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert!(run.stderr.contains("`--overwrite` replaces it"), "{run:?}");
    assert_eq!(folder.read("marotte.toml"), b"quiet = true\n");
    let shown = folder.marotte(&["migrate", "puppet-lint", "--stdout"]);
    assert!(shown.stdout.contains("star-comment"), "{shown:?}");
    assert_eq!(folder.read("marotte.toml"), b"quiet = true\n");
    assert_eq!(folder.marotte(&["migrate", "puppet-lint", "--overwrite"]).status, 0);
    assert!(folder.read("marotte.toml").starts_with(b"# Made of"));
}

#[test]
fn nothing_to_migrate_is_an_error() {
    let run = Folder::new(&[]).marotte(&["migrate", "puppet-lint"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("neither a .puppet-lint.rc nor a Rakefile"), "{run:?}");
}

#[test]
fn style_is_off_unless_it_is_asked_for_and_names_of_checks_silence_it() {
    let text = b"/* a */\n/* b */ # lint:ignore:star_comments\n";
    let folder = Folder::new(&[("a.pp", text)]);
    assert_eq!(folder.marotte(&["check"]).status, 0);
    let run = folder.marotte(&["check", "--warn=puppet-lint", "--output-format=concise"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.starts_with("a.pp:1:1: warning[star-comment]"), "{run:?}");
    assert_eq!(run.stdout.matches("warning[").count(), 1, "{run:?}");
    let run = folder.marotte(&["check", "--fix", "--select=style"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(folder.read("a.pp").starts_with(b"# a\n"), "{run:?}");
}
