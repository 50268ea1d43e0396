//! Insertions into JSON documents.

use marotte_hiera::data::{Inner, Places};
use marotte_text::{TextRange, TextSize};

use crate::token::slice;

/// The insertion of a member at the end of a hash or an array: the replaced range, and the text. The member gets a line of its
/// own where the last one has one, or where there is none yet; it is given the indentation of that line.
pub(super) fn appended(text: &str, places: &Places, member: impl Fn(&str) -> String) -> (TextRange, String) {
    let last = match &places.inner {
        Inner::Elements(all) => all.last().map(|it| it.range),
        Inner::Entries(all) => {
            let ranges = all.iter().map(|(key, it)| TextRange::new(key.start(), it.range.end()));
            ranges.max_by_key(|it| it.end())
        }
        Inner::Scalar => None,
    };
    let Some(last) = last else {
        let outer = line_indent(text, places.range.start());
        let inner = format!("{outer}  ");
        let (open, close) = match slice(text, places.range).starts_with('[') {
            true => ('[', ']'),
            false => ('{', '}'),
        };
        return (places.range, format!("{open}\n{inner}{}\n{outer}{close}", member(&inner)));
    };
    let before = text.get(..usize::from(last.start())).unwrap_or_default();
    let line = &before[before.rfind('\n').map_or(0, |it| it + 1)..];
    let insertion = match before.contains('\n') && line.trim().is_empty() {
        true => format!(",\n{line}{}", member(line)),
        false => format!(", {}", member("")),
    };
    (TextRange::empty(last.end()), insertion)
}

/// The indentation of the line with a place.
fn line_indent(text: &str, at: TextSize) -> &str {
    let before = text.get(..usize::from(at)).unwrap_or_default();
    let line = &text[before.rfind('\n').map_or(0, |it| it + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The text after an insertion.
pub(super) fn with(text: &str, (range, inserted): &(TextRange, String)) -> Option<String> {
    let (before, after) = (text.get(..usize::from(range.start()))?, text.get(usize::from(range.end())..)?);
    Some(format!("{before}{inserted}{after}"))
}
