//! The commands in the files for other services: `action.yml`, `integrations/gitlab.yml`, `.pre-commit-hooks.yaml`.

#![expect(clippy::disallowed_methods, reason = "a test reads the repository's own files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The only command in a file that begins with `marotte`, after one of the given keys or dashes.
fn command(file: &str, before: &str) -> String {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    let mut found = text.lines().filter_map(|line| line.trim().strip_prefix(before));
    let command = found.find(|it| it.starts_with("marotte ")).unwrap().to_owned();
    assert!(!found.any(|it| it.starts_with("marotte ")));
    command
}

/// Runs a command in the example as the service would, by its shell.
fn run(command: &str, variables: &[(&str, &str)]) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_marotte")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).current_dir(root().join("examples/shop"));
    shell.env("PATH", path).envs(variables.iter().copied());
    shell.output().unwrap()
}

#[test]
fn the_action_annotates_and_fails() {
    let command = command("action.yml", "run: ");
    let output = run(&command, &[("ARGUMENTS", "--select value-type --quiet"), ("CHECKED", ".")]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("::error ") && said.lines().count() == 1, "{said}");
}

#[test]
fn the_template_for_gitlab_writes_a_report_and_fails() {
    let command = command("integrations/gitlab.yml", "- ");
    let (command, report) = command.split_once(" > ").unwrap();
    assert_eq!(report, "gl-code-quality-report.json");
    let output = run(command, &[("MAROTTE_ARGUMENTS", ""), ("MAROTTE_PATH", ".")]);
    assert_eq!(output.status.code(), Some(1));
    let report: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report.len(), 4);
    assert!(report.iter().all(|it| it["fingerprint"].is_string()));
}

#[test]
fn the_hook_checks_the_whole_tree() {
    let output = run(&command(".pre-commit-hooks.yaml", "entry: "), &[]);
    assert_eq!(output.status.code(), Some(1));
}
