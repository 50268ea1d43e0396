//! Properties of each finding.

use std::ops::Range;

use marotte_diagnostics::{Diagnostic, FileId, rules};
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

fn holds(text: &str, range: TextRange, what: &str) {
    assert!(text.get(bytes(range)).is_some(), "{what} is at {range:?}, which is no piece of the text");
}

fn bytes(range: TextRange) -> Range<usize> {
    range.start().into()..range.end().into()
}
