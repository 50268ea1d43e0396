//! `marotte compile --watch` as programs run it.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::Folder;

#[test]
fn catalogs_that_are_different_are_written_again_until_an_interrupt() {
    let folder = Folder::new(&[
        ("environment.conf", b""),
        ("manifests/site.pp", b"node 'a' { include web }\nnode 'b' { notify { $kernel: } }\n"),
        ("modules/web/manifests/init.pp", b"class web { notify { 'one': } }\n"),
        ("facts/a.yaml", b"kernel: Linux\n"),
        ("facts/b.yaml", b"kernel: Linux\n"),
    ]);
    let mut child = folder
        .command(&["compile", "--watch", "--all", "--facts-dir", "facts", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // Each catalog ends with a brace of its own.
    let mut next = || {
        let mut text = String::new();
        loop {
            let line = lines.next().unwrap().unwrap();
            text.push_str(&line);
            if line == "}" {
                return serde_json::from_str::<serde_json::Value>(&text).unwrap();
            }
        }
    };
    assert_eq!((next()["name"].as_str(), next()["name"].as_str()), (Some("a"), Some("b")));

    folder.write("modules/web/manifests/init.pp", b"class web { notify { 'two': } }\n");
    let catalog = next();
    assert_eq!(catalog["name"], "a");
    assert!(catalog.to_string().contains("two"));

    folder.write("facts/b.yaml", b"kernel: FreeBSD\n");
    let catalog = next();
    assert_eq!(catalog["name"], "b");
    assert!(catalog.to_string().contains("FreeBSD"));

    folder.write("facts/c.yaml", b"kernel: Linux\n");
    folder.write("manifests/site.pp", b"node 'a' { include web }\nnode default { notify { $kernel: } }\n");
    let mut names = [next(), next()].map(|it| it["name"].to_string());
    names.sort();
    assert_eq!(names, ["\"b\"", "\"c\""]);

    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}
