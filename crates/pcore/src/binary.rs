//! Values of bytes: `Binary`.

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD, URL_SAFE};

/// A sequence of bytes. Equality compares the bytes. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Binary(Arc<[u8]>);

/// The interpretation of a string as bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryFormat {
    /// `%b`: lenient base64; characters outside of its alphabet are skipped.
    Relaxed,
    /// `%u`: base64 with `-` and `_`, padded or not.
    UrlSafe,
    /// `%B`: base64 with padding and without line breaks.
    #[default]
    Strict,
    /// `%s`: the string's own bytes.
    Text,
    /// `%r`: the string's own bytes, which may be any bytes.
    Raw,
}

impl BinaryFormat {
    /// Returns the format of a directive such as `%b`.
    pub fn parse(directive: &str) -> Option<BinaryFormat> {
        Some(match directive {
            "%b" => BinaryFormat::Relaxed,
            "%u" => BinaryFormat::UrlSafe,
            "%B" => BinaryFormat::Strict,
            "%s" => BinaryFormat::Text,
            "%r" => BinaryFormat::Raw,
            _ => return None,
        })
    }
}

/// The error for a string that isn't base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBase64;

impl fmt::Display for InvalidBase64 {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "invalid base64")
    }
}

impl std::error::Error for InvalidBase64 {}

/// The surplus bits of the last character, which don't fill a byte, are dropped, as in the reference.
const RELAXED: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

impl Binary {
    /// Decodes a string in a format.
    ///
    /// # Errors
    /// If the string isn't valid in a strict format.
    pub fn decode(text: &str, format: BinaryFormat) -> Result<Binary, InvalidBase64> {
        match format {
            BinaryFormat::Text | BinaryFormat::Raw => Ok(Binary::from(text.as_bytes())),
            BinaryFormat::Relaxed => Ok(Binary::relaxed(text)),
            BinaryFormat::Strict => strict(text),
            BinaryFormat::UrlSafe => {
                let unpadded = !text.ends_with('=') && !text.len().is_multiple_of(4);
                let padding = if unpadded { "=".repeat(4 - text.len() % 4) } else { String::new() };
                let standard: String = text
                    .chars()
                    .chain(padding.chars())
                    .map(|c| match c {
                        '-' => '+',
                        '_' => '/',
                        c => c,
                    })
                    .collect();
                strict(&standard)
            }
        }
    }

    /// Decodes base64 up to its padding, ignoring all other characters.
    fn relaxed(text: &str) -> Binary {
        let is_digit = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
        let mut digits: Vec<u8> = Vec::new();
        for byte in text.bytes() {
            if is_digit(&byte) {
                digits.push(byte);
            } else if byte == b'=' && digits.len() % 4 >= 2 {
                break;
            }
        }
        if digits.len() % 4 == 1 {
            digits.pop();
        }
        // Only base64 digits are left, in a valid number.
        RELAXED.decode(&digits).map(Binary::from).unwrap_or_else(|_| Binary::from(&[][..]))
    }

    /// Returns the bytes of the value.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Encodes as strict base64, `%B`.
    pub fn to_base64(&self) -> String {
        STANDARD.encode(&self.0)
    }

    /// Encodes as base64 with `-` and `_`, `%u`.
    pub fn to_base64_urlsafe(&self) -> String {
        URL_SAFE.encode(&self.0)
    }

    /// Encodes as base64 in lines of 60 characters, `%b`.
    pub fn to_base64_lines(&self) -> String {
        const BYTES_OF_A_LINE: usize = 45;
        self.0.chunks(BYTES_OF_A_LINE).map(|line| STANDARD.encode(line) + "\n").collect()
    }

