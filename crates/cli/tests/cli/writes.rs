//! Files beside the code that are read and written: those that the tree names are in the tree, those that the user names anywhere.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;

use crate::support::{Folder, Run};

/// A text that occurs only in files outside of the tree.
const CANARY: &str = "kanarienvogel";

const FAULTY: &[u8] = b"$a = { 'x' => 1, 'x' => 2 }\nnotice($a)\n";

/// A tree with a finding, and a folder next to it with a file.
fn folder() -> Folder {
    Folder::new(&[("tree/manifests/site.pp", FAULTY), ("outside/file", CANARY.as_bytes())])
}

fn link(folder: &Folder, path: &str, target: &str) {
    symlink(target, folder.path(path)).unwrap();
}

/// Runs marotte in the tree.
fn within(folder: &Folder, arguments: &[&str]) -> Run {
    let output = folder.command(arguments).current_dir(folder.path("tree")).stdin(Stdio::null()).output();
    let output = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { status: output.status.code().unwrap(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Asserts that a run is refused with a message that has these parts, and quotes nothing from outside.
fn refused(run: &Run, parts: &[&str]) {
    assert_eq!(run.status, 2, "{run:?}");
    assert!(parts.iter().all(|it| run.stderr.contains(it)), "{parts:?} {run:?}");
    assert!(!run.stdout.contains(CANARY) && !run.stderr.contains(CANARY), "{run:?}");
}

#[test]
fn a_tree_has_no_baseline_written_outside_of_it() {
    let folder = folder();
    folder.write("tree/marotte.toml", b"baseline = '../outside/new.json'\n");
    let option = format!("`--baseline {}` names it", folder.path("outside/new.json"));
    refused(&within(&folder, &["check", "--write-baseline"]), &["is outside of the tree", &option]);
    assert_eq!(folder.names("outside"), ["file"]);

    // A file that is there, and one that a link leads to, even if the user names the link.
    folder.write("outside/old.json", b"{\"version\": 1, \"findings\": []}");
    link(&folder, "tree/known.json", "../outside/old.json");
    let option = format!("`--baseline {}` names it", folder.path("outside/old.json"));
    for setting in ["../outside/old.json", "known.json"] {
        folder.write("tree/marotte.toml", format!("baseline = '{setting}'\n").as_bytes());
        refused(&within(&folder, &["check", "--write-baseline"]), &["is outside of the tree", &option]);
    }
    let run = within(&folder, &["check", "--write-baseline", "--baseline=known.json"]);
    refused(&run, &["known.json leads to ", &option]);
    assert_eq!(folder.read("outside/old.json"), b"{\"version\": 1, \"findings\": []}");
}

#[test]
fn a_baseline_is_written_where_the_user_names_it() {
    let folder = folder();
    folder.write("tree/marotte.toml", b"baseline = '../outside/tree.json'\n");
    folder.write("ci/marotte.toml", b"baseline = '../outside/config.json'\n");
    for (option, file) in [
        ("--baseline=../outside/option.json", "outside/option.json"),
        ("--config=../ci/marotte.toml", "outside/config.json"),
    ] {
        let run = within(&folder, &["check", "--write-baseline", option]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(String::from_utf8(folder.read(file)).unwrap().contains("duplicate-key"), "{run:?}");
        assert_eq!(within(&folder, &["check", option]).status, 0);
    }
    // The configuration above the checked path is the user's tree, too, and a link within the tree is followed.
    folder.write("tree/ci/old.json", b"{\"version\": 1, \"findings\": []}");
    link(&folder, "tree/known.json", "ci/old.json");
    folder.write("tree/marotte.toml", b"baseline = 'known.json'\n");
    let run = within(&folder, &["check", "--write-baseline", "manifests/site.pp"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(String::from_utf8(folder.read("tree/ci/old.json")).unwrap().contains("duplicate-key"));
}

#[test]
fn a_baseline_outside_is_used_and_not_quoted() {
    let folder = folder();
    folder.write("outside/odd.json", format!("{{\"{CANARY}\": 1}}").as_bytes());
    folder.write("outside/text.json", format!("\"{CANARY}\"").as_bytes());
    for target in ["odd.json", "text.json"] {
        let name = format!("tree/{target}");
        link(&folder, &name, &format!("../outside/{target}"));
        for setting in [target.to_owned(), format!("../outside/{target}")] {
            folder.write("tree/marotte.toml", format!("baseline = '{setting}'\n").as_bytes());
            refused(&within(&folder, &["check"]), &["is outside of the tree, and not a baseline"]);
        }
        let option = format!("--baseline={target}");
        let run = within(&folder, &["check", "--untrusted", &option]);
        refused(&run, &["leads to", "is outside of the tree, and not a baseline"]);
    }
    // What the user names, and what is in the tree, is quoted.
    let run = within(&folder, &["check", "--baseline=../outside/odd.json"]);
    assert!(run.status == 2 && run.stderr.contains(CANARY), "{run:?}");
    folder.write("tree/own.json", b"{\"unheard\": 1}");
    folder.write("tree/marotte.toml", b"baseline = 'own.json'\n");
    let run = within(&folder, &["check"]);
    assert!(run.status == 2 && run.stderr.contains("unheard"), "{run:?}");

    let run = within(&folder, &["check", "--write-baseline", "--baseline=../outside/known.json"]);
    assert_eq!(run.status, 0, "{run:?}");
    folder.write("tree/marotte.toml", b"baseline = '../outside/known.json'\n");
    let run = within(&folder, &["check"]);
    assert!(run.status == 0 && run.stdout.contains("1 of the baseline"), "{run:?}");
}

#[test]
fn a_migration_stays_in_the_tree() {
    let folder = folder();
    folder.write("tree/.puppet-lint.rc", b"--no-140chars-check\n");
    let migrate = |more: &[&str]| within(&folder, &[&["migrate", "puppet-lint"], more].concat());
    for target in ["../outside/file", "../outside/new.toml"] {
        link(&folder, "tree/marotte.toml", target);
        let parts = ["tree/marotte.toml leads to ", "is outside of the tree", "`--stdout` shows"];
        refused(&migrate(&["--overwrite"]), &parts);
        refused(&migrate(&[]), &parts);
        assert_eq!(migrate(&["--stdout"]).status, 0);
        fs::remove_file(folder.path("tree/marotte.toml")).unwrap();
    }
    assert_eq!(folder.names("outside"), ["file"]);
    assert_eq!(folder.read("outside/file"), CANARY.as_bytes());

    for name in [".puppet-lint.rc", "Rakefile"] {
        folder.write("outside/options", format!("--{CANARY}\nPuppetLint.{CANARY}\n").as_bytes());
        let _ = fs::remove_file(folder.path(&format!("tree/{name}")));
        link(&folder, &format!("tree/{name}"), "../outside/options");
        let parts = [name, "/outside/options, which is outside of the tree, and not read"];
        refused(&migrate(&["--stdout"]), &parts);
        refused(&migrate(&[]), &parts);
        fs::remove_file(folder.path(&format!("tree/{name}"))).unwrap();
    }
    // A link within the tree.
    folder.write("tree/lint/options", b"--no-140chars-check\n");
    link(&folder, "tree/.puppet-lint.rc", "lint/options");
    assert_eq!(migrate(&[]).status, 0);
}

#[test]
fn a_record_is_written_where_the_user_names_it() {
    let folder = folder();
    folder.write("tree/environment.conf", b"");
    folder.write("tree/hiera.yaml", b"version: 5\nhierarchy:\n  - {name: own, path: common.yaml}\n");
    folder.write("tree/data/common.yaml", b"key: own\n");
    folder.write("tree/manifests/site.pp", b"notify { 'a': }\n");
    let outside = folder.path("outside/record.json");
    for command in
        [&["eval", "-e", "notice(1)"][..], &["lookup", "key"], &["compile", "--environment-dir", "."]]
    {
        let recorded = |file: &str| within(&folder, &[command, &["--record", file]].concat());
        for (file, path) in [(outside.as_str(), "outside/record.json"), ("own.json", "tree/own.json")] {
            let run = recorded(file);
            assert_eq!(run.status, 0, "{run:?}");
            assert!(String::from_utf8(folder.read(path)).unwrap().contains("\"version\": 1"));
            fs::remove_file(folder.path(path)).unwrap();
        }
        // A link of the tree is not followed out of it.
        link(&folder, "tree/link.json", "../outside/file");
        let option = format!("`--record {}` names it", folder.path("outside/file"));
        refused(&recorded("link.json"), &["link.json leads to ", "is outside of the tree", &option]);
        assert_eq!(folder.read("outside/file"), CANARY.as_bytes());
        fs::remove_file(folder.path("tree/link.json")).unwrap();
    }
    // Without an environment.
    let alone = Folder::new(&[]);
    let run = alone.marotte(&["eval", "-e", "notice(1)", "--record", "r.json"]);
    assert_eq!((run.status, alone.names("")), (0, vec!["r.json".to_owned()]), "{run:?}");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error() {
    let slip = b"user { 'a':\n  ensure = present,\n}\n".repeat(200);
    let folder = Folder::new(&[("a.pp", &slip)]);
    let marotte = folder.command(&[]).get_program().to_owned();
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 1; exec \"$0\" check --fix a.pp"]).arg(marotte);
    let output = limited.current_dir(folder.path("")).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("cannot write ") && told.contains("too large"), "{told}");
    assert_eq!((folder.names(""), folder.read("a.pp")), (vec!["a.pp".to_owned()], slip));
}
