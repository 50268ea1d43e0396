//! Names, bare words, references and variables (A50-A57).

use super::{Lexer, is_word};
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

impl Lexer<'_, '_> {
    /// Lexes a name, keyword or bare word that starts with a lower-case letter or `_`.
    pub(super) fn name(&mut self) {
        let start = self.pos;
        let is_name = self.bare_word();
        let keyword = match self.text.get(start..self.pos) {
            Some(text) if is_name && text.len() <= 8 => TokenKind::keyword(text, self.mode.tasks),
            _ => None,
        };
        self.push(keyword.unwrap_or(if is_name { TokenKind::Name } else { TokenKind::Word }), start);
    }

    /// Skips `((::)?[a-z_]([\w-]*\w)?)+` and returns whether it is a name: no hyphen, no segment that starts with `_`.
    fn bare_word(&mut self) -> bool {
        let mut is_name = true;
        loop {
            let separator = if self.byte(0) == b':' && self.byte(1) == b':' { 2 } else { 0 };
            let first = self.byte(separator);
            if !(first.is_ascii_lowercase() || first == b'_') {
                return is_name;
            }
            is_name &= first != b'_';
            self.pos += separator + 1;
            let mut end = self.pos;
            let mut ahead = 0;
            loop {
                let byte = self.byte(ahead);
                ahead += 1;
                if is_word(byte) {
                    is_name &= self.pos + ahead == end + 1;
                    end = self.pos + ahead;
                } else if byte != b'-' {
                    break;
                }
            }
            self.pos = end;
            if self.byte(0) != b':' {
                return is_name;
            }
        }
    }

    /// Lexes a reference, which starts with an upper-case letter.
    pub(super) fn reference(&mut self) {
        let start = self.pos;
        self.reference_segments(start, SyntaxErrorKind::IllegalClassReference);
    }

    /// Skips `((::)?[A-Z]\w*)+`; a lower-case part after `::` is an error and becomes part of the token.
    fn reference_segments(&mut self, start: usize, illegal: SyntaxErrorKind) {
        loop {
            let separator = if self.byte(0) == b':' && self.byte(1) == b':' { 2 } else { 0 };
            if !self.byte(separator).is_ascii_uppercase() {
                break;
            }
            self.pos += separator + 1;
            self.skip_while(is_word);
            if self.byte(0) != b':' {
                break;
            }
        }
        if self.byte(0) == b':' && self.byte(1) == b':' {
            self.pos += 2;
            self.skip_while(|byte| is_word(byte) || byte == b':');
            self.error(start, self.pos, illegal);
        }
        self.push(TokenKind::Reference, start);
    }

    /// Lexes `::` and the name that follows it.
    pub(super) fn qualified(&mut self) {
        let start = self.pos;
        match self.byte(2) {
            b'A'..=b'Z' => {
                self.reference_segments(start, SyntaxErrorKind::IllegalFullyQualifiedClassReference);
            }
            b'a'..=b'z' | b'_' => {
                let kind = if self.bare_word() { TokenKind::Name } else { TokenKind::Word };
                self.push(kind, start);
            }
            _ => {
                self.pos += 2;
                self.skip_while(is_word);
                self.error(start, self.pos, SyntaxErrorKind::IllegalFullyQualifiedName);
                self.push(TokenKind::Error, start);
            }
        }
    }

    /// Lexes `$` and a name; a lone `$` is a variable without a name, which validation rejects.
    pub(super) fn variable(&mut self) {
        let start = self.pos;
        self.pos += 1;
        self.variable_name();
        self.push(TokenKind::Variable, start);
    }

    /// Skips the longest `(::)?(\w+::)*\w+` here, if there is one.
    pub(super) fn variable_name(&mut self) -> bool {
        let start = self.pos;
        if self.byte(0) == b':' && self.byte(1) == b':' && is_word(self.byte(2)) {
            self.pos += 2;
        }
        loop {
            self.skip_while(is_word);
            if self.pos > start && self.byte(0) == b':' && self.byte(1) == b':' && is_word(self.byte(2)) {
                self.pos += 2;
            } else {
                return self.pos > start;
            }
        }
    }
}