    /// Returns the bytes as text, `%s`; `None` if they aren't valid UTF-8.
    pub fn to_text(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// `binary[at]`: one byte; a negative index counts from the end. Empty if out of range.
    pub fn at(&self, at: i64) -> Binary {
        let at = self.position(at);
        if at < 0 { Binary::from(&[][..]) } else { self.span(at, 1) }
    }

    /// `binary[from, count]`: the bytes from an index, which counts from the end if negative. A negative count is the
    /// index of the last byte, also from the end.
    pub fn slice(&self, from: i64, count: i64) -> Binary {
        let from = self.position(from);
        let count = i128::from(count);
        let count = if count < 0 { self.len() as i128 - from + count + 1 } else { count };
        if from < 0 { self.span(0, count + from) } else { self.span(from, count) }
    }

    fn position(&self, at: i64) -> i128 {
        let at = i128::from(at);
        if at < 0 { self.len() as i128 + at } else { at }
    }

    fn span(&self, from: i128, count: i128) -> Binary {
        let len = self.len() as i128;
        let from = from.clamp(0, len);
        let end = (from + count).clamp(from, len);
        Binary::from(&self.0[from as usize..end as usize])
    }

    /// `binary + binary`.
    pub fn concat(&self, other: &Binary) -> Binary {
        Binary::from([&*self.0, &*other.0].concat())
    }

    /// Whether it contains the bytes of another.
    pub fn contains(&self, other: &Binary) -> bool {
        other.is_empty() || self.0.windows(other.len()).any(|window| *window == *other.0)
    }
}

fn strict(text: &str) -> Result<Binary, InvalidBase64> {
    STANDARD.decode(text).map(Binary::from).map_err(|_| InvalidBase64)
}

impl From<&[u8]> for Binary {
    fn from(bytes: &[u8]) -> Binary {
        Binary(bytes.into())
    }
}

impl From<Vec<u8>> for Binary {
    fn from(bytes: Vec<u8>) -> Binary {
        Binary(bytes.into())
    }
}

/// Formats as strict base64.
impl fmt::Display for Binary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.to_base64())
    }
}

