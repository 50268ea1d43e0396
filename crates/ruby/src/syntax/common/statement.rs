//! Statements, and what may follow an expression in one.

use super::Reader;
use crate::syntax::tree::{Expr, ExprKind};

/// The words that end a list of statements.
const CLOSING: [&str; 6] = ["end", "else", "elsif", "when", "rescue", "ensure"];

impl Reader<'_> {
    /// Reads statements up to the word or bracket that ends them.
    pub(super) fn statements(&mut self) -> Option<Vec<Expr>> {
        let mut list = Vec::new();
        loop {
            self.separators()?;
            if self.is_closed() {
                return Some(list);
            }
            list.push(self.statement()?);
            self.end_of_last = self.at;
            self.blanks();
            if !matches!(self.peek(), b'\n' | b';' | b'#') && !self.is_closed() {
                return None;
            }
        }
    }

    /// Passes blanks, line ends, semicolons and comments.
    pub(super) fn separators(&mut self) -> Option<()> {
        loop {
            self.space()?;
            if self.peek() != b';' {
                return Some(());
            }
            self.at += 1;
        }
    }

    fn is_closed(&self) -> bool {
        match self.peek() {
            b'}' | b')' => true,
            0 => self.at == self.bytes.len(),
            b'e' | b'w' | b'r' => CLOSING.contains(&self.keyword()),
            _ => false,
        }
    }

    /// Reads a statement with its modifiers.
    pub(super) fn statement(&mut self) -> Option<Expr> {
        let start = self.at;
        self.start_of_statement = start;
        let mut statement = self.expression_statement()?;
        for _ in 0..super::CHAIN_LIMIT {
            let place = self.place();
            self.blanks();
            match self.keyword() {
                word @ ("if" | "unless" | "while" | "until" | "rescue") => {
                    self.at += word.len();
                    self.blanks();
                    let other = self.expression_statement()?;
                    statement = self.since(start, ExprKind::Branches(vec![statement, other]));
                }
                _ => {
                    self.return_to(place);
                    return Some(statement);
                }
            }
        }
        None
    }

    /// Reads an expression that may be a call without parentheses, or several of them with `and`, `or` and `not`.
    pub(super) fn expression_statement(&mut self) -> Option<Expr> {
        let start = self.at;
        let mut left = self.negation()?;
        if self.assigns_several(&left) {
            self.note_assignment(&left);
            left = self.assignment_of_several(start)?;
        }
        loop {
            let place = self.place();
            self.blanks();
            match self.keyword() {
                word @ ("and" | "or") => {
                    self.at += word.len();
                    self.space()?;
                    self.negation()?;
                    left = self.opaque(start);
                }
                _ => {
                    self.return_to(place);
                    return Some(left);
                }
            }
        }
    }

    fn negation(&mut self) -> Option<Expr> {
        let start = self.at;
        if !self.is_at_word("not") {
            self.is_statement = true;
            return self.expression(true);
        }
        self.at += "not".len();
        self.blanks();
        self.expression(true)?;
        Some(self.opaque(start))
    }

    fn assigns_several(&self, left: &Expr) -> bool {
        let rest = self.bytes[self.at..].iter().find(|it| !matches!(it, b' ' | b'\t'));
        rest == Some(&b',') && self.is_target(left)
    }

    /// Reads `, b = 1, 2` after the first of several targets.
    fn assignment_of_several(&mut self, start: usize) -> Option<Expr> {
        while self.next_is_comma() {
            self.blanks();
            if self.peek() == b'*' {
                self.at += 1;
            }
            let target = self.primary(false)?;
            if !self.is_target(&target) {
                return None;
            }
            self.note_assignment(&target);
        }
        self.blanks();
        if self.peek() != b'=' || matches!(self.ahead(1), b'=' | b'~' | b'>') {
            return None;
        }
        self.at += 1;
        self.space()?;
        if self.peek() == b'*' {
            self.value_or_splat()?;
        } else {
            self.expression(true)?;
        }
        while self.next_is_comma() {
            self.space()?;
            self.value_or_splat()?;
        }
        Some(self.opaque(start))
    }

    /// Reads an item of a list of values.
    pub(super) fn value_or_splat(&mut self) -> Option<()> {
        if self.peek() == b'*' {
            self.at += 1;
        }
        self.expression(false).map(drop)
    }

    /// Passes a comma on the same line, if there is one.
    pub(super) fn next_is_comma(&mut self) -> bool {
        let place = self.place();
        self.blanks();
        if self.peek() == b',' {
            self.at += 1;
            return true;
        }
        self.return_to(place);
        false
    }

    /// Reads the rest of a list of values that are assigned.
    pub(super) fn further_values(&mut self) -> Option<Vec<Expr>> {
        let mut list = Vec::new();
        while self.next_is_comma() {
            self.space()?;
            list.push(self.expression(false)?);
        }
        Some(list)
    }
}
