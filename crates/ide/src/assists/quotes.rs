//! Assist: convert double quotes to single ones, or the reverse.

use marotte_syntax::{LexemeKind, Mode, lexemes};

use super::{Assist, Spot};
use crate::token::slice;

/// Converts the quotes of a string, provided that both kinds of quotes produce the same text.
pub(super) fn convert(spot: &Spot<'_>, mode: Mode) -> Option<Assist> {
    let all = lexemes(spot.text, mode).all;
    let string =
        all.iter().find(|it| it.kind == LexemeKind::String && it.range.contains_range(spot.at.range))?;
    let written = slice(spot.text, string.range);
    let quote = written.chars().next()?;
    let inside = written.strip_prefix(quote)?.strip_suffix(quote)?;
    let (new, title) = match quote {
        '\'' => ('"', "Use double quotes"),
        '"' => ('\'', "Use single quotes"),
        _ => return None,
    };
    if inside.contains(['\\', '$', '\'', '"']) {
        return None;
    }
    let edits = vec![spot.edit(string.range, format!("{new}{inside}{new}"))];
    Some(Assist { id: "convert-quotes", title: title.to_owned(), edits })
}
