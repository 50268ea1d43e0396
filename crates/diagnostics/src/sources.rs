use marotte_text::{LineIndex, Position, TextRange, TextSize};

use crate::FileId;

/// The texts that diagnostics point into: what turns byte ranges into something to read.
///
/// Everything is lent for as long as the implementor is borrowed, so that a database can hand out what it holds.
pub trait Sources {
    /// The file's path as it is shown to the user.
    fn path(&self, file: FileId) -> &str;
    /// The file's text; empty if it could not be read.
    fn text(&self, file: FileId) -> &str;
    /// The lines of [`text`](Sources::text).
    fn line_index(&self, file: FileId) -> &LineIndex;
}

/// Where a range starts and ends as people count; the end is exclusive.
pub(crate) fn positions(sources: &dyn Sources, file: FileId, range: TextRange) -> (Position, Position) {
    let (text, lines) = (sources.text(file), sources.line_index(file));
    let position = |offset| lines.position(offset_of(boundary(text, offset)));
    (position(range.start()), position(range.end()))
}

/// The nearest character boundary at or before an offset, inside the text: a line index knows no others, and a finding
/// with a wrong range has to be shown all the same.
pub(crate) fn boundary(text: &str, offset: TextSize) -> usize {
    let mut offset = usize::from(offset).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// An offset into a text, all of which are shorter than 4 GiB.
pub(crate) fn offset_of(offset: usize) -> TextSize {
    u32::try_from(offset).map_or(TextSize::new(u32::MAX), TextSize::new)
}
