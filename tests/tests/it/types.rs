//! Runs the rows of `tests/values`, whose answers are the reference's.

use marotte_pcore::dialect::Dialect;
use marotte_tests::types::{Evaluator, Page};
use marotte_tests::workspace;

// Fewer rows than these numbers mean that pages aren't found or not read.

#[test]
fn every_row_about_types_holds() {
    every_row_holds("types", 2500);
}

#[test]
fn every_row_about_mismatches_holds() {
    every_row_holds("mismatch", 1000);
}

#[test]
fn every_row_about_operators_holds() {
    every_row_holds("operators", 5000);
}

#[test]
fn every_row_about_formats_holds() {
    every_row_holds("formats", 1200);
}

#[test]
fn every_row_about_conversions_holds() {
    every_row_holds("conversions", 1500);
}

fn every_row_holds(chapter: &str, least: usize) {
    let folder = workspace::root().join("tests/values").join(chapter);
    let pages = workspace::files_below(&folder, "md").expect("the folder of pages");
    let (mut count, mut failures) = (0, Vec::new());
    for path in pages {
        let text = workspace::read(&path).expect("a page of text");
        let page = Page::new(&text);
        let evaluator =
            Evaluator::new(Dialect::puppet8(), page.aliases()).unwrap_or_else(|failure| panic!("{failure}"));
        for row in page.rows() {
            count += 1;
            let answer = row.ask(&evaluator);
            if row.answer != Some(&*answer) {
                let expected = row.answer.unwrap_or("(nothing recorded)");
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                failures.push(format!(
                    "{name}:{}: {}\n  expected {expected}\n  but got  {answer}",
                    row.line, row.question
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count} rows fail:\n{}", failures.len(), failures.join("\n"));
    assert!(count >= least, "only {count} rows were found");
}
