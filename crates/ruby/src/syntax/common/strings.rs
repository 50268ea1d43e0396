//! The contents of strings, symbols and regular expressions.

use super::Reader;
use crate::syntax::text::{escape, unescape_raw};
use crate::syntax::tree::{Expr, ExprKind, Part};

impl Reader<'_> {
    /// Reads a string, with those that directly follow it and belong to it.
    pub(super) fn strings(&mut self) -> Option<Expr> {
        let start = self.at;
        let mut parts = self.string()?;
        loop {
            let end = self.place();
            self.blanks();
            if !matches!(self.peek(), b'"' | b'\'') {
                self.return_to(end);
                return Some(self.since(start, ExprKind::String(parts)));
            }
            parts.extend(self.string()?);
            self.chained = Some(start);
        }
    }

    fn string(&mut self) -> Option<Vec<Part>> {
        let start = self.at;
        let quote = self.peek();
        self.at += 1;
        self.quoted(start, quote)
    }

    /// Reads the rest of a text in quotes, of which the source starts at a position.
    pub(super) fn quoted(&mut self, start: usize, quote: u8) -> Option<Vec<Part>> {
        if quote == b'"' {
            return self.text_up_to(quote, quote);
        }
        self.raw_text_up_to(quote, quote)?;
        Some(vec![Part::Text(unescape_raw(&self.text[start..self.at]))])
    }

    /// Passes a byte of a literal, which may not contain the end of a line on which a heredoc begins.
    pub(super) fn pass_in_literal(&mut self) -> Option<()> {
        let is_line_end = self.peek() == b'\n' && self.heredoc.is_some();
        if is_line_end || self.at >= self.bytes.len() {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Passes a text without interpolation, and the sign that ends it.
    pub(super) fn raw_text_up_to(&mut self, open: u8, close: u8) -> Option<()> {
        let mut level = 0;
        loop {
            match self.peek() {
                b'\\' => self.pass_in_literal()?,
                it if it == close && level == 0 => {
                    self.at += 1;
                    return Some(());
                }
                it if it == close => level -= 1,
                it if it == open => level += 1,
                _ => {}
            }
            self.pass_in_literal()?;
        }
    }

    /// Reads a text with escapes and interpolation, and the sign that ends it.
    pub(super) fn text_up_to(&mut self, open: u8, close: u8) -> Option<Vec<Part>> {
        self.parts_up_to(open, close, |it| {
            let start = it.at;
            it.pass_escape()?;
            Some(match escape(&it.text[start..it.at]) {
                Some(text) => Part::Text(text),
                None => Part::Code(it.opaque(start)),
            })
        })
    }

    /// Reads a regular expression, and the sign that ends it. Escapes are unchanged, except that the sign needs none.
    pub(super) fn regexp_up_to(&mut self, open: u8, close: u8) -> Option<Vec<Part>> {
        // These have another meaning without their backslash.
        let is_plain = !b"$*+.?^|)]}>".contains(&close);
        self.parts_up_to(open, close, |it| {
            let start = it.at;
            it.pass_in_literal()?;
            let escaped = it.peek();
            it.pass_in_literal()?;
            if escaped == b'u' || escaped == b'x' && !it.peek().is_ascii_hexdigit() {
                return None;
            }
            while !it.text.is_char_boundary(it.at) {
                it.at += 1;
            }
            let whole = &it.text[start..it.at];
            Some(Part::Text(match escaped {
                b'\n' => marotte_text::Str::new(),
                _ if escaped == close && is_plain => whole[1..].into(),
                _ => whole.into(),
            }))
        })
    }

    fn parts_up_to(
        &mut self,
        open: u8,
        close: u8,
        mut escaped: impl FnMut(&mut Self) -> Option<Part>,
    ) -> Option<Vec<Part>> {
        let (mut parts, mut level) = (Vec::new(), 0);
        let mut content = self.at;
        let flush = |it: &Self, content: usize, parts: &mut Vec<Part>| {
            if content < it.at {
                parts.push(Part::Text(it.text[content..it.at].into()));
            }
        };
        loop {
            match self.peek() {
                b'\\' => {
                    flush(self, content, &mut parts);
                    parts.push(escaped(self)?);
                    content = self.at;
                    continue;
                }
                b'#' if self.ahead(1) == b'{' => {
                    flush(self, content, &mut parts);
                    parts.push(self.interpolation()?);
                    content = self.at;
                    continue;
                }
                b'#' if matches!(self.ahead(1), b'@' | b'$') => return None,
                it if it == close && level == 0 => {
                    flush(self, content, &mut parts);
                    self.at += 1;
                    return Some(parts);
                }
                it if it == close => level -= 1,
                it if it == open => level += 1,
                _ => {}
            }
            self.pass_in_literal()?;
        }
    }

    /// Passes an escape sequence of a text in double quotes.
    pub(super) fn pass_escape(&mut self) -> Option<()> {
        self.pass_in_literal()?;
        let first = self.peek();
        match first {
            b'c' | b'C' | b'M' | b'u' => return None,
            b'x' => {
                self.at += 1;
                let digits = (0..2).take_while(|it| self.ahead(*it).is_ascii_hexdigit()).count();
                self.at += digits;
                return (digits > 0).then_some(());
            }
            b'0'..=b'7' => {
                let digits = (0..3).take_while(|it| matches!(self.ahead(*it), b'0'..=b'7')).count();
                self.at += digits;
            }
            _ => {
                self.pass_in_literal()?;
                while !self.text.is_char_boundary(self.at) {
                    self.at += 1;
                }
            }
        }
        Some(())
    }

    /// Reads `#{…}`.
    pub(super) fn interpolation(&mut self) -> Option<Part> {
        let start = self.at;
        self.at += "#{".len();
        self.nesting += 1;
        if self.nesting > super::NESTING_LIMIT {
            return None;
        }
        let mut code = self.within_brackets(Self::statements)?;
        self.nesting -= 1;
        self.expect(b'}')?;
        Some(Part::Code(match (code.pop(), code.is_empty()) {
            (Some(code), true) => code,
            _ => self.opaque(start),
        }))
    }
}
