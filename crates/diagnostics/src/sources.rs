use marotte_text::{LineIndex, Position, TextRange};

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
    let lines = sources.line_index(file);
    (lines.position(range.start()), lines.position(range.end()))
}
