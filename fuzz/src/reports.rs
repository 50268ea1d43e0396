//! Properties of the findings for syntax errors.

use std::sync::Arc;

use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, FileId, Sources, rules, syntax};
use marotte_syntax::SyntaxError;
use marotte_text::LineIndex;

use crate::{Text, bytes};

const FILE: FileId = FileId(0);

/// Rendered only up to this many bytes: drawing takes longer than reading.
const DRAWN: usize = 1 << 12;

/// Every error has words, places that exist, edits that can be applied, and a picture.
pub(crate) fn check(source: &str, errors: &[SyntaxError]) {
    let diagnostics: Vec<Arc<Diagnostic>> =
        errors.iter().map(|error| syntax::diagnostic(FILE, error, source).into()).collect();
    for diagnostic in &diagnostics {
        one(diagnostic, &|_| source);
    }
    if source.len() <= DRAWN {
        let file = File { text: source, lines: LineIndex::new(source) };
        for format in [Format::Full, Format::Json] {
            let mut out = Vec::new();
            let written = output::write(format, &diagnostics, &file, Color::Never, &mut out);
            assert!(written.is_ok() && String::from_utf8(out).is_ok(), "{format} is not written");
        }
    }
}

/// A diagnostic has words, places that exist in the texts of their files, and edits that can be applied.
pub(crate) fn one<'t>(diagnostic: &Diagnostic, text_of: &dyn Fn(FileId) -> &'t str) {
    let text = Text(text_of(diagnostic.file));
    assert!(rules::rule(diagnostic.rule).is_some(), "{} is no rule", diagnostic.rule);
    assert!(!diagnostic.message.is_empty(), "there is no message: {diagnostic:?}");
    text.holds(diagnostic.range, "a diagnostic");
    for related in &diagnostic.related {
        Text(text_of(related.file)).holds(related.range, "a related place");
    }
    let Some(fix) = &diagnostic.fix else { return };
    assert!(!fix.edits.is_empty(), "the fix changes nothing: {diagnostic:?}");
    let mut end = 0;
    for edit in &fix.edits {
        text.holds(edit.range, "an edit");
        let edited = bytes(edit.range);
        assert!(edited.start >= end, "the edits overlap or are out of order: {diagnostic:?}");
        assert!(text.0[edited.clone()] != edit.text, "an edit changes nothing: {diagnostic:?}");
        end = edited.end;
    }
}

/// The text as a file.
struct File<'t> {
    text: &'t str,
    lines: LineIndex,
}

impl Sources for File<'_> {
    fn path(&self, _: FileId) -> &str {
        "site.pp"
    }

    fn text(&self, _: FileId) -> &str {
        self.text
    }

    fn line_index(&self, _: FileId) -> &LineIndex {
        &self.lines
    }
}
