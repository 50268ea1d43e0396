//! The commands in the files for other services: `action.yml`, `integrations`, `.pre-commit-hooks.yaml`.

#![expect(clippy::disallowed_methods, reason = "a test reads the repository's own files")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use marotte_hiera::data::{Permitted, parse_yaml};
use marotte_pcore::print::literal;
use marotte_pcore::value::Value;

use crate::impact::Repository;

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
    run_in(&root().join("examples/shop"), command, variables)
}

fn run_in(place: &Path, command: &str, variables: &[(&str, &str)]) -> Output {
    let folder = Path::new(env!("CARGO_BIN_EXE_marotte")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    shell.args(["-c", command]).current_dir(place);
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
    assert_eq!(report.len(), 5);
    assert!(report.iter().all(|it| it["fingerprint"].is_string()));
}

#[test]
fn the_hook_checks_the_whole_tree() {
    let output = run(&command(".pre-commit-hooks.yaml", "entry: "), &[]);
    assert_eq!(output.status.code(), Some(1));
}

/// Returns a value of YAML in the repository.
fn yaml(file: &str) -> Value {
    let text = std::fs::read_to_string(root().join(file)).unwrap();
    parse_yaml(&text, Permitted { symbols: false, classes: &[] }).unwrap().value
}

/// Adds the texts that run `marotte impact`, in order.
fn commands(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.contains("marotte impact ") => found.push(text.to_string()),
        Value::Array(all) => all.iter().for_each(|it| commands(it, found)),
        Value::Hash(hash) => hash.iter().for_each(|(_, it)| commands(it, found)),
        _ => {}
    }
}

/// A clone whose last commit is a change of all nodes, with their facts, and an empty folder `parts`.
fn changed() -> Repository {
    let repository = Repository::new(&[
        ("data/common.yaml", "base::motd: welcome\n"),
        ("facts/db1.yaml", "a: 1\n"),
        ("facts/web1.yaml", "a: 1\n"),
        ("facts/web2.yaml", "a: 1\n"),
    ]);
    repository.commit();
    std::fs::create_dir(repository.0.path("parts")).unwrap();
    repository
}

#[test]
fn jobs_of_gitlab_come_to_one_report() {
    let mut found = Vec::new();
    commands(&yaml("integrations/impact/gitlab.yml"), &mut found);
    let [part, junit, html] = &found[..] else { panic!("{found:?}") };
    let repository = changed();
    let place = repository.0.path("code");
    let place = Path::new(&place);
    std::fs::create_dir(place.join("parts")).unwrap();
    for index in ["1", "2", "3", "4"] {
        let own = [("CI_NODE_INDEX", index), ("CI_NODE_TOTAL", "4")];
        let variables =
            [&own[..], &[("CI_MERGE_REQUEST_DIFF_BASE_SHA", "HEAD~1"), ("FACTS", "facts")]].concat();
        let output = run_in(place, part, &variables);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(run_in(place, junit, &[]).status.code(), Some(0));
    assert_eq!(run_in(place, html, &[]).status.code(), Some(1));
    assert!(
        std::fs::read_to_string(place.join("impact.xml")).unwrap().contains("tests=\"3\" failures=\"3\"")
    );
    assert!(std::fs::read_to_string(place.join("impact.html")).unwrap().contains("3 changed"));
}

#[test]
fn a_matrix_of_github_comes_to_one_report() {
    let mut found = Vec::new();
    commands(&yaml("integrations/impact/github.yml"), &mut found);
    let [part, report] = &found[..] else { panic!("{found:?}") };
    let repository = changed();
    let parts = repository.0.path("parts");
    for part_number in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        let variables = [("PART", part_number), ("RUNNER_TEMP", &*parts)];
        let output = run_in(Path::new(&repository.0.path("code")), part, &variables);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let summary = repository.0.path("summary");
    let output = run_in(Path::new(&repository.0.path("")), report, &[("GITHUB_STEP_SUMMARY", &*summary)]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(summary).unwrap().contains("3 changed"));
}

#[test]
fn pods_of_kubernetes_come_to_one_report() {
    let job = yaml("integrations/impact/kubernetes.yaml");
    let entry = |value: &Value, key: &str| {
        let Value::Hash(hash) = value else { panic!("{key} of {value:?}") };
        hash.get(&Value::from(key)).unwrap_or_else(|| panic!("no {key}")).clone()
    };
    let spec = entry(&job, "spec");
    let first =
        |value: Value| if let Value::Array(all) = value { all[0].clone() } else { panic!("{value:?}") };
    let container = first(entry(&entry(&entry(&spec, "template"), "spec"), "containers"));
    let variable = first(entry(&container, "env"));
    assert_eq!(entry(&variable, "name"), Value::from("JOB_COMPLETIONS"));
    let completions = literal(&entry(&spec, "completions"));
    assert_eq!(entry(&variable, "value"), Value::from(&*completions), "the two have to be the same");

    let (mut found, mut merging) = (Vec::new(), Vec::new());
    commands(&job, &mut found);
    commands(&yaml("integrations/impact/kubernetes-merge.yaml"), &mut merging);
    let ([part], [merge]) = (&found[..], &merging[..]) else { panic!("{found:?} {merging:?}") };
    let repository = changed();
    repository.0.rename("code", "control-repo");
    let work = repository.0.path("");
    let here = |command: &str| command.replace("/work/", &work).replace("main...HEAD", "HEAD~1..HEAD");
    for index in 0..completions.parse().unwrap() {
        let index: u32 = index;
        let variables = [("JOB_COMPLETION_INDEX", &*index.to_string()), ("JOB_COMPLETIONS", &*completions)];
        let output = run_in(Path::new(&work), &here(part), &variables);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(run_in(Path::new(&work), &here(merge), &[]).status.code(), Some(1));
    assert!(std::fs::read_to_string(repository.0.path("report.html")).unwrap().contains("4 changed"));
}

#[test]
fn tasks_of_slurm_come_to_one_report() {
    let repository = changed();
    let work = repository.0.path("");
    let script = format!("bash {}", root().join("integrations/impact/slurm.sh").display());
    let folders = |name: &str| repository.0.path(name);
    let (code, facts, parts) = (folders("code"), folders("facts"), folders("parts"));
    let common = [("REPOSITORY", &*code), ("FACTS", &*facts), ("PARTS", &*parts)];
    for task in ["1", "2", "3"] {
        let own = [
            ("SLURM_ARRAY_TASK_ID", task),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_MAX", "3"),
            ("SLURM_ARRAY_TASK_COUNT", "3"),
        ];
        assert_eq!(run_in(Path::new(&work), &script, &[&common[..], &own].concat()).status.code(), Some(0));
    }
    // A task that is repeated alone is told which part it is.
    std::fs::remove_file(repository.0.path("parts/part-3")).unwrap();
    let again = run_in(Path::new(&work), &script, &[&common[..], &[("SHARD", "3/3")]].concat());
    assert_eq!(again.status.code(), Some(0));
    let merged = run_in(Path::new(&parts), "marotte impact --merge part-*", &[]);
    assert_eq!(merged.status.code(), Some(0), "{}", String::from_utf8_lossy(&merged.stderr));
    assert!(String::from_utf8(merged.stdout).unwrap().ends_with("4 nodes: 4 unchanged\n"));
}
