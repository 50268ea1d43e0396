//! Single-token operands, and strings.

use marotte_text::Str;

use super::{Builder, span};
use crate::SyntaxErrorKind;
use crate::ast::{Expr, ExprKind, Heredoc, Segment};
use crate::grammar::{Node, Rule};
use crate::token::TokenKind;

/// The maximal number of digits of an integer in dialects without a size limit: parsing time grows faster than linearly
/// with the number of digits.
const MOST_DIGITS: usize = 4096;

impl Builder<'_> {
    pub(super) fn leaf(&mut self, index: usize) -> Expr {
        let range = self.token_range(index);
        let kind = match self.kind(index) {
            TokenKind::Name | TokenKind::Type => ExprKind::Name(self.written(index).into()),
            TokenKind::Number => return self.number(index),
            TokenKind::Variable => match self.written(index) {
                // `"${true}"`: the reference turns the value into a variable, and fails on it.
                name @ ("true" | "false") => {
                    return self.error_expr(range, SyntaxErrorKind::IllegalVariableName(name.into()));
                }
                _ => ExprKind::Variable(self.variable_name(index)),
            },
            TokenKind::String | TokenKind::Word => ExprKind::String(self.string_text(index)),
            TokenKind::Reference => ExprKind::Reference(self.written(index).into()),
            TokenKind::Boolean => ExprKind::Boolean(self.written(index) == "true"),
            TokenKind::Undef => ExprKind::Undef,
            TokenKind::Default => ExprKind::Default,
            TokenKind::Regex => ExprKind::Regex(self.regex_text(index)),
            TokenKind::Private | TokenKind::Attr => ExprKind::Reserved(self.written(index).into()),
            TokenKind::RenderText => {
                ExprKind::RenderText(self.tokens.own_text(index).cloned().unwrap_or_default())
            }
            _ => ExprKind::Error,
        };
        Expr { range, kind }
    }

    /// Returns the name of a variable token, with or without its `$`: inside `${…}` a bare name is a variable.
    pub(super) fn variable_name(&self, index: usize) -> Str {
        let written = self.written(index);
        written.strip_prefix('$').unwrap_or(written).into()
    }

    /// Returns the value of a string or word token.
    pub(super) fn string_text(&self, index: usize) -> Str {
        if let Some(text) = self.tokens.own_text(index) {
            return text.clone();
        }
        let written = self.written(index);
        match self.kind(index) {
            TokenKind::String => written.get(1..written.len().saturating_sub(1)).unwrap_or_default().into(),
            _ => written.into(),
        }
    }

    fn regex_text(&self, index: usize) -> Str {
        if let Some(text) = self.tokens.own_text(index) {
            return text.clone();
        }
        let written = self.written(index);
        written.get(1..written.len().saturating_sub(1)).unwrap_or_default().into()
    }

    fn number(&mut self, index: usize) -> Expr {
        let range = self.token_range(index);
        let written = self.written(index);
        let (digits, radix) = match written.as_bytes() {
            [b'0', b'x' | b'X', ..] => (&written[2..], 16),
            [b'0', second, ..] if second.is_ascii_digit() => (&written[1..], 8),
            _ => (written, 10),
        };
        let kind = if radix == 10 && digits.contains(['.', 'e', 'E']) {
            match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => ExprKind::Float(value),
                Ok(_) => return self.error_expr(range, SyntaxErrorKind::NumericOverflow(written.into())),
                Err(_) => ExprKind::Error,
            }
        } else if !digits.is_empty() && digits.bytes().all(|byte| char::from(byte).is_digit(radix)) {
            match i64::from_str_radix(digits, radix) {
                Ok(value) => ExprKind::Integer { value, radix: radix as u8 },
                Err(_) if self.choices.large_integers && digits.len() <= MOST_DIGITS => {
                    ExprKind::LargeInteger { digits: digits.into(), radix: radix as u8 }
                }
                Err(_) => return self.error_expr(range, SyntaxErrorKind::NumericOverflow(written.into())),
            }
        } else {
            // The lexer has reported it.
            ExprKind::Error
        };
        Expr { range, kind }
    }

    /// Builds a string with interpolation.
    pub(super) fn string(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let mut segments = Vec::new();
        self.segment_text(start, &mut segments);
        for inner in node.into_inner() {
            let (_, next) = span(&inner);
            let expr = self.expression(inner);
            segments.push(Segment::Expr(interpolated(expr)));
            self.segment_text(next, &mut segments);
        }
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::Interpolated(segments.into()) }
    }

    fn segment_text(&self, index: usize, segments: &mut Vec<Segment>) {
        if let Some(text) = self.tokens.own_text(index).filter(|text| !text.is_empty()) {
            segments.push(Segment::Text(text.clone()));
        }
    }

    /// Builds a heredoc; its range is its header.
    pub(super) fn heredoc(&mut self, node: Node<'_>) -> Expr {
        let (start, _) = span(&node);
        let range = self.token_range(start);
        let syntax = self.tokens.own_text(start).cloned().unwrap_or_default();
        let text = match node.into_inner().next() {
            Some(inner) if inner.as_rule() == Rule::string => self.string(inner),
            _ => self.leaf(start + 1),
        };
        Expr { range, kind: ExprKind::Heredoc(Box::new(Heredoc { syntax, text })) }
    }
}

/// Turns the name at the start of an access or method call in `${…}` into a variable. The lexer has already done so
/// wherever the interpolation is closed; a heredoc may end before that.
fn interpolated(mut expr: Expr) -> Expr {
    let mut inner = &mut expr.kind;
    loop {
        inner = match inner {
            ExprKind::Access(access) => &mut access.target.kind,
            ExprKind::MethodCall(call) => &mut call.receiver.kind,
            kind => {
                if let ExprKind::Name(name) = kind {
                    *kind = ExprKind::Variable(std::mem::take(name));
                }
                return expr;
            }
        }
    }
}
