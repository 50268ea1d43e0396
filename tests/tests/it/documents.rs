//! The statements of the three documents, section by section, each tested in its own dialect, and in the one that
//! follows the reference: `tests/values/documents`.

use std::fmt::Write as _;
use std::path::PathBuf;

use camino::Utf8PathBuf;
use marotte_db::system::normalize;
use marotte_pcore::dialect::Dialect;
use marotte_tests::documents::{Section, pages, sections};
use marotte_tests::programs::Runner;
use marotte_tests::types::Evaluator;
use marotte_tests::workspace;

/// The folder of a document, its dialect, and the minimum number of rows.
const DOCUMENTS: [(&str, &str, usize); 5] = [
    ("latest", "spec", 1860),
    ("2014-07", "2014-07", 630),
    ("2014-05", "2014-05", 470),
    ("names", "spec", 95),
    ("lexical", "spec", 260),
];

/// Returns the evaluators of a dialect.
fn asked(dialect: &str) -> (Evaluator, Runner) {
    let dialect = Dialect::by_name(dialect).expect("a dialect of this name");
    let modules = Utf8PathBuf::try_from(workspace::root().join("tests/evaluation")).expect("UTF-8");
    let runner = Runner::new("{}", normalize(&modules)).expect("a runner").in_dialect(dialect);
    (Evaluator::new(dialect, std::iter::empty()).expect("no aliases"), runner)
}

fn folder(document: &str) -> PathBuf {
    workspace::root().join("tests/values/documents").join(document)
}

fn document(name: &str) -> Vec<Section> {
    let pages = pages(&folder(name)).expect("pages");
    let read = pages.iter().flat_map(|page| {
        let file = page.file_name().unwrap_or_default().to_string_lossy();
        sections(&format!("{name}/{file}"), &workspace::read(page).expect("a page"))
            .expect("rows with answers")
    });
    read.collect()
}

#[test]
fn every_row_of_the_documents_holds() {
    let (evaluator8, runner8) = asked("puppet8");
    let mut wrong = Vec::new();
    for (name, dialect, least) in DOCUMENTS {
        let (evaluator, runner) = asked(dialect);
        let sections = document(name);
        let lines: Vec<_> = sections.iter().flat_map(|section| &section.lines).collect();
        for line in &lines {
            let answer = line.ask(&evaluator, &runner);
            if answer != line.document {
                wrong.push(format!(
                    "{} {} → {} in {dialect}, but got {answer}",
                    line.place, line.question, line.document
                ));
            }
            let answer = line.ask(&evaluator8, &runner8);
            if answer != line.reference() {
                wrong.push(format!(
                    "{} {} → {} in puppet8, but got {answer}",
                    line.place,
                    line.question,
                    line.reference()
                ));
            }
        }
        assert!(lines.len() >= least, "{name}: only {} rows", lines.len());
    }
    assert!(wrong.is_empty(), "{}\n{} wrong", wrong.join("\n"), wrong.len());
}

#[test]
fn every_difference_has_a_reason() {
    let delta =
        workspace::read(&workspace::root().join("tests/values/dialects/delta.md")).expect("the table");
    for (name, ..) in DOCUMENTS {
        for line in document(name).iter().flat_map(|section| &section.lines) {
            let Some((answer, reason)) = &line.reference else { continue };
            assert_ne!(answer, &line.document, "{}: a remark without a difference", line.place);
            assert!(reason.len() > 1, "{}: why does the reference answer {answer}?", line.place);
            for point in reason.split(|it: char| !it.is_alphanumeric()).filter(|it| is_point(it)) {
                assert!(delta.contains(&format!("| {point} |")), "{}: no point {point}", line.place);
            }
        }
    }
}

fn is_point(word: &str) -> bool {
    word.strip_prefix('X')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()))
}

#[test]
fn every_section_stands_in_the_table_of_its_document() {
    for (name, ..) in DOCUMENTS {
        let mut table = String::from("| Section | Rows | Not executed |\n|---|---|---|\n");
        for section in document(name) {
            let Section { name, lines, not_executed } = section;
            assert!(!lines.is_empty() || !not_executed.is_empty(), "{name} has neither rows nor a reason");
            let _ = writeln!(table, "| {name} | {} | {not_executed} |", lines.len());
        }
        let readme = workspace::read(&folder(name).join("README.md")).expect("a table of sections");
        assert!(
            readme.ends_with(&table),
            "{name}: record again, xtask/oracle/documents.rb; the table is\n{table}"
        );
    }
}
