//! Operands that start with a sign: numbers, symbols, variables with signs, arrays, hashes, parentheses.

use super::Reader;
use crate::resource_type::Flags;
use crate::syntax::tree::{Expr, ExprKind, Part};

/// The operators that are symbols, longer ones first.
const OPERATORS: [&str; 23] = [
    "[]=", "<=>", "===", "[]", "==", "=~", "!=", "!~", "<<", ">>", "<=", ">=", "**", "+", "-", "*", "/", "%",
    "<", ">", "!", "|", "&",
];

impl Reader<'_> {
    /// Reads an operand without anything that is selected from it.
    pub(super) fn operand(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        match self.peek() {
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.named(command),
            b'"' | b'\'' => self.strings(),
            b'0'..=b'9' => {
                let number = self.number()?;
                Some(self.since(start, ExprKind::Number(number.into())))
            }
            b':' if self.ahead(1) == b':' => {
                self.at += 2;
                let name = self.word();
                self.at += name.len();
                let is_constant = name.starts_with(|it: char| it.is_ascii_uppercase()) && name.is_ascii();
                (is_constant && self.peek() != b'(')
                    .then(|| self.since(start, ExprKind::Constant(name.into())))
            }
            b':' => self.symbol(),
            b'@' => self.variable_with_sign(),
            b'$' => self.global_variable(),
            b'[' => {
                self.at += 1;
                let elements = self.within_brackets(|it| it.items(b']'))?;
                self.at += 1;
                Some(self.since(start, ExprKind::Array(elements)))
            }
            b'{' => {
                self.at += 1;
                let pairs = self.within_brackets(Self::pairs)?;
                self.at += 1;
                Some(self.since(start, ExprKind::Hash(pairs)))
            }
            b'(' => {
                self.at += 1;
                let body = self.within_brackets(Self::statements)?;
                self.expect(b')')?;
                Some(self.since(start, ExprKind::Sequence(body)))
            }
            b'/' => {
                self.at += 1;
                self.regexp(start, b'/', b'/')
            }
            b'%' => self.percent(),
            b'`' => {
                self.at += 1;
                self.text_up_to(b'`', b'`')?;
                Some(self.opaque(start))
            }
            b'<' => self.heredoc(),
            b'-' if self.ahead(1) == b'>' => self.lambda(),
            _ => None,
        }
    }

    /// Reads a number, without underscores.
    pub(super) fn number(&mut self) -> Option<String> {
        let start = self.at;
        let digits = |it: &mut Self| {
            while it.peek().is_ascii_digit() || it.peek() == b'_' && it.ahead(1).is_ascii_digit() {
                it.at += 1;
            }
        };
        if self.peek() == b'0' && matches!(self.ahead(1), b'x' | b'X') && self.ahead(2).is_ascii_hexdigit() {
            self.at += 2;
            while self.peek().is_ascii_hexdigit() {
                self.at += 1;
            }
        } else {
            digits(self);
            if self.peek() == b'.' && self.ahead(1).is_ascii_digit() {
                self.at += 1;
                digits(self);
            }
        }
        (!super::is_word(self.peek())).then(|| self.text[start..self.at].replace('_', ""))
    }

    fn symbol(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        if matches!(self.peek(), b'"' | b'\'') {
            let quote = self.peek();
            self.at += 1;
            let parts = self.quoted(start, quote)?;
            return Some(self.since(start, ExprKind::Symbol(parts)));
        }
        while self.peek() == b'@' {
            self.at += 1;
        }
        let word = self.word();
        if word.is_empty() {
            let operator = OPERATORS.iter().find(|it| self.starts_with(it))?;
            self.at += operator.len();
        } else if word.is_ascii() {
            self.at += word.len();
            match (self.peek(), self.ahead(1)) {
                (b'?' | b'!', next) if next != b'=' => self.at += 1,
                // `:a=>1` is `:a => 1`.
                (b'=', next) if !matches!(next, b'=' | b'~' | b'>') => return None,
                _ => {}
            }
        } else {
            return None;
        }
        let name = Part::Text(self.text[start + 1..self.at].into());
        Some(self.since(start, ExprKind::Symbol(vec![name])))
    }

    fn variable_with_sign(&mut self) -> Option<Expr> {
        let start = self.at;
        let signs = if self.ahead(1) == b'@' { 2 } else { 1 };
        self.at += signs;
        let word = self.word();
        if word.is_empty() || !word.is_ascii() {
            return None;
        }
        self.at += word.len();
        let variable = match signs {
            1 => self.since(start, ExprKind::InstanceVariable(self.text[start..self.at].into())),
            _ => self.opaque(start),
        };
        self.target = Some(variable.range.clone());
        Some(variable)
    }

    fn global_variable(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += 1;
        let word = self.word();
        match self.peek() {
            _ if !word.is_empty() => self.at += word.len(),
            b'0'..=b'9' => {
                while self.peek().is_ascii_digit() {
                    self.at += 1;
                }
            }
            b'!' | b'@' | b'~' | b'?' | b':' | b'/' | b'\\' | b',' | b';' | b'.' => self.at += 1,
            _ => return None,
        }
        let variable = self.opaque(start);
        self.target = Some(variable.range.clone());
        Some(variable)
    }

    /// Reads a literal that starts with `%`.
    fn percent(&mut self) -> Option<Expr> {
        let start = self.at;
        let (kind, open) = match (self.ahead(1), self.ahead(2)) {
            (kind @ (b'w' | b'i' | b'q' | b'Q' | b'r'), open) => (kind, open),
            (open, _) => (b'Q', open),
        };
        let close = match open {
            b'(' => b')',
            b'[' => b']',
            b'{' => b'}',
            b'<' => b'>',
            b'|' | b'!' | b'/' => open,
            _ => return None,
        };
        self.at += if self.ahead(1) == open { 2 } else { 3 };
        match kind {
            b'w' | b'i' => self.words(start, open, close, kind == b'i'),
            b'r' => self.regexp(start, open, close),
            b'q' => {
                self.raw_text_up_to(open, close)?;
                let text = crate::syntax::text::unescape_raw(&self.text[start..self.at]);
                Some(self.since(start, ExprKind::String(vec![Part::Text(text)])))
            }
            _ => {
                let parts = self.text_up_to(open, close)?;
                Some(self.since(start, ExprKind::String(parts)))
            }
        }
    }

    /// Reads the words of an array, without escapes.
    fn words(&mut self, start: usize, open: u8, close: u8, are_symbols: bool) -> Option<Expr> {
        let mut list = Vec::new();
        loop {
            while matches!(self.peek(), b' ' | b'\t' | b'\n') {
                self.pass_in_literal()?;
            }
            if self.peek() == close {
                self.at += 1;
                return Some(self.since(start, ExprKind::Array(list)));
            }
            let word = self.at;
            while !matches!(self.peek(), b' ' | b'\t' | b'\n') && self.peek() != close {
                if matches!(self.peek(), 0 | b'\\') || self.peek() == open {
                    return None;
                }
                self.at += 1;
            }
            let parts = vec![Part::Text(self.text.get(word..self.at)?.into())];
            let kind = if are_symbols { ExprKind::Symbol(parts) } else { ExprKind::String(parts) };
            list.push(self.since(word, kind));
        }
    }

    fn regexp(&mut self, start: usize, open: u8, close: u8) -> Option<Expr> {
        let parts = self.regexp_up_to(open, close)?;
        let letters = self.at;
        while self.peek().is_ascii_alphabetic() {
            self.at += 1;
        }
        let letters = &self.text[letters..self.at];
        // Other letters select encodings, or the time of interpolation.
        let kind = match letters.bytes().all(|it| matches!(it, b'i' | b'm' | b'x')) {
            true => {
                let flags = Flags {
                    ignore_case: letters.contains('i'),
                    multi_line: letters.contains('m'),
                    extended: letters.contains('x'),
                };
                ExprKind::Regexp(parts, flags)
            }
            false if letters.bytes().all(|it| matches!(it, b'i' | b'm' | b'x' | b'o' | b'n' | b'u')) => {
                ExprKind::Opaque
            }
            false => return None,
        };
        Some(self.since(start, kind))
    }
}
