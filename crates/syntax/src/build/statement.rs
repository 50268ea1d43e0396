//! Statements, and calls without parentheses (B11-B15).

use marotte_text::TextRange;

use super::{Builder, span};
use crate::SyntaxErrorKind;
use crate::ast::{Block, Call, Expr, ExprKind};
use crate::grammar::Node;
use crate::token::TokenKind;

/// The functions that may be called without parentheses, but only as statements (B12).
pub const STATEMENT_CALLS: [&str; 14] = [
    "require", "realize", "include", "contain", "tag", "debug", "info", "notice", "warning", "err", "fail",
    "break", "next", "return",
];

/// Parsed like a statement function, in order to be rejected with a specific message.
const IMPORT: &str = "import";

pub(super) fn is_statement_call(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Name(name) if name == IMPORT || STATEMENT_CALLS.contains(&name.as_str()))
}

/// `callee arguments`, without parentheses.
pub(super) fn statement_call(callee: Expr, arguments: Box<[Expr]>) -> Expr {
    let range = arguments.last().map_or(callee.range, |last| callee.range.cover(last.range));
    Expr { range, kind: ExprKind::Call(Box::new(Call { callee, arguments, lambda: None, statement: true })) }
}

impl Builder<'_> {
    pub(super) fn block(&mut self, node: Node<'_>) -> Block {
        self.statements(node.into_inner())
    }

    /// Arranges a flat sequence of expressions: a statement function takes the expression, or the list, that follows
    /// it.
    pub(super) fn statements<'t>(&mut self, nodes: impl Iterator<Item = Node<'t>>) -> Block {
        let mut statements: Vec<Expr> = Vec::new();
        let mut nodes = nodes.peekable();
        while let Some(node) = nodes.next() {
            let mut end = span(&node).1;
            let first = self.expression(node);
            let comma = self.token_range(end);
            let mut rest = Vec::new();
            while self.kind(end) == TokenKind::Comma
                && let Some(node) = nodes.next()
            {
                end = span(&node).1;
                rest.push(self.expression(node));
            }
            self.statement(&mut statements, first, rest, comma);
        }
        statements.into()
    }

    fn statement(
        &mut self,
        statements: &mut Vec<Expr>,
        mut first: Expr,
        mut rest: Vec<Expr>,
        comma: TextRange,
    ) {
        if let Some(callee) = statements.pop_if(|last| is_statement_call(last)) {
            rest.insert(0, first);
            statements.push(statement_call(callee, rest.into()));
        } else if rest.is_empty() {
            if let ExprKind::Call(call) = &mut first.kind {
                call.statement = true;
            }
            statements.push(first);
        } else {
            let function = match statements.last().map(|last| &last.kind) {
                Some(ExprKind::Name(name)) => Some(name.clone()),
                _ => None,
            };
            if function.is_some() {
                statements.pop();
            }
            let error = self.error_expr(comma, SyntaxErrorKind::CommaList { function });
            statements.push(error);
        }
    }
}
