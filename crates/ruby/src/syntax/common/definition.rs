//! `def`, `class` and `module`.

use super::Reader;
use super::call::is_keyword;
use crate::syntax::tree::{Expr, ExprKind, Method, Parameter, ParameterKind};

/// The operators that are names of methods, longer ones first.
const OPERATORS: [&str; 20] = [
    "[]=", "<=>", "===", "[]", "==", "=~", "!=", "!~", "<<", ">>", "<=", ">=", "**", "+", "-", "*", "/", "%",
    "<", ">",
];

impl<'t> Reader<'t> {
    pub(super) fn definition(&mut self, word: &str) -> Option<Expr> {
        let start = self.at;
        self.nesting += 1;
        // Variables around a definition are not visible in it.
        if self.nesting > super::NESTING_LIMIT || self.names.is_some() {
            return None;
        }
        self.at += word.len();
        self.blanks();
        let kind = self.within_brackets(|it| match word {
            "def" => it.method(),
            "class" => it.class(),
            _ => it.module(),
        })?;
        self.expect_word("end")?;
        self.nesting -= 1;
        Some(self.since(start, kind))
    }

    fn method(&mut self) -> Option<ExprKind> {
        let on_self = self.starts_with("self.");
        if on_self {
            self.at += "self.".len();
        }
        let name = self.defined_name()?;
        let parameters = if self.peek() == b'(' {
            self.at += 1;
            self.parameters(b')')?
        } else {
            let before = self.at;
            self.blanks();
            match self.peek() {
                b'\n' | b';' | b'#' => Vec::new(),
                _ if before == self.at => return None,
                _ => self.parameters(b'\n')?,
            }
        };
        self.blanks();
        if !matches!(self.peek(), b'\n' | b';' | b'#') {
            return None;
        }
        let body = self.guarded_statements()?;
        Some(ExprKind::Method(Box::new(Method { name: name.into(), on_self, parameters, body })))
    }

    fn defined_name(&mut self) -> Option<&'t str> {
        let start = self.at;
        let word = self.word();
        if word.is_empty() {
            let operator = OPERATORS.iter().find(|it| self.starts_with(it))?;
            self.at += operator.len();
            // Unary operators have an `@`.
            return (self.peek() != b'@').then(|| &self.text[start..self.at]);
        }
        if !word.is_ascii() || is_keyword(word) {
            return None;
        }
        self.at += word.len();
        match (self.peek(), self.ahead(1)) {
            (b'?' | b'!', _) => self.at += 1,
            (b'=', b'(' | b' ') if !word.starts_with(|it: char| it.is_ascii_uppercase()) => self.at += 1,
            (b'.', _) => return None,
            _ => {}
        }
        Some(&self.text[start..self.at])
    }

    /// Reads the parameters of a method up to the closing bracket, or to the end of the line.
    pub(super) fn parameters(&mut self, close: u8) -> Option<Vec<Parameter>> {
        let mut parameters = Vec::new();
        let has_brackets = close == b')';
        loop {
            if has_brackets {
                self.space()?
            } else {
                self.blanks()
            }
            if has_brackets && self.peek() == close {
                self.at += 1;
                return Some(parameters);
            }
            parameters.push(self.parameter()?);
            if has_brackets {
                self.space()?
            } else {
                self.blanks()
            }
            match self.peek() {
                b',' => {
                    self.at += 1;
                    if has_brackets {
                        self.space()?
                    } else {
                        self.blanks()
                    }
                    // No parameter follows.
                    if self.peek() == close {
                        return None;
                    }
                }
                b'\n' | b';' | b'#' if !has_brackets => return Some(parameters),
                b')' if has_brackets => {}
                _ => return None,
            }
        }
    }

    fn parameter(&mut self) -> Option<Parameter> {
        let sign = match (self.peek(), self.ahead(1)) {
            (b'*', b'*') => 2,
            (b'*' | b'&', _) => 1,
            _ => 0,
        };
        let kind = match (sign, self.peek()) {
            (2, _) => ParameterKind::Other,
            (1, b'*') => ParameterKind::Rest,
            (1, _) => ParameterKind::Block,
            _ => ParameterKind::Required,
        };
        self.at += sign;
        if kind == ParameterKind::Rest && matches!(self.peek(), b',' | b')' | b'\n') {
            return Some(Parameter { name: marotte_text::Str::new(), kind });
        }
        let name = self.variable_name()?;
        self.note_parameter(name);
        let name = name.into();
        if sign > 0 {
            return Some(Parameter { name, kind });
        }
        if self.peek() == b':' && self.ahead(1) != b':' {
            self.at += 1;
            self.blanks();
            if !matches!(self.peek(), b',' | b')' | b'\n') {
                self.expression(false)?;
            }
            return Some(Parameter { name, kind: ParameterKind::Other });
        }
        let place = self.place();
        self.blanks();
        if self.peek() != b'=' {
            self.return_to(place);
            return Some(Parameter { name, kind });
        }
        self.at += 1;
        self.blanks();
        self.expression(false)?;
        Some(Parameter { name, kind: ParameterKind::Optional })
    }

    fn class(&mut self) -> Option<ExprKind> {
        if self.starts_with("<<") {
            self.at += "<<".len();
            self.blanks();
            self.expression(false)?;
            self.end_of_head()?;
            self.guarded_statements()?;
            return Some(ExprKind::Opaque);
        }
        self.constant_path()?;
        self.blanks();
        if self.peek() == b'<' {
            self.at += 1;
            self.blanks();
            self.expression(false)?;
        }
        self.end_of_head()?;
        Some(ExprKind::Module(self.guarded_statements()?))
    }

    fn module(&mut self) -> Option<ExprKind> {
        self.constant_path()?;
        self.end_of_head()?;
        Some(ExprKind::Module(self.guarded_statements()?))
    }

    fn constant_path(&mut self) -> Option<()> {
        if self.starts_with("::") {
            self.at += 2;
        }
        loop {
            let word = self.word();
            if !word.starts_with(|it: char| it.is_ascii_uppercase()) || !word.is_ascii() {
                return None;
            }
            self.at += word.len();
            if !self.starts_with("::") {
                return Some(());
            }
            self.at += 2;
        }
    }

    fn end_of_head(&mut self) -> Option<()> {
        self.blanks();
        matches!(self.peek(), b'\n' | b';' | b'#').then_some(())
    }
}
