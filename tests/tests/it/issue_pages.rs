//! Runs the page of every issue of evaluation: bad examples end with that issue, good ones without errors.

use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::issues::{self, ISSUES};
use marotte_eval::{Interpreter, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_host::{CodeTree, EvaluationContext, NodeInput};
use marotte_project::ProjectDatabase;
use marotte_syntax::{Mode, parse};
use marotte_tests::workspace;
use regex::Regex;

#[test]
fn every_page_belongs_to_an_issue() {
    let folder = workspace::root().join("docs/issues");
    for path in workspace::files_below(&folder, "md").expect("docs/issues") {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        assert!(ISSUES.iter().any(|it| it.name == name), "{name}");
    }
}

/// The crates below the registry name the issues of their errors by strings; an undeclared one would be reported as another.
#[test]
fn names_of_issues_below_the_registry_are_declared() {
    let name = Regex::new(r#""([a-z]+(?:-[a-z0-9]+)+)""#).expect("a regular expression");
    let mut count = 0;
    for folder in ["crates/pcore/src", "crates/hiera/src"] {
        for path in workspace::files_below(&workspace::root().join(folder), "rs").expect("sources") {
            let text = workspace::read(&path).expect("a source");
            if path.ends_with("tests.rs") || !text.contains("issue") && !text.contains("Issue") {
                continue;
            }
            for found in name.captures_iter(&text) {
                count += 1;
                assert_eq!(issues::declared(&found[1]).name, &found[1], "in {}", path.display());
            }
        }
    }
    assert!(count > 40, "only {count} names were found");
}

/// Whether an example is evaluated alone, or as the manifest of a node.
#[derive(Clone, Copy)]
enum Language {
    Program,
    Catalog,
}

#[test]
fn bad_examples_end_with_their_issue_and_good_ones_well() {
    let (mut failures, mut count) = (Vec::new(), 0);
    for issue in ISSUES {
        let mut section = "";
        let mut lines = issue.page.lines();
        while let Some(line) = lines.next() {
            let language = match line {
                "```puppet" => Language::Program,
                "```puppet catalog" => Language::Catalog,
                _ => {
                    section = line.strip_prefix("## ").unwrap_or(section);
                    continue;
                }
            };
            let source: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            let source = source.join("\n");
            let expected = if section == "Bad" { Err(issue.name) } else { Ok(()) };
            let found = run(&source, language);
            count += 1;
            if found != expected {
                failures.push(format!("{}: expected {expected:?}, found {found:?} in\n{source}", issue.name));
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 80, "only {count} examples were found");
}

fn run(source: &str, language: Language) -> Result<(), &'static str> {
    let parsed = parse(source, Mode::default());
    if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
        return Err("refused when it is read");
    }
    let mut effects = Vec::new();
    let system = MemorySystem::with_files([("/site/manifests/site.pp", source)]);
    let db = ProjectDatabase::frozen(Arc::new(system));
    let context = EvaluationContext::new(db, CodeTree::default(), NodeInput::default());
    match language {
        Language::Program => {
            let lowered = Arc::new(lower(&parsed.program));
            let unit = Unit { lowered, source: UnitSource::Text("example".into(), source.into()) };
            let outside = context.host();
            let result = Interpreter::new(Settings::default(), &outside, &mut effects).run_unit(&unit);
            result.map(|_| ()).map_err(|error| error.issue.name)
        }
        Language::Catalog => {
            let context = context.with_manifests(vec!["/site/manifests/site.pp".into()]);
            let outside = context.host();
            let compiled = Interpreter::new(Settings::default(), &outside, &mut effects).compile();
            compiled.errors.first().map_or(Ok(()), |error| Err(error.issue.name))
        }
    }
}
