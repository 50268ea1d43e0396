//! `marotte check --fix` and `--diff`.

use crate::support::Folder;

const SLIP: &[u8] = b"user { 'a':\n  ensure = present,\n}\n";
const MENDED: &[u8] = b"user { 'a':\n  ensure => present,\n}\n";

#[test]
fn what_is_safe_is_written_and_the_rest_reported() {
    let folder = Folder::new(&[("a.pp", SLIP), ("b.pp", b"# caf\xe9\n"), ("c.pp", MENDED)]);
    let run = folder.marotte(&["check", "--fix", "--output-format=concise"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert_eq!(run.stderr, "Fixed 1 finding in 1 file\n");
    assert!(run.stdout.starts_with("b.pp:1:6: ") && !run.stdout.contains("a.pp"), "{run:?}");
    assert_eq!(folder.read("a.pp"), MENDED);
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
fn nothing_to_mend_is_an_empty_diff() {
    let folder = Folder::new(&[("c.pp", MENDED)]);
    let run = folder.marotte(&["check", "--diff"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
}
