//! `invalid-data-file` for values without quotes that say something else than it seems: one that ends with a quote, and one that
//! contains the next element of its list.

use marotte_db::source_text;
use marotte_diagnostics::{Level, rules};
use marotte_text::{TextRange, TextSize};

use crate::data::{DataContext, strings};

pub(in crate::rules) fn check(context: &mut DataContext<'_, '_>) {
    let document = context.document;
    let source = source_text(context.db, context.file).text();
    for (text, range) in strings(&document.value, &document.places) {
        // The text of a value in quotes, of a block, and of one in JSON starts with another character.
        let written = &source[range];
        // The range of a block is that of its text.
        let before = source[..range.start().into()].trim_end_matches(['+', '-', '\n', ' ']);
        let is_block =
            before.ends_with(['|', '>']) && source[before.len()..range.start().into()].contains('\n');
        let is_plain = !is_block
            && text.chars().next() == written.chars().next()
            && !written.starts_with(['"', '\'', '|', '>']);
        if !is_plain {
            continue;
        }
        if let Some(quote) = closing_quote(written) {
            report(context, range, &format!("the quote `{quote}` is a part of this value: nothing opens it"));
        } else if written.lines().skip(1).any(|it| it.trim_start().starts_with("- ")) {
            let line = written.lines().next().unwrap_or_default();
            let first = TextRange::at(range.start(), TextSize::of(line));
            report(context, first, "the next line is a part of this value, and not an element of the list");
        }
    }
}

fn report(context: &mut DataContext<'_, '_>, range: TextRange, message: &str) {
    let finding = context.report(rules::INVALID_DATA_FILE, range, message);
    finding.level = Level::Warning;
}

/// The quote at the end of a value that has no other one. Plurals of several words end with one, too.
fn closing_quote(written: &str) -> Option<char> {
    let last = written.chars().next_back().filter(|it| matches!(it, '\'' | '"'))?;
    let is_only = written.matches(last).count() == 1;
    let is_plural = written.contains(char::is_whitespace) && written.ends_with("s'");
    // Five feet, seven inches.
    let is_unit = written[..written.len() - 1].ends_with(|it: char| it.is_ascii_digit()) && written.len() < 4;
    (is_only && !is_plural && !is_unit).then_some(last)
}
