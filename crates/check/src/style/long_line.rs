//! `long-line`: a line has more than 140 characters.

use marotte_diagnostics::rules;
use marotte_text::{TextRange, TextSize};

use super::Style;

/// The maximum length of a line, in characters.
const LIMIT: usize = 140;

pub(super) fn check(style: &mut Style<'_>) {
    for line in 0..style.lines.line_count() {
        let Some(range) = style.lines.line_range(line) else { continue };
        if usize::from(range.len()) <= LIMIT {
            continue;
        }
        let text = style.source(range).trim_end_matches(['\r', '\n']);
        // Addresses and the names of templates cannot be broken.
        if text.contains("://") || text.contains("template(") {
            continue;
        }
        let Some((at, _)) = text.char_indices().nth(LIMIT) else { continue };
        let rest = TextSize::of(&text[at..]);
        let start = range.start() + TextSize::of(&text[..at]);
        let message = format!("the line has {} characters", text.chars().count());
        let finding = style.report(rules::LONG_LINE, TextRange::at(start, rest), message);
        finding.label = Some(format!("more than {LIMIT}"));
    }
}
