//! External node classifiers: commands that the user names, and their recorded output.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Instant;

use crate::support::{Folder, Run};

const FILES: [(&str, &[u8]); 4] = [
    ("manifests/site.pp", b"class role($of = 'none') { notify { \"${of} ${level} ${environment}\": } }\n"),
    ("facts/a.yaml", b"kernel: Linux\n"),
    ("facts/b.yaml", b"kernel: Linux\n"),
    ("modules/none", b""),
];

/// A folder with a script that classifies nodes.
fn folder(script: &str) -> Folder {
    let folder = Folder::new(&FILES);
    folder.write("enc.sh", format!("#!/bin/sh\necho \"$@\" >> asked\n{script}\n").as_bytes());
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("enc.sh"), permissions).unwrap();
    folder
}

fn compiled(folder: &Folder, options: &[&str]) -> Run {
    folder
        .marotte(&[&["compile", "--all", "--environment-dir", ".", "--facts-dir", "facts"], options].concat())
}

/// Prints a class with a parameter, for the node that is the last argument.
const SCRIPT: &str =
    "shift $(($# - 1)); echo \"{classes: {role: {of: of-$1}}, parameters: {level: 3}, environment: test}\"";

#[test]
fn each_node_is_classified_once() {
    let folder = folder(SCRIPT);
    let run = compiled(&folder, &["--enc", "./enc.sh --some thing"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for name in ["a", "b"] {
        assert!(run.stdout.contains(&format!("{name} (test)")), "{}", run.stdout);
        assert!(run.stdout.contains(&format!("Notify[of-{name} 3 test]")), "{}", run.stdout);
    }
    let mut asked: Vec<String> =
        String::from_utf8(folder.read("asked")).unwrap().lines().map(str::to_owned).collect();
    asked.sort();
    assert_eq!(asked, ["--some thing a", "--some thing b"]);

    // Both sides of a comparison get the same answer.
    let command = ["impact", "--from", ".", "--to", ".", "--facts-dir", "facts", "--enc", "./enc.sh"];
    let run = folder.marotte(&command);
    assert_eq!((run.status, run.stdout.lines().last()), (0, Some("2 nodes: 2 unchanged")), "{}", run.stderr);
    assert_eq!(folder.read("asked").iter().filter(|it| **it == b'\n').count(), 4);

    // A part asks for its own nodes.
    for (shard, file, asked) in [("1/2", "part-1", "a\n"), ("2/2", "part-2", "b\n")] {
        // It is a file of both trees, which must be the same for all parts.
        folder.write("asked", b"");
        let part = folder.marotte(&[&command[..], &["--shard", shard, "--output", file]].concat());
        assert_eq!(part.status, 0, "{}", part.stderr);
        assert_eq!(String::from_utf8(folder.read("asked")).unwrap(), asked);
    }
    let merged = folder.marotte(&["impact", "--merge", "part-1", "part-2"]);
    assert_eq!((merged.status, merged.stdout), (run.status, run.stdout), "{}", merged.stderr);
}

#[test]
fn recorded_output_may_be_in_a_folder() {
    let folder = folder("");
    folder.write("enc/a.yaml", b"classes: [role]\nparameters: {level: 1}\n");
    let run = compiled(&folder, &["--enc-output", "enc"]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("Notify[none 1 production]"), "{}", run.stdout);
    assert!(run.stderr.contains("there is no output of a classifier for b in enc"), "{}", run.stderr);
    folder.write("enc/b.yml", b"classes: [role]\nparameters: {level: 2}\n");
    let run = compiled(&folder, &["--enc-output", "enc"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Notify[none 2 production]"), "{}", run.stdout);
    folder.write("enc/b.json", b"{\"classes\": [\"b\"]}");
    let run = folder.marotte(&["compile", "b", "--facts-dir", "facts", "--enc-output", "enc"]);
    assert!(run.stderr.contains("both enc/b.yml and enc/b.json have classes of b"), "{}", run.stderr);
}

#[test]
fn what_a_classifier_does_wrong_is_told() {
    for (script, said) in [
        ("echo broken >&2; exit 3", "`{}` does not classify a: it ended with exit status: 3: broken"),
        ("exit 0", "`{}` does not know a: it printed nothing"),
        ("echo '['", "`{}` does not classify a: its output is not YAML: "),
        ("echo '- a'", "`{}` does not classify a: its output must be a hash, and is "),
        (
            "echo 'classes: 3'",
            "`{}` does not classify a: its output is wrong: `classes` is an array or a hash",
        ),
        ("printf '\\377'", "`{}` does not classify a: its output is not UTF-8"),
        ("head -c 20000000 /dev/zero", "`{}` does not classify a: its output has more than 16777216 bytes"),
    ] {
        let folder = folder(script);
        let run = compiled(&folder, &["--enc", "./enc.sh"]);
        let said = said.replace("{}", &folder.path("enc.sh"));
        assert_eq!((run.status, &*run.stdout), (1, ""), "{script}");
        assert!(run.stderr.contains(&said), "{}", run.stderr);
    }
    let run = compiled(&folder(""), &["--enc", "./none.sh"]);
    assert!(run.stderr.contains("does not classify a: No such file or directory"), "{}", run.stderr);
    let run = compiled(&folder(""), &["--enc", "enc.sh"]);
    assert!(run.stderr.contains("the command of `--enc` starts with a path"), "{}", run.stderr);
}

#[test]
fn a_classifier_that_hangs_is_ended() {
    // What it starts holds its output open, and is ended, too.
    let folder = folder("sleep 600 & sleep 600");
    let started = Instant::now();
    let run = compiled(&folder, &["--enc", "./enc.sh", "--enc-timeout", "1"]);
    assert_eq!((run.status, &*run.stdout), (1, ""));
    assert!(run.stderr.contains("does not classify a: it has not ended after 1 s"), "{}", run.stderr);
    assert!(started.elapsed().as_secs() < 300, "the script would take ten minutes");
}

#[test]
fn trees_and_facts_run_no_classifier() {
    let folder = folder(SCRIPT);
    folder.write("marotte.toml", b"enc = \"./enc.sh\"\n[impact]\nenc = \"./enc.sh\"\n");
    folder.write("puppet.conf", b"[master]\nnode_terminus = exec\nexternal_nodes = ./enc.sh\n");
    folder.write("facts/-x.yaml", b"kernel: Linux\n");
    compiled(&folder, &[]);
    folder.marotte(&["impact", "--from", ".", "--to", ".", "--facts-dir", "facts"]);
    assert!(!folder.names(".").contains(&"asked".to_owned()));
    // A name that looks like an option is no argument for the command.
    let run = compiled(&folder, &["--enc", "./enc.sh"]);
    assert!(run.stderr.contains("`-x` is not a name of a node"), "{}", run.stderr);
}
