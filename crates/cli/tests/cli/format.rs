//! `marotte format`.

use crate::support::Folder;

const LOOSE: &[u8] = b"file{'/a':ensure=>file}\n";
const NEAT: &[u8] = b"file { '/a':\n  ensure => file,\n}\n";

#[test]
fn files_are_written_and_counted() {
    let folder =
        Folder::new(&[("a.pp", LOOSE), ("b.pp", NEAT), ("c.epp", b"<%=$a%>\n"), ("d.yaml", b"a:   1\n")]);
    let run = folder.marotte(&["format"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "2 files reformatted, 1 file left unchanged\n"));
    assert_eq!(folder.read("a.pp"), NEAT);
    assert_eq!(folder.read("c.epp"), b"<%= $a %>\n");
    assert_eq!(folder.read("d.yaml"), b"a:   1\n");
    let again = folder.marotte(&["format", "--check"]);
    assert_eq!((again.status, again.stdout.as_str()), (0, "3 files already formatted\n"));
}

#[test]
fn to_format_nothing_fails_unless_that_is_allowed() {
    let folder = Folder::new(&[("data/a.yaml", b"a: 1\n")]);
    for option in ["--quiet", "--check", "--diff"] {
        let run = folder.marotte(&["format", "data", option]);
        assert_eq!(run.status, 2, "{run:?}");
        assert!(run.stderr.starts_with("error: nothing was formatted: there is no manifest"), "{run:?}");
    }
    assert_eq!(folder.marotte(&["format", "data", "--check", "--allow-empty"]).status, 0);
}

#[test]
fn check_writes_nothing() {
    let folder = Folder::new(&[("a.pp", LOOSE), ("b.pp", NEAT)]);
    let run = folder.marotte(&["format", "--check", "a.pp", "b.pp"]);
    let told = "Would reformat: a.pp\n1 file would be reformatted, 1 file already formatted\n";
    assert_eq!((run.status, run.stdout.as_str()), (1, told));
    assert_eq!(folder.read("a.pp"), LOOSE);
    let quiet = folder.marotte(&["format", "--check", "--quiet"]);
    assert_eq!((quiet.status, quiet.stdout.as_str()), (1, ""));
}

#[test]
fn a_difference_is_printed() {
    let folder = Folder::new(&[("a.pp", LOOSE)]);
    let run = folder.marotte(&["format", "--diff"]);
    let expected = "--- a.pp\n+++ a.pp\n@@ -1 +1,3 @@\n-file{'/a':ensure=>file}\n+file { '/a':\n+  ensure => file,\n+}\n";
    assert_eq!((run.status, run.stdout.as_str()), (1, expected));
    assert_eq!(folder.read("a.pp"), LOOSE);
}

#[test]
fn what_cannot_be_read_is_left_and_told() {
    let folder = Folder::new(&[("a.pp", LOOSE), ("bad.pp", b"$x = \n"), ("latin.pp", b"# caf\xe9\n")]);
    let run = folder.marotte(&["format"]);
    assert_eq!(run.status, 2, "{run:?}");
    assert_eq!(run.stdout, "1 file reformatted, 2 files not formatted\n");
    assert!(run.stderr.starts_with("bad.pp:1:"), "{run:?}");
    assert!(run.stderr.contains("error: latin.pp is not formatted: it is not UTF-8"), "{run:?}");
    assert_eq!(folder.read("bad.pp"), b"$x = \n");
    assert_eq!(folder.read("a.pp"), NEAT);
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new(&[]);
    let run = folder.marotte_with_input(&["format", "-"], LOOSE);
    assert_eq!((run.status, run.stdout.as_bytes(), run.stderr.as_str()), (0, NEAT, ""));
    let template = folder.marotte_with_input(&["format", "-", "--stdin-filename", "a/b.epp"], b"<%=$a%>");
    assert_eq!(template.stdout, "<%= $a %>");
    let check = folder.marotte_with_input(&["format", "-", "--check"], NEAT);
    assert_eq!((check.status, check.stdout.as_str()), (0, ""));
    let bad = folder.marotte_with_input(&["format", "-"], b"class {");
    assert_eq!((bad.status, bad.stdout.as_str()), (2, ""));
    assert_eq!(folder.marotte_with_input(&["format", "-", "x.pp"], LOOSE).status, 2);
    assert_eq!(folder.marotte(&["format", "--stdin-filename", "a.pp", "."]).status, 2);
}

#[test]
fn a_range_is_about_one_file() {
    let folder = Folder::new(&[("a.pp", b"$a=1\n\n$b=2\n"), ("b.pp", b"")]);
    assert_eq!(folder.marotte(&["format", "--range", "3-3", "a.pp"]).status, 0);
    assert_eq!(folder.read("a.pp"), b"$a=1\n\n$b = 2\n");
    assert_eq!(folder.marotte(&["format", "--range", "3-3"]).status, 2);
    assert_eq!(folder.marotte(&["format", "--range", "3-1", "a.pp"]).status, 2);
}

