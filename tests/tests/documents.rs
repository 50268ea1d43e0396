//! What the three documents say of types, each asked of its own dialect: `tests/values/documents`.

use camino::Utf8PathBuf;
use marotte_db::system::normalize;
use marotte_pcore::dialect::Dialect;
use marotte_tests::programs::{Chapter, Program, Runner};
use marotte_tests::types::{Evaluator, Page};
use marotte_tests::workspace;

/// The folder of a document, its dialect, the least number of rows, and how many rows are notes instead.
const DOCUMENTS: [(&str, &str, usize, usize); 3] = [
    ("latest", "spec", 150, NOTES[0]),
    ("2014-07", "2014-07", 120, NOTES[1]),
    ("2014-05", "2014-05", 80, NOTES[2]),
];

/// Rows that are not asked: a new one needs a reason.
const NOTES: [usize; 3] = [6, 4, 3];

#[test]
fn every_row_of_the_documents_holds_in_its_dialect() {
    let mut wrong = Vec::new();
    for (folder, dialect, least, notes) in DOCUMENTS {
        let path = workspace::root().join("tests/values/documents").join(folder).join("types.md");
        let text = workspace::read(&path).expect("a page");
        let page = Page::new(&text);
        let dialect = Dialect::by_name(dialect).expect("a dialect");
        let evaluator = Evaluator::new(dialect, page.aliases()).expect("no aliases");
        for row in page.rows() {
            let answer = row.ask(&evaluator);
            if row.answer != Some(&*answer) {
                wrong.push(format!(
                    "{folder}:{}: {} → {:?}, but got {answer}",
                    row.line, row.question, row.answer
                ));
            }
        }
        assert!(page.rows().count() >= least, "{folder}: only {} rows", page.rows().count());
        assert_eq!(text.matches("\n# note: ").count(), notes, "{folder}: notes");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_program_of_the_documents_gives_what_they_say() {
    let mut wrong = Vec::new();
    for (folder, dialect, ..) in DOCUMENTS {
        let modules = Utf8PathBuf::try_from(workspace::root().join("tests/evaluation")).expect("UTF-8");
        let runner = Runner::new("{}", normalize(&modules)).expect("a runner");
        let runner = runner.in_dialect(Dialect::by_name(dialect).expect("a dialect"));
        let path = workspace::root().join("tests/values/documents").join(folder).join("programs.md");
        let text = workspace::read(&path).expect("a page");
        let programs = Chapter::new(&text).programs();
        for program in &programs {
            let answer = runner.run(program);
            let answer = if answer.starts_with('✗') { "✗" } else { &answer };
            if program.expected() != Some(answer) {
                let Program { line, source, .. } = program;
                wrong.push(format!("{folder}:{line}: {source}: but got {answer}"));
            }
        }
        assert!(programs.len() >= 20, "{folder}: only {} programs", programs.len());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