impl fmt::Debug for Binary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Binary({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text, and in hexadecimal the bytes that `%b`, `%u` and `%B` decode from it, recorded from Ruby 3.1.2.
    const DECODED: &[(&str, &str, Option<&str>, Option<&str>)] = &[
        ("aGVsbG8=", "68656c6c6f", Some("68656c6c6f"), Some("68656c6c6f")),
        ("aGVsbG8", "68656c6c6f", Some("68656c6c6f"), None),
        ("aGVsbA==", "68656c6c", Some("68656c6c"), Some("68656c6c")),
        ("aGVsbA", "68656c6c", Some("68656c6c"), None),
        ("aGVsbA=", "68656c6c", None, None),
        ("aGV_bG8-", "68655b1b", Some("68657f6c6f3e"), None),
        ("aGV/bG8+", "68657f6c6f3e", Some("68657f6c6f3e"), Some("68657f6c6f3e")),
        ("a", "", None, None),
        ("ab", "69", None, None),
        ("abc", "69b7", Some("69b7"), None),
        ("abcd", "69b71d", Some("69b71d"), Some("69b71d")),
        ("abcde", "69b71d", None, None),
        ("a=bc", "69b7", None, None),
        ("ab=c", "69", None, None),
        ("ab==", "69", None, None),
        ("ab==cd", "69", None, None),
        ("abc=d", "69b7", None, None),
        ("=", "", None, None),
        ("==", "", None, None),
        ("====", "", None, None),
        ("YQ", "61", Some("61"), None),
        ("YR==", "61", None, None),
        ("YQ===", "61", None, None),
        ("", "", Some(""), Some("")),
        ("aGVs bG8=", "68656c6c6f", None, None),
        ("aGVs\nbG8=\n", "68656c6c6f", None, None),
        ("é", "", None, None),
        ("aGVs*bG8=", "68656c6c6f", None, None),
    ];

    /// Slices of `abcd`, recorded from the reference.
    const SLICES: &[(i64, i64, &str)] = &[
        (-5, -6, ""),
        (-5, -2, "abc"),
        (-5, -1, "abcd"),
        (-5, 0, ""),
        (-5, 1, ""),
        (-5, 2, "a"),
        (-5, 9, "abcd"),
        (-4, -6, ""),
        (-4, -2, "abc"),
        (-4, -1, "abcd"),
        (-4, 0, ""),
        (-4, 1, "a"),
        (-4, 2, "ab"),
        (-4, 9, "abcd"),
        (-1, -6, ""),
        (-1, -2, ""),
        (-1, -1, "d"),
        (-1, 0, ""),
        (-1, 1, "d"),
        (-1, 2, "d"),
        (-1, 9, "d"),
        (0, -6, ""),
        (0, -2, "abc"),
        (0, -1, "abcd"),
        (0, 0, ""),
        (0, 1, "a"),
        (0, 2, "ab"),
        (0, 9, "abcd"),
        (1, -6, ""),
        (1, -2, "bc"),
        (1, -1, "bcd"),
        (1, 0, ""),
        (1, 1, "b"),
        (1, 2, "bc"),
        (1, 9, "bcd"),
        (3, -6, ""),
        (3, -2, ""),
        (3, -1, "d"),
        (3, 0, ""),
        (3, 1, "d"),
        (3, 2, "d"),
        (3, 9, "d"),
        (4, -6, ""),
        (4, -2, ""),
        (4, -1, ""),
        (4, 0, ""),
        (4, 1, ""),
        (4, 2, ""),
        (4, 9, ""),
        (5, -6, ""),
        (5, -2, ""),
        (5, -1, ""),
        (5, 0, ""),
        (5, 1, ""),
        (5, 2, ""),
        (5, 9, ""),
    ];
    const ELEMENTS: &[(i64, &str)] = &[(-5, ""), (-4, "a"), (-1, "d"), (0, "a"), (3, "d"), (4, ""), (9, "")];

    fn hex(binary: &Binary) -> String {
        binary.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn decoding() {
        for (text, relaxed, url_safe, strict) in DECODED {
            let decode = |format| Binary::decode(text, format).ok().map(|it| hex(&it));
            assert_eq!(decode(BinaryFormat::Relaxed).as_deref(), Some(*relaxed), "{text:?}");
            assert_eq!(decode(BinaryFormat::UrlSafe).as_deref(), *url_safe, "{text:?}");
            assert_eq!(decode(BinaryFormat::Strict).as_deref(), *strict, "{text:?}");
            assert_eq!(Binary::decode(text, BinaryFormat::Text).unwrap().bytes(), text.as_bytes());
        }
        assert_eq!(Binary::decode("=", BinaryFormat::Strict).unwrap_err().to_string(), "invalid base64");
    }

    #[test]
    fn encoding() {
        let binary = Binary::from((0..=255).collect::<Vec<u8>>());
        assert_eq!(binary.to_base64().len(), 344);
        assert_eq!(Binary::decode(&binary.to_string(), BinaryFormat::Strict), Ok(binary.clone()));
        assert_eq!(Binary::decode(&binary.to_base64_urlsafe(), BinaryFormat::UrlSafe), Ok(binary.clone()));
        let lines = binary.to_base64_lines();
        assert_eq!(lines.lines().map(str::len).collect::<Vec<_>>(), [60, 60, 60, 60, 60, 44]);
        assert_eq!(Binary::decode(&lines, BinaryFormat::Relaxed), Ok(binary.clone()));
        assert_eq!(binary.to_text(), None);
    }

    #[test]
    fn access() {
        let binary = Binary::from(&b"abcd"[..]);
        for (from, count, expected) in SLICES {
            assert_eq!(binary.slice(*from, *count).bytes(), expected.as_bytes(), "[{from}, {count}]");
        }
        for (at, expected) in ELEMENTS {
            assert_eq!(binary.at(*at).bytes(), expected.as_bytes(), "[{at}]");
        }
        for extreme in [i64::MIN, i64::MAX] {
            assert!(binary.at(extreme).is_empty());
            assert!(binary.slice(extreme, i64::MIN).is_empty());
            assert!(binary.slice(i64::MAX, extreme).is_empty());
        }
    }

    #[test]
    fn parts_of_others() {
        let (a, b) = (Binary::from(&b"ab"[..]), Binary::from(&b"c"[..]));
        let whole = a.concat(&b);
        assert_eq!(whole.bytes(), b"abc");
        assert!(whole.contains(&b) && whole.contains(&Binary::from(&b""[..])) && !a.contains(&b));
    }
}
