//! The characters of a string's bytes, whether or not they are valid in its encoding.

use crate::value::Encoding;

/// The bytes of a string, read as characters. Each byte of an invalid sequence is a character of its own, as in Ruby.
#[derive(Clone, Copy)]
pub(crate) struct Characters<'a> {
    bytes: &'a [u8],
    layout: Layout,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Each byte is a character: ASCII, and strings without an encoding.
    Single,
    /// Valid UTF-8.
    Valid,
    /// UTF-8 with invalid sequences.
    Broken,
    /// ASCII with other bytes.
    BrokenSingle,
}

impl<'a> Characters<'a> {
    /// The characters of these bytes.
    pub(crate) fn of(bytes: &'a [u8], encoding: Encoding) -> Characters<'a> {
        let layout = match encoding {
            Encoding::Utf8 if bytes.is_ascii() => Layout::Single,
            Encoding::Utf8 if std::str::from_utf8(bytes).is_ok() => Layout::Valid,
            Encoding::Utf8 => Layout::Broken,
            Encoding::Ascii if !bytes.is_ascii() => Layout::BrokenSingle,
            _ => Layout::Single,
        };
        Characters { bytes, layout }
    }

    /// All bytes.
    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Whether there are bytes that the encoding does not allow.
    pub(crate) fn is_broken(self) -> bool {
        matches!(self.layout, Layout::Broken | Layout::BrokenSingle)
    }

    /// Whether each byte is a character.
    pub(crate) fn is_single(self) -> bool {
        matches!(self.layout, Layout::Single | Layout::BrokenSingle)
    }

    /// The number of characters.
    pub(crate) fn count(self) -> usize {
        match self.layout {
            Layout::Single | Layout::BrokenSingle => self.bytes.len(),
            Layout::Valid => self.bytes.iter().filter(|it| !is_continuation(**it)).count(),
            Layout::Broken => self.iter().count(),
        }
    }

    /// The offset of the character with this index, or of the end for the index after the last one.
    pub(crate) fn offset(self, index: usize) -> Option<usize> {
        match self.layout {
            Layout::Single | Layout::BrokenSingle => (index <= self.bytes.len()).then_some(index),
            _ => {
                let mut offset = 0;
                for _ in 0..index {
                    offset += self.length_at(offset)?;
                }
                Some(offset)
            }
        }
    }

    /// The number of characters before an offset.
    pub(crate) fn index(self, offset: usize) -> usize {
        let before = self.bytes.get(..offset).unwrap_or(self.bytes);
        Characters { bytes: before, layout: self.layout }.count()
    }

    /// The length of the character at an offset; none at the end.
    pub(crate) fn length_at(self, offset: usize) -> Option<usize> {
        let rest = self.bytes.get(offset..)?;
        let first = *rest.first()?;
        Some(match self.layout {
            Layout::Single | Layout::BrokenSingle => 1,
            Layout::Valid => width(first).min(rest.len()),
            Layout::Broken => valid_length(rest).unwrap_or(1),
        })
    }

    /// The length of the character that ends at an offset; none at the start.
    pub(crate) fn length_before(self, offset: usize) -> Option<usize> {
        let before = self.bytes.get(..offset)?;
        if before.is_empty() {
            return None;
        }
        Some(match self.layout {
            Layout::Single | Layout::BrokenSingle => 1,
            _ => (1..=before.len().min(4))
                .find(|length| valid_length(&before[before.len() - length..]) == Some(*length))
                .unwrap_or(1),
        })
    }

    /// Whether a character starts at an offset, or the string ends there.
    pub(crate) fn is_boundary(self, offset: usize) -> bool {
        match self.layout {
            Layout::Single | Layout::BrokenSingle => offset <= self.bytes.len(),
            Layout::Valid => {
                self.bytes.get(offset).map_or(offset == self.bytes.len(), |it| !is_continuation(*it))
            }
            Layout::Broken => {
                let start = offset.saturating_sub(3);
                // A character that starts before the offset and is longer covers it.
                !(start..offset).any(|at| {
                    self.bytes.get(at..).and_then(valid_length).is_some_and(|length| at + length > offset)
                })
            }
        }
    }

    /// The characters from left to right.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u8]> + Clone {
        let mut at = 0;
        std::iter::from_fn(move || {
            let length = self.length_at(at)?;
            let character = self.bytes.get(at..at + length)?;
            at += length;
            Some(character)
        })
    }

    /// The code points from left to right; None for an invalid byte.
    pub(crate) fn codes(self) -> impl Iterator<Item = Option<u32>> + Clone {
        let is_single = self.layout == Layout::Single;
        self.iter().map(move |character| match character {
            [byte] if is_single || byte.is_ascii() => Some(u32::from(*byte)),
            bytes => std::str::from_utf8(bytes).ok()?.chars().next().map(u32::from),
        })
    }
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn width(first: u8) -> usize {
    match first {
        0..=0x7F => 1,
        0x80..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    }
}

/// The length of the valid character that bytes begin with.
fn valid_length(bytes: &[u8]) -> Option<usize> {
    let length = width(*bytes.first()?);
    std::str::from_utf8(bytes.get(..length)?).ok().map(|_| length)
}

#[cfg(test)]
mod tests {
    use super::Characters;
    use crate::value::Encoding;

    #[test]
    fn invalid_bytes_are_characters() {
        let of = |bytes: &'static [u8]| Characters::of(bytes, Encoding::Utf8);
        let broken = of(b"a\xE3\x81\xC3\xA9b");
        assert_eq!(broken.iter().collect::<Vec<_>>(), [&b"a"[..], b"\xE3", b"\x81", b"\xC3\xA9", b"b"]);
        assert_eq!(broken.count(), 5);
        assert_eq!(broken.offset(4), Some(5));
        assert_eq!(broken.offset(5), Some(6));
        assert_eq!(broken.offset(6), None);
        assert_eq!(broken.length_before(5), Some(2));
        assert!(!broken.is_boundary(4));
        assert!(broken.is_boundary(2));
        assert_eq!(of("aéb".as_bytes()).index(3), 2);
    }
}
