//! Position conversion: byte offsets here, lines and characters in the protocol.

use lsp_types::{Position, PositionEncodingKind, Range};
use marotte_text::{TextRange, TextSize};

/// The unit of characters in the protocol's positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Offsets count bytes.
    Utf8,
    /// UTF-16 code units: the unit that every client supports.
    #[default]
    Utf16,
    /// Offsets count characters.
    Utf32,
}

impl Encoding {
    /// Chooses the encoding from those that a client offers, in the client's order of preference.
    ///
    /// UTF-8 is preferred, because it costs nothing; otherwise, the client's first choice is used.
    pub fn negotiated(offered: &[PositionEncodingKind]) -> Encoding {
        let known = |kind: &PositionEncodingKind| match kind.to_string().as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        };
        let mut offered = offered.iter().filter_map(known).peekable();
        let first = offered.peek().copied();
        offered.find(|it| *it == Encoding::Utf8).or(first).unwrap_or_default()
    }

    /// Returns the name of the encoding in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, character: char) -> usize {
        match self {
            Encoding::Utf8 => character.len_utf8(),
            Encoding::Utf16 => character.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf8 => text.len(),
            _ if text.is_ascii() => text.len(),
            _ => text.chars().map(|it| self.width(it)).sum(),
        }
    }
}

/// The line starts of a text, according to the protocol: `\n`, `\r\n` and a lone `\r` end a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// Scans a text for line ends.
    pub fn new(text: &str) -> Lines {
        let mut starts = vec![0];
        let bytes = text.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if *byte == b'\n' || *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                starts.push(at + 1);
            }
        }
        Lines { starts }
    }

    /// The number of lines; a text that ends with a line end has an empty last line.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The byte range of a line without its end.
    fn content(&self, text: &str, line: usize) -> Option<(usize, usize)> {
        let start = *self.starts.get(line)?;
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        let content = text.get(start..end)?.trim_end_matches(['\r', '\n']);
        Some((start, start + content.len()))
    }

    /// The offset of a position. A character beyond the end of its line counts as that end, as the protocol demands; None if the
    /// line doesn't exist.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> Option<usize> {
        let (start, end) = self.content(text, usize::try_from(position.line).ok()?)?;
        let line = text.get(start..end)?;
        let wanted = usize::try_from(position.character).ok()?;
        if line.is_ascii() {
            return Some(start + wanted.min(line.len()));
        }
        let mut counted = 0;
        for (at, character) in line.char_indices() {
            // A position inside a character counts as its start.
            if counted + encoding.width(character) > wanted {
                return Some(start + at);
            }
            counted += encoding.width(character);
        }
        Some(end)
    }

    /// Like [`offset`](Lines::offset), for edits: a position after the last line is the end of the text.
    pub fn offset_or_end(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        self.offset(text, position, encoding).unwrap_or(text.len())
    }

    /// The position of an offset; an offset beyond the end counts as the end, one inside a character as its start.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|it| *it <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or_default();
        let character = encoding.length(text.get(start..offset).unwrap_or_default());
        Position::new(saturated(line), saturated(character))
    }

    /// Converts a range to the protocol's.
    pub fn range(&self, text: &str, range: TextRange, encoding: Encoding) -> Range {
        Range::new(
            self.position(text, range.start().into(), encoding),
            self.position(text, range.end().into(), encoding),
        )
    }

    /// Converts a range of the protocol. None if it starts or ends on a line that doesn't exist, or ends before it starts.
    pub fn text_range(&self, text: &str, range: Range, encoding: Encoding) -> Option<TextRange> {
        let start = TextSize::try_from(self.offset(text, range.start, encoding)?).ok()?;
        let end = TextSize::try_from(self.offset(text, range.end, encoding)?).ok()?;
        (start <= end).then(|| TextRange::new(start, end))
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\u{e9}\u{1f600}b\r\nc\rd\n";

    #[test]
    fn the_three_encodings_count_differently() {
        let lines = Lines::new(TEXT);
        let at = |encoding| lines.position(TEXT, 7, encoding).character;
        assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(at), [7, 4, 3]);
        for (encoding, character) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            assert_eq!(lines.offset(TEXT, Position::new(0, character), encoding), Some(7));
        }
    }

    #[test]
    fn each_line_end_counts() {
        let lines = Lines::new(TEXT);
        assert_eq!(lines.count(), 4);
        let line_of = |offset| lines.position(TEXT, offset, Encoding::Utf8).line;
        assert_eq!([0, 8, 9, 10, 11, 12, 13, 14].map(line_of), [0, 0, 0, 1, 1, 2, 2, 3]);
    }

    #[test]
    fn positions_outside_the_text_do_no_harm() {
        let lines = Lines::new(TEXT);
        let at = |line, character| lines.offset(TEXT, Position::new(line, character), Encoding::Utf16);
        assert_eq!(at(0, 99), Some(8));
        assert_eq!(at(0, 3), Some(3), "in the middle of a character");
        assert_eq!(at(3, 5), Some(14));
        assert_eq!(at(4, 0), None);
        assert_eq!(at(u32::MAX, u32::MAX), None);
        assert_eq!(lines.position(TEXT, 999, Encoding::Utf16), Position::new(3, 0));
        assert_eq!(
            lines.position(TEXT, 2, Encoding::Utf8),
            Position::new(0, 1),
            "in the middle of a character"
        );
        let backwards = Range::new(Position::new(1, 0), Position::new(0, 0));
        assert_eq!(lines.text_range(TEXT, backwards, Encoding::Utf8), None);
    }

    #[test]
    fn bytes_are_preferred_and_else_the_client_chooses() {
        let kinds = |names: &[&'static str]| -> Vec<PositionEncodingKind> {
            names.iter().map(|it| PositionEncodingKind::new(it)).collect()
        };
        assert_eq!(Encoding::negotiated(&[]), Encoding::Utf16);
        assert_eq!(Encoding::negotiated(&kinds(&["utf-16", "utf-8"])), Encoding::Utf8);
        assert_eq!(Encoding::negotiated(&kinds(&["utf-7", "utf-32", "utf-16"])), Encoding::Utf32);
    }
}
