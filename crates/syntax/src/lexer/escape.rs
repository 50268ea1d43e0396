//! Escape sequences (A20-A23, A78-A80).

use std::borrow::Cow;

/// The set of escapes that a kind of string supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Escapes {
    /// `\\`, which is supported whenever another escape is.
    pub(super) backslash: bool,
    pub(super) tab: bool,
    pub(super) carriage_return: bool,
    pub(super) newline: bool,
    pub(super) space: bool,
    pub(super) unicode: bool,
    /// Whether a backslash before a line end joins the lines.
    pub(super) line_join: bool,
    pub(super) dollar: bool,
    /// `\'` and `\"`.
    pub(super) quotes: bool,
}

impl Escapes {
    /// The escapes of double-quoted strings.
    pub(super) const DOUBLE_QUOTED: Escapes = Escapes {
        backslash: true,
        tab: true,
        carriage_return: true,
        newline: true,
        space: true,
        unicode: true,
        line_join: true,
        dollar: true,
        quotes: true,
    };

    fn decode(self, c: char) -> Option<&'static str> {
        Some(match c {
            '\\' if self.backslash => "\\",
            't' if self.tab => "\t",
            'r' if self.carriage_return => "\r",
            'n' if self.newline => "\n",
            's' if self.space => " ",
            '$' if self.dollar => "$",
            '\'' if self.quotes => "'",
            '"' if self.quotes => "\"",
            '\n' if self.line_join => "",
            _ => return None,
        })
    }
}

/// An error in an escape, with its offset in the text.
#[derive(Debug, PartialEq)]
pub(super) enum EscapeError {
    /// A backslash before a character with which it does not form an escape.
    Unrecognized(usize, char),
    /// `\u` without digits.
    MalformedUnicode(usize),
    /// `\u` that does not name a character; offset and length of the escape.
    NoSuchCharacter(usize, usize),
}

/// Decodes single-quoted text.
pub(super) fn single_quoted(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(&next @ ('\\' | '\''))) => {
                value.push(next);
                chars.next();
            }
            _ => value.push(c),
        }
    }
    Cow::Owned(value)
}

/// Decodes text with escapes.
///
/// As in the reference, unicode escapes are decoded first and the result is read again, so `\u005cn` is a line feed.
pub(super) fn unescape<'t>(text: &'t str, escapes: Escapes, errors: &mut Vec<EscapeError>) -> Cow<'t, str> {
    if !text.contains('\\') || escapes == Escapes::default() {
        return Cow::Borrowed(text);
    }
    let decoded =
        if escapes.unicode && text.contains("\\u") { unicode(text, errors) } else { Cow::Borrowed(text) };
    // After a unicode escape, offsets in `decoded` differ from those in the text.
    let moved = matches!(decoded, Cow::Owned(_));
    let mut value = String::with_capacity(decoded.len());
    let mut rest = &*decoded;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let offset = if moved { text.find('\\').unwrap_or(0) } else { text.len() - rest.len() + at };
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            value.push('\\');
            break;
        };
        if escapes.line_join && rest.starts_with("\r\n") {
            rest = &rest[2..];
        } else if let Some(replacement) = escapes.decode(c) {
            value.push_str(replacement);
            rest = &rest[c.len_utf8()..];
        } else {
            value.push('\\');
            if c == 'u' && escapes.unicode {
                errors.push(EscapeError::MalformedUnicode(offset));
            } else if !matches!(c, '\r' | '\n') {
                errors.push(EscapeError::Unrecognized(offset, c));
            }
            // The character itself is text, whatever it is.
            value.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// Decodes `\uXXXX` and `\u{X…}` wherever an even number of backslashes precedes, until none is left.
fn unicode<'t>(text: &'t str, errors: &mut Vec<EscapeError>) -> Cow<'t, str> {
    let mut current = Cow::Borrowed(text);
    // A pass without an escape ends the loop; each pass shortens the text.
    loop {
        let mut value = String::with_capacity(current.len());
        let mut changed = false;
        let mut backslashes = 0;
        let mut at = 0;
        while let Some(c) = current[at..].chars().next() {
            if c == 'u'
                && backslashes % 2 == 1
                && let Some((code, len)) = code_point(&current[at + 1..])
            {
                value.pop();
                match char::from_u32(code) {
                    Some(decoded) => value.push(decoded),
                    None => {
                        let offset = if matches!(current, Cow::Borrowed(_)) { at - 1 } else { 0 };
                        errors.push(EscapeError::NoSuchCharacter(offset, len + 2));
                        value.push(char::REPLACEMENT_CHARACTER);
                    }
                }
                at += 1 + len;
                changed = true;
                backslashes = 0;
                continue;
            }
            backslashes = if c == '\\' { backslashes + 1 } else { 0 };
            value.push(c);
            at += c.len_utf8();
        }
        if !changed {
            return current;
        }
        current = Cow::Owned(value);
    }
}

/// The code point of `XXXX` or `{X…}` at the start of `text`, and the length of that.
fn code_point(text: &str) -> Option<(u32, usize)> {
    let (digits, len) = match text.strip_prefix('{') {
        Some(rest) => {
            let end = rest.find('}')?;
            (&rest[..end], end + 2)
        }
        None => (text.get(..4)?, 4),
    };
    let valid = (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    valid.then(|| u32::from_str_radix(digits, 16).ok().map(|code| (code, len))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dq(text: &str) -> (String, usize) {
        let mut errors = Vec::new();
        let value = unescape(text, Escapes::DOUBLE_QUOTED, &mut errors).into_owned();
        (value, errors.len())
    }

    #[test]
    fn double_quoted_escapes() {
        assert_eq!(dq(r"a\tb\\n\$x"), ("a\tb\\n$x".into(), 0));
        assert_eq!(dq("a\\\nb\\\r\nc"), ("abc".into(), 0));
        assert_eq!(dq(r"\u00e9\u{1F600}"), ("é😀".into(), 0));
    }

    #[test]
    fn what_a_unicode_escape_gives_is_read_again() {
        assert_eq!(dq(r"\u005cn"), ("\n".into(), 0));
    }

    #[test]
    fn unknown_escapes_stay_and_are_reported() {
        assert_eq!(dq(r"\q \u12 "), (r"\q \u12 ".into(), 2));
        assert_eq!(dq(r"\ud800").1, 1);
    }

    #[test]
    fn single_quotes_know_two_escapes() {
        assert_eq!(single_quoted(r"a\'b\\c\d"), r"a'b\c\d");
    }
}
