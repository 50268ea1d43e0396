//! The commands of the README, of `docs/impact.md` and of `docs/tutorials`, run on the shipped examples.
//!
//! Each tutorial starts in a fresh copy of `examples`, the README in the folder around one. The lines that start with
//! `$ ` in its blocks of the language `console` are passed to one shell, in order; the output of each one is compared
//! with the page's text below it. `MAROTTE_UPDATE_TUTORIALS=1` writes the output into the pages.

#![expect(
    clippy::disallowed_methods,
    reason = "the pages and the copies of the examples are the test's own files"
)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The line that the shell prints after each command, with the command's number.
const END: &str = "--- end of command";

/// A command of a page, and the lines of the page that hold its output.
struct Step {
    command: String,
    first_line: usize,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (index, line) in page.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if inside {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => {
                    steps.push(Step {
                        command: command.to_owned(),
                        first_line: index + 1,
                        output: Vec::new(),
                    });
                }
                (None, Some(step)) => step.output.push(line.to_owned()),
                (None, None) => panic!("output without a command: {line}"),
            }
        }
    }
    steps
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The output of each command, run one after the other in `folder`.
fn run(steps: &[Step], folder: &Path) -> Vec<Vec<String>> {
    let program = Path::new(env!("CARGO_BIN_EXE_marotte"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .unwrap();
    let mut script = String::from("exec 2>&1\n");
    for step in steps {
        // The end of each command keeps its status for `echo $?`.
        writeln!(script, "{}\nstatus=$?; echo '{END}'; (exit $status)", step.command).unwrap();
    }
    let mut shell = Command::new("sh")
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    shell.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = String::from_utf8(shell.wait_with_output().unwrap().stdout).unwrap();
    let below = format!("{}/", folder.canonicalize().unwrap().display());
    let mut outputs = vec![Vec::new()];
    for line in output.lines() {
        if line == END {
            outputs.push(Vec::new());
        } else if let Some(last) = outputs.last_mut() {
            last.push(line.replace(&below, ""));
        }
    }
    outputs.pop();
    outputs
}

/// Removes from a line what differs from run to run: the time that a check took.
fn stable(line: &str) -> String {
    let Some((before, rest)) = line.split_once(" in ") else { return line.to_owned() };
    let digits = rest.len() - rest.trim_start_matches(|it: char| it.is_ascii_digit()).len();
    match rest.get(digits..).and_then(|rest| rest.strip_prefix(" ms")) {
        Some(after) if digits > 0 => format!("{before} in N ms{after}"),
        _ => line.to_owned(),
    }
}

/// Runs a page in a copy of `examples`, or in the folder around it.
fn check(path: &Path, start: &str) {
    let page = std::fs::read_to_string(path).unwrap();
    let steps = steps(&page);
    assert!(!steps.is_empty(), "{} runs nothing", path.display());
    let folder = tempfile::tempdir().unwrap();
    copy(&root().join("examples"), &folder.path().join("examples"));
    let outputs = run(&steps, &folder.path().join(start));
    assert_eq!(outputs.len(), steps.len(), "{}: the shell ended early", path.display());
    if std::env::var_os("MAROTTE_UPDATE_TUTORIALS").is_some() {
        let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
        for (step, output) in steps.iter().zip(&outputs).rev() {
            let same = output.iter().map(|it| stable(it)).eq(step.output.iter().map(|it| stable(it)));
            if !same {
                lines.splice(step.first_line..step.first_line + step.output.len(), output.iter().cloned());
            }
        }
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
        return;
    }
    for (step, output) in steps.iter().zip(&outputs) {
        let shown: Vec<String> = step.output.iter().map(|it| stable(it)).collect();
        let output: Vec<String> = output.iter().map(|it| stable(it)).collect();
        assert_eq!(shown, output, "{}:{}: {}", path.display(), step.first_line, step.command);
    }
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    check(&root().join("README.md"), "");
}

#[test]
fn the_page_on_impact_shows_what_the_program_prints() {
    check(&root().join("docs/impact.md"), "examples");
}

#[test]
fn the_tutorials_show_what_the_program_prints() {
    let mut pages: Vec<PathBuf> = std::fs::read_dir(root().join("docs/tutorials"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect();
    pages.sort();
    assert!(pages.len() >= 4, "{pages:?}");
    for page in pages {
        check(&page, "examples");
    }
}
