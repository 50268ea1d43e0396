//! The differences between the four dialects: `tests/values/dialects/delta.md`, row by row.

use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use marotte_db::system::normalize;
use marotte_pcore::dialect::Dialect;
use marotte_tests::catalogs::{Scenario, brief, compile};
use marotte_tests::programs::{Program, Runner};
use marotte_tests::types::{Evaluator, Row};
use marotte_tests::workspace;

/// The dialects in the order of the table's columns.
const COLUMNS: [&str; 4] = ["2014-05", "2014-07", "spec", "puppet8"];

/// The number of points in the table.
const POINTS: usize = 162;

/// A row with a question, and the answer of each dialect.
struct Delta {
    line: usize,
    question: String,
    answers: Vec<String>,
}

/// Returns the points in the table, and its rows with questions.
fn table() -> (BTreeSet<String>, Vec<Delta>) {
    let path = workspace::root().join("tests/values/dialects/delta.md");
    let text = workspace::read(&path).expect("the table");
    let (mut points, mut rows) = (BTreeSet::new(), Vec::new());
    for (index, line) in text.lines().enumerate().filter(|(_, line)| line.starts_with("| X")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        points.insert(cells[0].to_owned());
        let unquoted = |cell: &&str| cell.trim_matches('`').to_owned();
        if cells[2].starts_with('`') {
            let answers: Vec<String> = cells[3..].iter().map(unquoted).collect();
            assert_eq!(answers.len(), COLUMNS.len(), "line {}", index + 1);
            rows.push(Delta { line: index + 1, question: unquoted(&cells[2]), answers });
        } else {
            assert!(cells[2].starts_with("– "), "line {}: neither question nor note", index + 1);
        }
    }
    (points, rows)
}

#[test]
fn every_point_stands_in_the_table() {
    let (points, rows) = table();
    let all: BTreeSet<String> = (1..=POINTS).map(|number| format!("X{number}")).collect();
    assert_eq!(points, all);
    assert!(rows.len() > 100);
}

#[test]
fn every_dialect_answers_as_its_document_says() {
    let mut wrong = Vec::new();
    let (_, rows) = table();
    for (column, name) in COLUMNS.into_iter().enumerate() {
        let dialect = Dialect::by_name(name).expect("a dialect of this name");
        let folder = workspace::root().join("tests/evaluation");
        let folder = normalize(&Utf8PathBuf::try_from(folder).expect("a path in UTF-8"));
        let runner = Runner::new("{}", folder).expect("a runner").in_dialect(dialect);
        let evaluator = Evaluator::new(dialect, std::iter::empty()).expect("no aliases");
        for row in &rows {
            if let Some(manifest) = row.question.strip_prefix("compile ") {
                let scenario = Scenario { dialect: Some(dialect), ..Scenario::of(manifest) };
                let answer = compile(&scenario).expect("a manifest needs no data");
                check(row, column, name, &brief(&answer), &mut wrong);
                continue;
            }
            if let Some(source) = row.question.strip_prefix("run ") {
                let program = Program::of(source);
                check(row, column, name, &runner.run(&program), &mut wrong);
                continue;
            }
            let answer = Row { line: row.line, question: &row.question, answer: None }.ask(&evaluator);
            check(row, column, name, &answer, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(row: &Delta, column: usize, dialect: &str, answer: &str, wrong: &mut Vec<String>) {
    let answer = if answer.starts_with('✗') { "✗" } else { answer };
    let expected = &row.answers[column];
    if answer != expected {
        wrong.push(format!("{}: {} in {dialect}: {expected}, but got {answer}", row.line, row.question));
    }
}
