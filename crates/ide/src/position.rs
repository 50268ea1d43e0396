use marotte_db::File;
use marotte_text::{TextRange, TextSize};

/// A place between two characters of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file that contains the place.
    pub file: File,
    /// The offset from its start, in bytes. If it is outside of the text, or within a character, the result is empty.
    pub offset: TextSize,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The file that contains the range.
    pub file: File,
    /// The range, in bytes.
    pub range: TextRange,
}
