//! Properties of each finding.

use std::ops::Range;
use std::sync::Arc;

use marotte_db::{Db as _, MemorySystem};
use marotte_diagnostics::{Diagnostic, FileId, rules};
use marotte_project::{Project, ProjectDatabase, ProjectOptions, check_one};
use marotte_text::TextRange;

/// Checks that a finding has a message and is no error of marotte, that its places are within the texts of their files, and
/// that the edits of its fix can be applied.
///
/// # Panics
/// If one of these does not hold.
pub fn check<'t>(finding: &Diagnostic, text_of: &dyn Fn(FileId) -> &'t str) {
    let text = text_of(finding.file);
    assert!(finding.rule != rules::INTERNAL_ERROR, "{}", finding.message);
    assert!(!finding.message.is_empty(), "there is no message: {finding:?}");
    holds(text, finding.range, "a finding");
    for related in &finding.related {
        holds(text_of(related.file), related.range, "a related place");
    }
    let Some(fix) = &finding.fix else { return };
    assert!(!fix.edits.is_empty(), "the fix changes nothing: {finding:?}");
    let mut end = 0;
    for edit in &fix.edits {
        holds(text, edit.range, "an edit");
        let edited = bytes(edit.range);
        assert!(edited.start >= end, "the edits overlap or are out of order: {finding:?}");
        assert!(text.get(edited.clone()) != Some(&edit.text), "an edit changes nothing: {finding:?}");
        end = edited.end;
    }
}

/// Checks all files of a system, and their findings as [`check`] does.
///
/// # Panics
/// If one of the findings doesn't hold.
pub fn check_all(system: MemorySystem) {
    let database = ProjectDatabase::frozen(Arc::new(system));
    let project = Project::new(database, &["/".into()], ProjectOptions::default());
    let db = project.db();
    let text_of = |file: FileId| {
        let file = db.files().by_id(file).expect("a file of a finding");
        marotte_db::source_text(db, file).text()
    };
    for file in project.files() {
        for finding in check_one(db, file) {
            check(&finding, &text_of);
        }
    }
}

fn holds(text: &str, range: TextRange, what: &str) {
    assert!(text.get(bytes(range)).is_some(), "{what} is at {range:?}, which is no piece of the text");
}

fn bytes(range: TextRange) -> Range<usize> {
    range.start().into()..range.end().into()
}
