//! Runs the page of every issue of evaluation: bad examples end with that issue, good ones without errors.

use std::sync::Arc;

use marotte_db::MemorySystem;
use marotte_diagnostics::issues::ISSUES;
use marotte_eval::{Interpreter, Settings, Unit, UnitSource};
use marotte_hir::lower;
use marotte_host::{CodeTree, NodeInput, Surroundings};
use marotte_project::ProjectDatabase;
use marotte_syntax::{Mode, parse};
use marotte_tests::workspace;

#[test]
fn every_page_belongs_to_an_issue() {
    let folder = workspace::root().join("docs/issues");
    for path in workspace::files_below(&folder, "md").expect("docs/issues") {
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        assert!(ISSUES.iter().any(|it| it.name == name), "{name}");
    }
}

#[test]
fn bad_examples_end_with_their_issue_and_good_ones_well() {
    let (mut failures, mut count) = (Vec::new(), 0);
    for issue in ISSUES {
        let mut section = "";
        let mut lines = issue.page.lines();
        while let Some(line) = lines.next() {
            if let Some(heading) = line.strip_prefix("## ") {
                section = heading;
            } else if line == "```puppet" {
                let source: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
                let source = source.join("\n");
                let expected = if section == "Bad" { Err(issue.name) } else { Ok(()) };
                let found = run(&source);
                count += 1;
                if found != expected {
                    failures
                        .push(format!("{}: expected {expected:?}, found {found:?} in\n{source}", issue.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(count > 40, "only {count} examples were found");
}

fn run(source: &str) -> Result<(), &'static str> {
    let parsed = parse(source, Mode::default());
    if parsed.errors.iter().any(|it| !it.kind.is_warning()) {
        return Err("refused when it is read");
    }
    let lowered = Arc::new(lower(&parsed.program));
    let unit = Unit { lowered, source: UnitSource::Text("example".into(), source.into()) };
    let mut effects = Vec::new();
    let db = ProjectDatabase::frozen(Arc::new(MemorySystem::new()));
    let surroundings = Surroundings::new(db, CodeTree::default(), NodeInput::default());
    let result = Interpreter::new(Settings::default(), &surroundings.outside(), &mut effects).run_unit(&unit);
    result.map(|_| ()).map_err(|error| error.issue)
}
