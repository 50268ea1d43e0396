//! The lexical analysis of numbers (A11-A19).

use super::{Lexer, is_word};
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

impl Lexer<'_, '_> {
    /// Lexes a number that starts with a digit at the current position.
    pub(super) fn number(&mut self) {
        let mut start = self.pos;
        match scan(&self.text[start..]) {
            Some(len) => {
                self.pos = start + len;
                if let Some(kind) = misspelled(&self.text[start..self.pos]) {
                    self.error(start, self.pos, kind);
                }
            }
            None => start = self.malformed_number(),
        }
        self.push(TokenKind::Number, start);
    }

    /// Lexes digits that run into letters, or into an exponent without digits; returns the start of the token.
    fn malformed_number(&mut self) -> usize {
        let start = self.pos;
        self.skip_while(is_word);
        // `1.5e`: the part before the dot is already a number of its own, and the error is about the whole (A19).
        let (mut from, mut token_start) = (start, start);
        if start > 1 && self.bytes[start - 1] == b'.' {
            let digits =
                self.bytes[..start - 1].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let tokens = &mut self.out.tokens;
            let count = tokens.len();
            if digits > 0 {
                from = start - 1 - digits;
            }
            if digits > 0 && count >= 2 && tokens.kind(count - 2) == Some(TokenKind::Number) {
                // The preceding number and dot are part of this one.
                tokens.remove(count - 1);
                tokens.remove(count - 2);
                token_start = from;
            }
        }
        let text = &self.text[from..self.pos];
        let plus_exponent = matches!(text.as_bytes().last(), Some(b'e' | b'E'))
            && self.byte(0) == b'+'
            && self.byte(1).is_ascii_digit();
        let kind = match misspelled(text) {
            Some(SyntaxErrorKind::InvalidDecimalNumber { text, .. }) => {
                SyntaxErrorKind::InvalidDecimalNumber { text, plus_exponent }
            }
            Some(kind) => kind,
            None => SyntaxErrorKind::IllegalNumber(text.into()),
        };
        if plus_exponent {
            self.pos += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        let end = self.pos;
        self.error(from, end, kind);
        token_start
    }
}

/// Returns the length of the longest number at the start of `text` that ends at a word boundary.
fn scan(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let boundary = |end: usize| match text[end..].chars().next() {
        None => true,
        Some(c) => !(c.is_alphanumeric() || c == '_'),
    };
    if bytes[0] == b'0' && matches!(bytes.get(1), Some(b'x' | b'X')) {
        let len = bytes[2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        return (len > 0 && boundary(2 + len)).then_some(2 + len);
    }
    let integer = digits(0);
    let exponent = |from: usize| {
        if !matches!(bytes.get(from), Some(b'e' | b'E')) {
            return None;
        }
        let sign = usize::from(bytes.get(from + 1) == Some(&b'-'));
        let len = bytes.get(from + 1 + sign..).map_or(0, |_| digits(from + 1 + sign));
        (len > 0).then_some(from + 1 + sign + len)
    };
    let fraction = if bytes.get(integer) == Some(&b'.') { digits(integer + 1) } else { 0 };
    if fraction > 0 {
        let end = integer + 1 + fraction;
        if let Some(end) = exponent(end).filter(|&end| boundary(end)) {
            return Some(end);
        }
        if boundary(end) {
            return Some(end);
        }
    }
    if let Some(end) = exponent(integer).filter(|&end| boundary(end)) {
        return Some(end);
    }
    boundary(integer).then_some(integer)
}

/// Returns the error in a number's digits, by the rules of the reference's `assert_numeric`.
fn misspelled(text: &str) -> Option<SyntaxErrorKind> {
    let bytes = text.as_bytes();
    match bytes {
        [b'0', b'x' | b'X', rest @ ..] => (rest.is_empty() || !rest.iter().all(u8::is_ascii_hexdigit))
            .then(|| SyntaxErrorKind::InvalidHexNumber(text.into())),
        [b'0', second, ..] if *second != b'.' => (!bytes.iter().all(|byte| matches!(byte, b'0'..=b'7')))
            .then(|| SyntaxErrorKind::InvalidOctalNumber(text.into())),
        _ => {
            let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
            match bytes.get(digits) {
                Some(b'e' | b'E' | b'.') if scan(text) != Some(text.len()) => {
                    Some(SyntaxErrorKind::InvalidDecimalNumber { text: text.into(), plus_exponent: false })
                }
                Some(b'e' | b'E' | b'.') | None => None,
                Some(_) => Some(SyntaxErrorKind::IllegalNumber(text.into())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn numbers_end_at_a_word_boundary() {
        assert_eq!(scan("12"), Some(2));
        assert_eq!(scan("1.5e-3,"), Some(6));
        assert_eq!(scan("1.5x"), Some(1));
        assert_eq!(scan("1.abs"), Some(1));
        assert_eq!(scan("0x1F "), Some(4));
        assert_eq!(scan("0xG"), None);
        assert_eq!(scan("12ab"), None);
        assert_eq!(scan("1e+5"), None);
        assert_eq!(scan("1.5e"), Some(1));
    }
}
