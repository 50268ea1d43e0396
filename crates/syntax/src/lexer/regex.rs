//! `/`: a regular expression where an operand may start, otherwise a division (A41-A47).

use super::Lexer;
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

impl Lexer<'_, '_> {
    pub(super) fn slash(&mut self) {
        let start = self.pos;
        if self.after.is_some_and(TokenKind::ends_value) {
            return self.fixed(TokenKind::Divide, 1);
        }
        let Some(end) = closing_slash(&self.bytes[start + 1..]) else {
            return self.fixed(TokenKind::Divide, 1);
        };
        self.pos = start + 1 + end + 1;
        let pattern = &self.text[start + 1..start + 1 + end];
        if pattern.contains("\\/") || self.is_remapped() {
            let unescaped = pattern.replace("\\/", "/");
            self.push_text(TokenKind::Regex, start, self.pos, unescaped.into());
            self.after = Some(TokenKind::Regex);
        } else {
            self.push(TokenKind::Regex, start);
        }
        self.regex_options();
    }

    /// Rejects letters directly after a regular expression (X141), unless they are a word of the language.
    fn regex_options(&mut self) {
        let rest = &self.text[self.pos..];
        let len = rest.bytes().take_while(|byte| super::is_word(*byte)).count();
        let options = &rest[..len];
        if !self.mode.choices.refuses_regex_options
            || !options.starts_with(|it: char| it.is_ascii_alphabetic())
            || TokenKind::keyword(options, self.mode.tasks).is_some()
        {
            return;
        }
        let start = self.pos;
        self.error(start, start + len, SyntaxErrorKind::RegexOptions(options.into()));
        self.pos += len;
    }

    /// Whether the text is not a slice of the source, so that a token's text may differ from the source at its range.
    pub(super) fn is_remapped(&self) -> bool {
        matches!(self.origin, super::Origin::Margin(_))
    }
}

/// Returns the offset of the first `/` preceded by an even number of backslashes.
fn closing_slash(bytes: &[u8]) -> Option<usize> {
    let mut escaped = false;
    for (offset, &byte) in bytes.iter().enumerate() {
        match byte {
            b'/' if !escaped => return Some(offset),
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    None
}
