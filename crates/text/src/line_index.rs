use line_index::{LineCol, WideEncoding};
use text_size::{TextRange, TextSize};

/// A human-readable position: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, counted from 1.
    pub line: u32,
    /// Column, counted in characters from 1.
    pub column: u32,
}

/// The line starts of one text: turns byte offsets into [`Position`]s.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    index: line_index::LineIndex,
    len: TextSize,
}

impl LineIndex {
    /// Scans `text` for line ends.
    pub fn new(text: &str) -> Self {
        LineIndex { index: line_index::LineIndex::new(text), len: TextSize::of(text) }
    }

    /// The position of a byte offset; an offset beyond the end counts as the end.
    pub fn position(&self, offset: TextSize) -> Position {
        let narrow = self.index.line_col(offset.min(self.len));
        let column = self.index.to_wide(WideEncoding::Utf32, narrow).map_or(narrow.col, |wide| wide.col);
        Position { line: narrow.line + 1, column: column + 1 }
    }

    /// The byte offset at which a line (counted from 0) starts, if there is such a line.
    pub fn line_start(&self, line: u32) -> Option<TextSize> {
        self.index.offset(LineCol { line, col: 0 })
    }

    /// The line, counted from 0, that holds a byte offset.
    pub fn line(&self, offset: TextSize) -> u32 {
        self.index.line_col(offset.min(self.len)).line
    }

    /// The bytes of a line (counted from 0), its line end included.
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        let start = self.line_start(line)?;
        Some(TextRange::new(start, self.line_start(line + 1).unwrap_or(self.len)))
    }

    /// The number of lines; a text without a line end has one.
    pub fn line_count(&self) -> u32 {
        self.line(self.len) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let index = LineIndex::new("é$x\nb");
        assert_eq!(index.position(TextSize::new(2)), Position { line: 1, column: 2 });
        assert_eq!(index.position(TextSize::new(5)), Position { line: 2, column: 1 });
    }

    #[test]
    fn an_offset_past_the_end_is_the_end() {
        assert_eq!(LineIndex::new("ab").position(TextSize::new(9)), Position { line: 1, column: 3 });
    }
}