#[test]
fn settings_come_from_files_and_flags() {
    const CALL: &[u8] = b"$a = f('bbbbbbbbbb', 'cccccccccc')\n";
    let folder = Folder::new(&[
        ("editor/.editorconfig", b"root = true\n[*.pp]\nindent_size = 4\nmax_line_length = 20\n"),
        ("editor/a.pp", CALL),
        ("toml/marotte.toml", b"[format]\nline-width = 20\n"),
        ("toml/a.pp", CALL),
    ]);
    let broken = |blanks: &str| format!("$a = f(\n{blanks}'bbbbbbbbbb',\n{blanks}'cccccccccc'\n)\n");
    assert_eq!(folder.marotte(&["format", "--line-width", "80", "editor", "toml"]).status, 0);
    assert_eq!((folder.read("editor/a.pp"), folder.read("toml/a.pp")), (CALL.to_vec(), CALL.to_vec()));
    assert_eq!(folder.marotte(&["format", "editor"]).status, 0);
    assert_eq!(folder.marotte(&["format", "toml"]).status, 0);
    assert_eq!(folder.read("editor/a.pp"), broken("    ").as_bytes());
    assert_eq!(folder.read("toml/a.pp"), broken("  ").as_bytes());
}

#[test]
fn what_git_ignores_is_left_out() {
    let folder = Folder::new(&[(".gitignore", b"vendor\n"), ("vendor/a.pp", LOOSE), ("b.pp", NEAT)]);
    assert_eq!(folder.marotte(&["format", "--check"]).status, 0);
    assert_eq!(folder.marotte(&["format", "--check", "--no-ignore"]).status, 1);
}

/// A tree with links to a folder, a manifest, a file with errors and one of another kind next to it.
#[cfg(unix)]
fn linked() -> Folder {
    let folder = Folder::new(&[
        ("inside/a.pp", NEAT),
        ("outside/m/loose_name.pp", b"$kanarienvogel=1\n"),
        ("outside/neat.pp", NEAT),
        ("outside/broken.pp", b"kanarienvogel secret = \n"),
        ("outside/key", b"# x\n$kanarienvogel=1\n"),
    ]);
    for (link, target) in
        [("folder", "m"), ("neat.pp", "neat.pp"), ("broken.pp", "broken.pp"), ("key.epp", "key")]
    {
        let target = format!("../outside/{target}");
        std::os::unix::fs::symlink(target, folder.path(&format!("inside/{link}"))).unwrap();
    }
    folder
}

#[cfg(unix)]
#[test]
fn nothing_is_shown_or_written_of_what_links_lead_to() {
    for arguments in [&["format"][..], &["format", "--check"], &["format", "--diff"], &["format", "--quiet"]]
    {
        let folder = linked();
        let run = folder.marotte(&[arguments, &["inside"]].concat());
        assert_eq!(run.status, 2, "{run:?}");
        let told = "error: 3 files not formatted: symbolic links lead out of what is to be formatted (inside/broken.pp, inside/folder, inside/key.epp)\n";
        assert!(run.stderr.starts_with(told), "{run:?}");
        for name in ["kanarienvogel", "loose_name"] {
            assert!(!run.stdout.contains(name) && !run.stderr.contains(name), "{run:?}");
        }
        assert_eq!(folder.read("outside/m/loose_name.pp"), b"$kanarienvogel=1\n");
    }
    let run = linked().marotte(&["format", "inside"]);
    assert_eq!(run.stdout, "2 files left unchanged, 3 files not formatted\n");
}

#[cfg(unix)]
#[test]
fn links_to_formatted_files_are_no_error() {
    let folder = Folder::new(&[("inside/a.pp", NEAT), ("outside/b.pp", NEAT)]);
    std::os::unix::fs::symlink("../outside", folder.path("inside/link")).unwrap();
    let run = folder.marotte(&["format", "--check", "inside"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "2 files already formatted\n"), "{run:?}");
}

#[cfg(unix)]
#[test]
fn a_link_that_is_named_is_followed() {
    let folder = Folder::new(&[("outside/key", LOOSE), ("inside/a.pp", NEAT)]);
    std::os::unix::fs::symlink("../outside/key", folder.path("inside/key.pp")).unwrap();
    let run = folder.marotte(&["format", "--diff", "inside/key.pp"]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stdout.contains("+  ensure => file,"), "{run:?}");
    assert_eq!(folder.marotte(&["format", "inside/key.pp"]).status, 0);
    assert_eq!(folder.read("outside/key"), NEAT);
}

#[cfg(target_os = "linux")]
#[test]
fn a_formatted_text_controls_no_terminal() {
    let formatted = "$a = 'x\u{1b}]0;no\u{7}\u{9b}2J'\n";
    // It is changed, or left as it is.
    for text in [&formatted.replace(" = ", "="), formatted] {
        let folder = Folder::new(&[("input", text.as_bytes())]);
        let run = folder.marotte_with_input(&["format", "-"], text.as_bytes());
        assert_eq!((run.status, run.stdout.as_str()), (0, formatted));

        // `script` runs a command on a terminal of its own.
        let marotte = folder.command(&[]).get_program().to_str().unwrap().to_owned();
        let output = std::process::Command::new("script")
            .args(["--quiet", "--return", "--command", &format!("'{marotte}' format - <input"), "/dev/null"])
            .current_dir(folder.path(""))
            .stdin(std::process::Stdio::null())
            .output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "$a = 'x␛]0;no␇<U+009B>2J'\r\n");
    }
}

#[test]
fn a_path_that_does_not_exist_is_an_error() {
    let run = Folder::new(&[]).marotte(&["format", "none"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("there is no file or folder"), "{run:?}");
}
