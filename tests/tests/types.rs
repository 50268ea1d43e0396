//! Runs the rows of `tests/values/types`, whose answers are the reference's.

use std::path::Path;

use marotte_pcore::dialect::Dialect;
use marotte_tests::types::{Evaluator, Page};

/// Fewer rows than this mean that pages are not found or not read.
const LEAST_ROWS: usize = 600;

#[test]
fn every_row_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("values/types");
    let mut pages: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of pages")
        .map(|entry| entry.expect("a page").path())
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect();
    pages.sort();
    let (mut count, mut failures) = (0, Vec::new());
    for path in pages {
        let text = std::fs::read_to_string(&path).expect("a page of text");
        let page = Page::new(&text);
        let evaluator = Evaluator::new(Dialect::puppet8(), page.aliases()).expect("aliases");
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
    assert!(count >= LEAST_ROWS, "only {count} rows were found");
}
