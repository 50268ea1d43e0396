//! Conditions, loops, `begin`, and the statements that leave them.

use super::Reader;
use crate::syntax::tree::{Expr, ExprKind};

impl Reader<'_> {
    /// Reads a construct that ends with `end`.
    pub(super) fn compound(&mut self, word: &str) -> Option<Expr> {
        let start = self.at;
        self.nesting += 1;
        if self.nesting > super::NESTING_LIMIT {
            return None;
        }
        self.at += word.len();
        let parts = match word {
            "if" => self.within_brackets(|it| it.branches(true))?,
            "unless" => self.within_brackets(|it| it.branches(false))?,
            "case" => self.within_brackets(Self::cases)?,
            "begin" => self.within_brackets(Self::guarded_statements)?,
            _ => self.repetition()?,
        };
        self.expect_word("end")?;
        self.nesting -= 1;
        Some(self.since(start, ExprKind::Branches(parts)))
    }

    /// Reads a condition, the statements that depend on it, and those for other cases.
    fn branches(&mut self, has_elsif: bool) -> Option<Vec<Expr>> {
        self.blanks();
        let mut parts = vec![self.expression_statement()?];
        self.then()?;
        parts.push(self.part(Self::statements)?);
        let start = self.at;
        match self.keyword() {
            "elsif" if has_elsif => {
                self.at += "elsif".len();
                let inner = self.nested_branches()?;
                parts.push(self.since(start, ExprKind::Branches(inner)));
            }
            "else" => {
                self.at += "else".len();
                parts.push(self.part(Self::statements)?);
            }
            _ => {}
        }
        Some(parts)
    }

    fn nested_branches(&mut self) -> Option<Vec<Expr>> {
        self.nesting += 1;
        if self.nesting > super::NESTING_LIMIT {
            return None;
        }
        let found = self.branches(true)?;
        self.nesting -= 1;
        Some(found)
    }

    /// Reads statements as one part of a construct.
    fn part(&mut self, read: impl FnOnce(&mut Self) -> Option<Vec<Expr>>) -> Option<Expr> {
        let start = self.at;
        let body = read(self)?;
        Some(self.since(start, ExprKind::Branches(body)))
    }

    /// Passes the end of a condition.
    fn then(&mut self) -> Option<()> {
        self.blanks();
        let is_separated = matches!(self.peek(), b'\n' | b';' | b'#');
        if is_separated {
            self.separators()?;
        }
        if self.is_at_word("then") {
            self.at += "then".len();
            return Some(());
        }
        is_separated.then_some(())
    }

    fn cases(&mut self) -> Option<Vec<Expr>> {
        self.blanks();
        let mut parts = Vec::new();
        if !matches!(self.peek(), b'\n' | b';' | b'#') {
            parts.push(self.expression_statement()?);
        }
        self.separators()?;
        if !self.is_at_word("when") {
            return None;
        }
        while self.is_at_word("when") {
            let start = self.at;
            self.at += "when".len();
            let mut case = Vec::new();
            loop {
                self.space()?;
                let pattern = self.at;
                self.value_or_splat()?;
                case.push(self.opaque(pattern));
                if !self.next_is_comma() {
                    break;
                }
            }
            self.then()?;
            case.push(self.part(Self::statements)?);
            parts.push(self.since(start, ExprKind::Branches(case)));
        }
        if self.is_at_word("else") {
            self.at += "else".len();
            parts.push(self.part(Self::statements)?);
        }
        Some(parts)
    }

    fn repetition(&mut self) -> Option<Vec<Expr>> {
        self.blanks();
        let condition = self.without_do(Self::expression_statement)?;
        self.blanks();
        let has_do = self.is_at_word("do");
        if has_do {
            self.at += "do".len();
        } else if !matches!(self.peek(), b'\n' | b';' | b'#') {
            return None;
        }
        let body = self.within_brackets(|it| it.part(Self::statements))?;
        Some(vec![condition, body])
    }

    /// Reads statements, and what handles the errors in them.
    pub(super) fn guarded_statements(&mut self) -> Option<Vec<Expr>> {
        let mut body = self.statements()?;
        while self.is_at_word("rescue") {
            let start = self.at;
            self.at += "rescue".len();
            self.end_of_last = self.at;
            let clause = self.rescue()?;
            body.push(self.clause(start, clause)?);
        }
        for word in ["else", "ensure"] {
            if self.is_at_word(word) {
                let start = self.at;
                self.at += word.len();
                self.end_of_last = self.at;
                let part = self.statements()?;
                body.push(self.clause(start, part)?);
            }
        }
        Some(body)
    }

    /// A clause that starts at a position. It ends with its last statement, or with the last comment if it has no statements or
    /// another clause follows.
    fn clause(&self, start: usize, parts: Vec<Expr>) -> Option<Expr> {
        let is_empty = match parts.last().map(|it| &it.kind) {
            Some(ExprKind::Branches(body)) => body.is_empty(),
            last => last.is_none(),
        };
        let end = match self.is_at_word("end") && !is_empty {
            true => self.end_of_last,
            false => self.text[..self.at].trim_end_matches([' ', '\t', '\n', ';']).len(),
        };
        let is_obvious = !matches!(self.bytes.get(end), Some(b' ' | b'\t'));
        is_obvious.then(|| Expr { range: start..end, kind: ExprKind::Branches(parts) })
    }

    fn rescue(&mut self) -> Option<Vec<Expr>> {
        let mut parts = Vec::new();
        self.blanks();
        if !matches!(self.peek(), b'\n' | b';' | b'#' | b'=') && !self.is_at_word("then") {
            let start = self.at;
            self.value_or_splat()?;
            while self.next_is_comma() {
                self.space()?;
                self.value_or_splat()?;
            }
            parts.push(self.opaque(start));
            self.end_of_last = self.at;
            self.blanks();
        }
        if self.starts_with("=>") {
            let start = self.at;
            self.at += "=>".len();
            self.blanks();
            let target = self.primary(false)?;
            if !self.is_target(&target) {
                return None;
            }
            self.note_assignment(&target);
            parts.push(self.opaque(start));
            self.end_of_last = self.at;
        }
        self.then()?;
        parts.push(self.part(Self::statements)?);
        Some(parts)
    }

    /// Reads `return`, `break` or `next` with values.
    pub(super) fn jump(&mut self, word: &str) -> Option<Expr> {
        let start = self.at;
        self.at += word.len();
        let values = self.values()?;
        Some(self.since(start, if word == "return" { ExprKind::Return(values) } else { ExprKind::Opaque }))
    }

    fn values(&mut self) -> Option<Vec<Expr>> {
        if self.peek() == b'(' {
            self.at += 1;
            let values = self.within_brackets(|it| it.items(b')'))?;
            self.at += 1;
            let ends = self.starts_with("\n") || self.starts_with(" if ") || self.starts_with(" unless ");
            return ends.then_some(values);
        }
        if matches!(self.peek(), b'[' | b'.' | b'"' | b'\'') {
            return None;
        }
        if !self.starts_argument() {
            return Some(Vec::new());
        }
        self.blanks();
        self.command_arguments()
    }

    pub(super) fn yielded(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        self.at += "yield".len();
        if self.peek() == b'(' {
            self.at += 1;
            self.within_brackets(|it| it.items(b')'))?;
            self.at += 1;
        } else if command {
            self.values()?;
        }
        Some(self.opaque(start))
    }

    pub(super) fn defined(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += "defined?".len();
        self.blanks();
        let operand = self.expression(false)?;
        // It is not obvious where the operand of `defined?(a) ? b : c` ends.
        (!matches!(operand.kind, ExprKind::Branches(_))).then(|| self.opaque(start))
    }

    pub(super) fn alias(&mut self) -> Option<Expr> {
        let start = self.at;
        if start != self.start_of_statement {
            return None;
        }
        self.at += "alias".len();
        for _ in 0..2 {
            let before = self.at;
            self.blanks();
            if self.at == before {
                return None;
            }
            if self.peek() == b':' {
                self.at += 1;
            }
            let word = self.word();
            self.at += word.len();
            if matches!(self.peek(), b'?' | b'!') {
                self.at += 1;
            }
            if word.is_empty() || !matches!(self.peek(), b' ' | b'\n') {
                return None;
            }
        }
        (!self.is_selected()?).then(|| self.opaque(start))
    }

    /// Reads `-> (a, b) { … }`.
    pub(super) fn lambda(&mut self) -> Option<Expr> {
        let start = self.at;
        self.at += "->".len();
        self.blanks();
        self.within_scope(Self::lambda_after_sign)?;
        Some(self.opaque(start))
    }

    fn lambda_after_sign(&mut self) -> Option<()> {
        if self.peek() == b'(' {
            self.at += 1;
            self.within_brackets(|it| it.parameters(b')'))?;
            self.blanks();
        }
        if self.peek() == b'{' {
            self.at += 1;
            self.within_brackets(Self::statements)?;
            return self.expect(b'}');
        }
        self.expect_word("do").filter(|()| !self.no_do)?;
        self.within_brackets(Self::guarded_statements)?;
        self.expect_word("end")
    }
}
