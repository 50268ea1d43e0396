//! Formats of `String.new`: `%[flags][width][.precision]letter` (D79).

use std::ops::Range;

use marotte_text::Str;

use super::FormatError;

/// A parsed format, such as `%#-10.3s`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Directive {
    /// The text as written, including any lines around the directive.
    pub(super) text: Str,
    /// The letter, which selects the conversion.
    pub(super) letter: char,
    /// `#`: the alternative form.
    pub(super) alternative: bool,
    /// `-`: left-aligned.
    pub(super) left: bool,
    /// The minimum width in characters; for arrays, the maximum length of lines.
    pub(super) width: Option<u64>,
    /// The maximum number of characters.
    pub(super) precision: Option<u64>,
    /// The delimiters around the elements of a container, if given.
    pub(super) delimiters: Option<(&'static str, &'static str)>,
}

/// The flags that select delimiters, in order of precedence.
const DELIMITERS: [(char, (&str, &str)); 5] =
    [('[', ("[", "]")), ('{', ("{", "}")), ('(', ("(", ")")), ('<', ("<", ">")), ('|', ("|", "|"))];

impl Directive {
    /// Parses the text of a format.
    pub(super) fn parse(text: &str) -> Result<Directive, FormatError> {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let parts = lines.map(|at| (at, Parts::at(text, at))).find_map(|(_, parts)| parts);
        let Some(Parts { flags, width, precision, letter }) = parts else {
            return Err(FormatError::NotAFormat(text.to_owned()));
        };
        let flags = &text[flags];
        if flags.char_indices().any(|(at, flag)| flags[..at].contains(flag)) {
            return Err(FormatError::RepeatedFlag(text.to_owned()));
        }
        let mut given = DELIMITERS.iter().filter(|(flag, _)| flags.contains(*flag)).map(|(_, pair)| *pair);
        let delimiters = given.next();
        if given.next().is_some() {
            return Err(FormatError::TwoDelimiters(text.to_owned()));
        }
        Ok(Directive {
            text: text.into(),
            letter,
            alternative: flags.contains('#'),
            left: flags.contains('-'),
            width: width.map(|it| number(&text[it])),
            precision: precision.map(|it| number(&text[it])),
            delimiters: delimiters.or(flags.contains(' ').then_some(("", ""))),
        })
    }

    /// Returns the text with another letter.
    pub(super) fn with_letter(&self, letter: char) -> Str {
        if letter == self.letter {
            return self.text.clone();
        }
        self.text.chars().map(|it| if it == self.letter { letter } else { it }).collect::<String>().into()
    }

    /// Returns the text with a precision and another letter.
    pub(super) fn with_precision(&self, precision: usize, letter: char) -> Str {
        let start = if self.text.starts_with('%') { 0 } else { self.text.find("\n%").map_or(0, |at| at + 1) };
        let find = |wanted: &[char]| self.text[start..].find(wanted).map_or(self.text.len(), |at| start + at);
        let (flags, end) = (find(&['.', self.letter]), find(&[self.letter]));
        let rest = self.text.get(end + 1..).unwrap_or_default();
        format!("{}.{precision}{letter}{rest}", &self.text[..flags]).into()
    }

    /// Whether flags, width and precision don't change a text.
    pub(super) fn is_plain(&self) -> bool {
        !self.left && self.width.is_none() && self.precision.is_none()
    }
}

/// Parses a number; saturates.
fn number(digits: &str) -> u64 {
    digits.parse().unwrap_or(u64::MAX)
}

struct Parts {
    flags: Range<usize>,
    width: Option<Range<usize>>,
    precision: Option<Range<usize>>,
    letter: char,
}

impl Parts {
    /// Parses a format that starts at a byte and ends at the end of a line; flags may be blanks of any kind, even line ends.
    fn at(text: &str, start: usize) -> Option<Parts> {
        let bytes = text.as_bytes();
        let skip = |from: usize, of: &dyn Fn(u8) -> bool| {
            bytes[from..].iter().position(|it| !of(*it)).map_or(bytes.len(), |count| from + count)
        };
        if bytes.get(start) != Some(&b'%') {
            return None;
        }
        let is_flag = |it: u8| b" \t\r\n\x0B\x0C[+#0{<(|-".contains(&it);
        let flags = start + 1..skip(start + 1, &is_flag);
        let width = flags.end..skip(flags.end, &|it| it.is_ascii_digit());
        let mut at = width.end;
        let mut precision = None;
        if bytes.get(at) == Some(&b'.') {
            let digits = at + 1..skip(at + 1, &|it| it.is_ascii_digit());
            if digits.is_empty() {
                return None;
            }
            at = digits.end;
            precision = Some(digits);
        }
        let letter = bytes.get(at).copied().filter(u8::is_ascii_alphabetic)?;
        if bytes.get(at + 1).is_some_and(|it| *it != b'\n') {
            return None;
        }
        let width = (!width.is_empty()).then_some(width);
        Some(Parts { flags, width, precision, letter: char::from(letter) })
    }
}
