//! Properties of the findings for syntax errors.

use std::sync::Arc;

use marotte_diagnostics::output::{self, Color, Format};
use marotte_diagnostics::{Diagnostic, FileId, Sources, syntax};
use marotte_syntax::SyntaxError;
use marotte_tests::arbitrary::check_finding;
use marotte_text::LineIndex;

const FILE: FileId = FileId(0);

/// Rendered only up to this many bytes: drawing takes longer than reading.
const DRAWN: usize = 1 << 12;

/// Every error has words, places that exist, edits that can be applied, and a picture.
pub(crate) fn check(source: &str, errors: &[SyntaxError]) {
    let diagnostics: Vec<Arc<Diagnostic>> =
        errors.iter().map(|error| syntax::diagnostic(FILE, error, source).into()).collect();
    for diagnostic in &diagnostics {
        check_finding(diagnostic, &|_| source);
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
