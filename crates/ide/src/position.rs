use marotte_db::File;
use marotte_text::{TextRange, TextSize};

/// A place between two characters of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FilePosition {
    /// The file.
    pub file: File,
    /// So many bytes from its start. For an offset outside of the text, or within a character, there are no answers.
    pub offset: TextSize,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileRange {
    /// The file.
    pub file: File,
    /// In bytes.
    pub range: TextRange,
}
