//! `marotte check --watch` as programs run it.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::support::Folder;

#[test]
fn changes_are_reported_line_by_line_until_an_interrupt() {
    let folder = Folder::new(&[("a.pp", b"$a = 1\n"), ("b.pp", b"$b = 1\n")]);
    let mut child = folder
        .command(&["check", "--watch", "--output-format=json-lines"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<serde_json::Value>(&lines.next().unwrap().unwrap()).unwrap();

    let first = next();
    assert_eq!(first["summary"]["files"], 2);
    assert_eq!(first["summary"]["checked"], 2);

    folder.write("a.pp", b"# caf\xe9\n");
    let finding = next();
    assert_eq!((finding["file"].as_str(), finding["rule"].as_str()), (Some("a.pp"), Some("invalid-utf8")));
    let second = next();
    assert_eq!(
        (second["summary"]["findings"].as_u64(), second["summary"]["checked"].as_u64()),
        (Some(1), Some(1))
    );

    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn the_configuration_may_change_meanwhile() {
    let folder = Folder::new(&[("a.pp", b"$a = = 1\n")]);
    let mut child = folder
        .command(&["check", "--watch", "--output-format=json-lines"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut until = |findings: u64| loop {
        let line: serde_json::Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        if line["summary"]["findings"] == findings {
            break;
        }
    };
    until(1);
    folder.write("marotte.toml", b"ignore = [\"syntax-error\"]\n");
    until(0);
    folder.write("marotte.toml", b"ignore = [\"no such rule\"]\n");
    folder.write("marotte.toml", b"\n");
    until(1);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
