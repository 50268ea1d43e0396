//! `marotte check --fix` and `--diff`.

use crate::support::Folder;

const SLIP: &[u8] = b"user { 'a':\n  ensure = present,\n}\n";
const FIXED: &[u8] = b"user { 'a':\n  ensure => present,\n}\n";

#[test]
fn what_is_safe_is_written_and_the_rest_reported() {
    let folder = Folder::new(&[("a.pp", SLIP), ("b.pp", b"# caf\xe9\n"), ("c.pp", FIXED)]);
    let run = folder.marotte(&["check", "--fix", "--output-format=concise"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.stderr, "Fixed 1 finding in 1 file\n");
    assert!(run.stdout.starts_with("b.pp:1:6: ") && !run.stdout.contains("a.pp"), "{run:?}");
    assert_eq!(folder.read("a.pp"), FIXED);
    assert_eq!(folder.read("b.pp"), b"# caf\xe9\n");
}

#[test]
fn a_diff_is_printed_and_nothing_written() {
    let folder = Folder::new(&[("a.pp", SLIP)]);
    let run = folder.marotte(&["check", "--diff"]);
    let expected = "\
--- a.pp
+++ a.pp
@@ -1,3 +1,3 @@
 user { 'a':
-  ensure = present,
+  ensure => present,
 }
";
    assert_eq!((run.status, run.stdout.as_str()), (1, expected));
    assert_eq!(folder.read("a.pp"), SLIP);
    let stdin = folder.marotte_with_input(&["check", "--diff", "-", "--stdin-filename=a.pp"], SLIP);
    assert_eq!(stdin.stdout, expected);
}

#[test]
fn nothing_to_fix_is_an_empty_diff() {
    let folder = Folder::new(&[("c.pp", FIXED)]);
    let run = folder.marotte(&["check", "--diff"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}

#[test]
fn what_may_not_be_meant_is_changed_only_if_asked_for() {
    let folder = Folder::new(&[("a.pp", b"notice(0888)\n")]);
    assert_eq!(folder.marotte(&["check", "--diff"]).stdout, "");
    assert!(folder.marotte(&["check", "--diff", "--unsafe-fixes"]).stdout.contains("\n+notice(888)\n"));
    assert_eq!(folder.marotte(&["check", "--fix", "--unsafe-fixes"]).status, 0);
    assert_eq!(folder.read("a.pp"), b"notice(888)\n");
}

#[test]
fn comments_that_silence_nothing_are_removed() {
    let folder = Folder::new(&[("a.pp", b"notice(1)  # lint:ignore:duplicate-key why\n")]);
    assert_eq!(folder.marotte(&["check", "--fix", "-q"]).status, 0);
    assert_eq!(folder.read("a.pp"), b"notice(1)\n");
}

#[test]
fn fixes_that_were_not_made_are_told() {
    let text = b"notice($::osfamily, $osfamily, $::memoryfree, $::memoryfree_mb)\n";
    let folder = Folder::new(&[("a.pp", text)]);
    let run = folder.marotte(&["check", "--fix"]);
    assert_eq!(
        folder.read("a.pp"),
        b"notice($facts['os']['family'], $osfamily, $::memoryfree, $::memoryfree_mb)\n",
        "{run:?}"
    );
    let told =
        "Fixed 1 finding in 1 file\n2 findings have fixes that need `--unsafe-fixes`: legacy-fact (2)\n";
    assert_eq!(run.stderr, told);
    let run = folder.marotte(&["check", "--fix", "--unsafe-fixes"]);
    assert_eq!((run.status, run.stderr.as_str()), (1, "Fixed 2 findings in 1 file\n"), "{run:?}");
    // The free memory in bytes is not the one in megabytes.
    let fixed = String::from_utf8(folder.read("a.pp")).unwrap_or_default();
    assert!(fixed.ends_with("$facts['memory']['system']['available'], $::memoryfree_mb)\n"), "{fixed}");
}

#[test]
fn a_template_in_another_encoding_is_checked_and_not_changed() {
    const TEMPLATE: &[u8] = b"caf\xe9 <%= @osfamily %>\n";
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("modules/m/manifests/init.pp", b"class m { }\n"),
        ("modules/m/templates/t.erb", TEMPLATE),
    ]);
    let checked = folder.marotte(&["check", "--output-format=concise", "--unsafe-fixes"]);
    assert!(checked.stdout.contains("t.erb:1:10: warning[legacy-fact]"), "{checked:?}");
    assert!(checked.stdout.ends_with(": 2 warnings\n"), "{checked:?}");
    let diff = folder.marotte(&["check", "--diff", "--unsafe-fixes"]);
    assert_eq!(diff.stdout.matches("@facts").count(), 0, "{diff:?}");
    let run = folder.marotte(&["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(folder.read("modules/m/templates/t.erb"), TEMPLATE);
}

#[test]
fn files_around_a_loose_one_do_not_hide_its_fixes() {
    let loose =
        b"class a {\n  $b = \"x\"\n  file { '/a':\n    mode => '644',\n  }\n  notice($::osfamily, $b)\n}\n";
    // The words of these titles and texts are in the other file.
    let around = b"# replace with: use '0644' and $facts['os']['family'] instead\n";
    let folder = Folder::new(&[("a.pp", loose), ("around/b.pp", around)]);
    let run = folder.marotte(&["check", "--warn=needless-double-quotes,file-mode", "--fix", "a.pp"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(
        String::from_utf8_lossy(&folder.read("a.pp")),
        "class a {\n  $b = 'x'\n  file { '/a':\n    mode => '0644',\n  }\n  notice($facts['os']['family'], $b)\n}\n"
    );
}
