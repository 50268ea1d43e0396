use marotte_text::{LineIndex, Position, TextRange, TextSize};

use crate::FileId;

/// The texts that diagnostics point into, needed to display byte ranges.
///
/// Everything is borrowed from the implementor, so that a database can return references to its contents.
pub trait Sources {
    /// The file's path as displayed to the user.
    fn path(&self, file: FileId) -> &str;
    /// The file's text; empty if it could not be read.
    fn text(&self, file: FileId) -> &str;
    /// The line index of [`text`](Sources::text).
    fn line_index(&self, file: FileId) -> &LineIndex;
}

/// The start and end of a range as lines and columns for people; the end is exclusive.
pub(crate) fn positions(sources: &dyn Sources, file: FileId, range: TextRange) -> (Position, Position) {
    let (text, lines) = (sources.text(file), sources.line_index(file));
    let position = |offset| lines.position(offset_of(boundary(text, offset)));
    (position(range.start()), position(range.end()))
}

/// Returns the nearest character boundary at or before an offset, inside the text: a line index accepts no others, and a finding
/// with a wrong range must be displayed nevertheless.
pub(crate) fn boundary(text: &str, offset: TextSize) -> usize {
    let mut offset = usize::from(offset).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Converts an offset; all texts are shorter than 4 GiB.
pub(crate) fn offset_of(offset: usize) -> TextSize {
    u32::try_from(offset).map_or(TextSize::new(u32::MAX), TextSize::new)
}
