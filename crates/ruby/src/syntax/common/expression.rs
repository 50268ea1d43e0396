//! Expressions: assignments, conditions, operators.

use super::Reader;
use crate::syntax::tree::{Expr, ExprKind};

/// The precedence of operators that bind closer than any other.
const POWER: u8 = 13;

impl Reader<'_> {
    /// Reads an expression, which may be a call without parentheses if `command` is set.
    pub(super) fn expression(&mut self, command: bool) -> Option<Expr> {
        self.nesting += 1;
        if self.nesting > super::NESTING_LIMIT {
            return None;
        }
        let start = self.at;
        let takes_list = std::mem::take(&mut self.is_statement);
        let left = self.conditional(command)?;
        let expr =
            if self.is_target(&left) { self.assignment(start, left, command, takes_list)? } else { left };
        self.nesting -= 1;
        Some(expr)
    }

    /// Whether a value can be assigned to an expression.
    pub(super) fn is_target(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => !name.ends_with(['?', '!']),
            ExprKind::InstanceVariable(_) | ExprKind::Constant(_) => true,
            ExprKind::Call(call) => {
                call.receiver.is_some()
                    && call.arguments.is_empty()
                    && call.block.is_none()
                    && !call.method.ends_with(['?', '!'])
                    && self.bytes[expr.range.end - 1] != b')'
            }
            ExprKind::Opaque => self.target.as_ref() == Some(&expr.range),
            _ => false,
        }
    }

    /// Reads the value that is assigned to a target, if there is one.
    fn assignment(&mut self, start: usize, target: Expr, command: bool, takes_list: bool) -> Option<Expr> {
        let place = self.place();
        self.blanks();
        let is_plain = self.peek() == b'=' && !matches!(self.ahead(1), b'=' | b'~' | b'>');
        let operator = if is_plain { 0 } else { self.operator_of_assignment() };
        if !is_plain && operator == 0 {
            self.return_to(place);
            return Some(target);
        }
        self.at += operator + 1;
        self.note_assignment(&target);
        self.space()?;
        if self.peek() == b'*' {
            return None;
        }
        let value_start = self.at;
        let mut value = self.expression(command)?;
        // `x = y rescue z`, and several values.
        let after = self.place();
        self.blanks();
        if self.is_at_word("rescue") {
            return None;
        }
        self.return_to(after);
        if takes_list && is_plain {
            let further = self.further_values()?;
            if !further.is_empty() {
                if matches!(value.kind, ExprKind::Assign(..)) {
                    return None;
                }
                let list = std::iter::once(value).chain(further).collect();
                value = self.since(value_start, ExprKind::Array(list));
            }
        }
        let value = if is_plain { value } else { self.opaque(start) };
        Some(self.since(start, ExprKind::Assign(Box::new(target), Box::new(value))))
    }

    /// The length of the operator before the `=` of an assignment such as `||=`; 0 if there is none.
    fn operator_of_assignment(&self) -> usize {
        const OPERATORS: [&str; 13] =
            ["||=", "&&=", "**=", "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^="];
        OPERATORS.iter().find(|it| self.starts_with(it)).map_or(0, |it| it.len() - 1)
    }

    fn conditional(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        let condition = self.operation(0, command)?;
        let place = self.place();
        self.blanks();
        if self.peek() != b'?' {
            self.return_to(place);
            return Some(condition);
        }
        if !matches!(self.ahead(1), b' ' | b'\t' | b'\n') {
            return None;
        }
        self.at += 1;
        self.space()?;
        let yes = self.expression(false)?;
        self.space()?;
        self.expect(b':')?;
        if !matches!(self.peek(), b' ' | b'\t' | b'\n') {
            return None;
        }
        self.space()?;
        let no = self.expression(false)?;
        Some(self.since(start, ExprKind::Branches(vec![condition, yes, no])))
    }

    /// Reads an expression with the operators of at least a precedence.
    fn operation(&mut self, least: u8, command: bool) -> Option<Expr> {
        let start = self.at;
        let mut left = self.unary(command)?;
        for _ in 0..super::CHAIN_LIMIT {
            let place = self.place();
            self.blanks();
            let Some((length, precedence)) = self.operator().filter(|it| it.1 >= least) else {
                self.return_to(place);
                return Some(left);
            };
            let sign = self.peek();
            let has_blank = self.at > place.at;
            let is_apart = matches!(self.ahead(length), b' ' | b'\t' | b'\n');
            // Where blanks are on one side only, it may not be a binary operator.
            let is_clear = match (sign, length) {
                (b'<', 2) | (b'&' | b'%', 1) => is_apart,
                (b'-' | b'+' | b'*' | b'/', _) => is_apart == has_blank,
                _ => true,
            };
            if !is_clear {
                return None;
            }
            let is_plus = sign == b'+';
            self.at += length;
            self.space()?;
            self.nesting += 1;
            let right = self.operation(if precedence == POWER { POWER } else { precedence + 1 }, false)?;
            self.nesting -= 1;
            let kind =
                if is_plus { ExprKind::Plus(Box::new(left), Box::new(right)) } else { ExprKind::Opaque };
            left = self.since(start, kind);
        }
        None
    }

    /// The length and the precedence of the binary operator at the current position.
    fn operator(&self) -> Option<(usize, u8)> {
        let (first, second, third) = (self.peek(), self.ahead(1), self.ahead(2));
        Some(match (first, second, third) {
            (b'.', b'.', b'.') => (3, 1),
            (b'.', b'.', _) => (2, 1),
            (b'|', b'|', b'=') | (b'&', b'&', b'=') | (b'*', b'*', b'=') => return None,
            (b'<', b'<', b'=') | (b'>', b'>', b'=') => return None,
            (b'|', b'|', _) => (2, 2),
            (b'&', b'&', _) => (2, 3),
            (b'<', b'=', b'>') | (b'=', b'=', b'=') => (3, 5),
            (b'=', b'=' | b'~', _) | (b'!', b'=' | b'~', _) => (2, 5),
            (b'<' | b'>', b'=', _) => (2, 6),
            (b'<', b'<', _) | (b'>', b'>', _) => (2, 9),
            (b'<' | b'>', _, _) => (1, 6),
            (b'*', b'*', _) => (2, POWER),
            (b'|' | b'^' | b'&' | b'+' | b'-' | b'*' | b'/' | b'%', b'=', _) | (b'&', b'.', _) => {
                return None;
            }
            (b'|' | b'^', _, _) => (1, 7),
            (b'&', _, _) => (1, 8),
            (b'+' | b'-', _, _) => (1, 10),
            (b'*' | b'/' | b'%', _, _) => (1, 11),
            _ => return None,
        })
    }

    fn unary(&mut self, command: bool) -> Option<Expr> {
        let start = self.at;
        match (self.peek(), self.ahead(1)) {
            (b'!', next) if !matches!(next, b'=' | b'~') => {
                self.at += 1;
                self.blanks();
                self.nested(|it| it.unary(command))?;
                Some(self.opaque(start))
            }
            (b'-', b'0'..=b'9') => {
                self.at += 1;
                let number = self.number()?;
                let is_operand = self.is_selected()? || self.starts_with("**");
                let negative = ["-", &number].concat();
                (!is_operand).then(|| self.since(start, ExprKind::Number(negative.into())))
            }
            (b'-', next) if next.is_ascii_alphabetic() || matches!(next, b'(' | b'@' | b'_') => {
                self.at += 1;
                self.nested(|it| it.operation(super::expression::POWER, false))?;
                Some(self.opaque(start))
            }
            _ => self.primary(command),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.nesting += 1;
        if self.nesting > super::NESTING_LIMIT {
            return None;
        }
        let found = read(self)?;
        self.nesting -= 1;
        Some(found)
    }
}
