//! Builds the syntax tree from the grammar's pairs.
//!
//! A pair covers the tokens `start..end`. The tokens between two pairs of a node are those that the grammar matched
//! there, so operators and separators are read from the token string. Constructs that the reference rejects in the
//! actions of its grammar, rather than in the grammar itself, are rejected here.

mod collection;
mod control;
mod definition;
mod expression;
mod literal;
mod resource;
mod statement;

pub use statement::STATEMENT_CALLS;

use marotte_text::{Str, TextRange, TextSize};

use crate::ast::{Expr, ExprKind, Program, Template};
use crate::grammar::{Node, Rule};
use crate::token::{TokenKind, Tokens};
use crate::{Choices, SyntaxError, SyntaxErrorKind};

/// The maximal number of operators and continuations on one path of the tree. The reference runs out of stack between
/// 1,000 and 2,000.
const CHAIN_LIMIT: u32 = 2_500;

/// Builds the program from `root` (a [`Rule::program`] or [`Rule::template`]).
pub(crate) fn build(
    source: &str,
    tokens: &Tokens,
    root: Node<'_>,
    choices: Choices,
    errors: &mut Vec<SyntaxError>,
) -> Program {
    let end = TextSize::of(source);
    let mut builder = Builder { source, tokens, choices, end, errors, namespace: Vec::new(), depth: 0 };
    let template = root.as_rule() == Rule::template;
    let mut parameters = None;
    let mut statements = root.into_inner().peekable();
    if let Some(list) = statements.next_if(|node| node.as_rule() == Rule::template_parameters) {
        parameters = Some(builder.parameters(list.into_inner()));
    }
    let body = builder.statements(statements.filter(|node| node.as_rule() != Rule::EOI));
    Program {
        body,
        template: template.then_some(Template { parameters }),
        range: TextRange::up_to(builder.end),
    }
}

struct Builder<'s> {
    source: &'s str,
    tokens: &'s Tokens,
    choices: Choices,
    end: TextSize,
    errors: &'s mut Vec<SyntaxError>,
    /// The names of the classes and plans around the construct being built.
    namespace: Vec<Str>,
    /// The number of operators and continuations above the construct being built.
    depth: u32,
}

/// The range of token indices that a node covers.
fn span(node: &Node<'_>) -> (usize, usize) {
    let span = node.as_span();
    (span.start(), span.end())
}

impl<'s> Builder<'s> {
    fn kind(&self, index: usize) -> TokenKind {
        self.tokens.kind(index).unwrap_or(TokenKind::Other)
    }

    fn token_range(&self, index: usize) -> TextRange {
        self.tokens.range(index, self.end)
    }

    /// The source range from the start of one token to the end of another.
    fn tokens_range(&self, first: usize, last: usize) -> TextRange {
        let (first, last) = (self.token_range(first), self.token_range(last));
        TextRange::new(first.start(), last.end().max(first.start()))
    }

    /// The source text of a token.
    fn written(&self, index: usize) -> &'s str {
        let range = self.token_range(index);
        self.source.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default()
    }

    fn error(&mut self, range: TextRange, kind: SyntaxErrorKind) {
        self.errors.push(SyntaxError { range, kind });
    }

    /// Reports an error, and returns an error node in place of the expression.
    fn error_expr(&mut self, range: TextRange, kind: SyntaxErrorKind) -> Expr {
        self.error(range, kind);
        Expr { range, kind: ExprKind::Error }
    }

    /// Builds with `count` more levels of the tree above, unless that exceeds the limit.
    fn deeper(&mut self, count: usize, range: TextRange, build: impl FnOnce(&mut Self) -> Expr) -> Expr {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        let depth = self.depth.saturating_add(count);
        if depth > CHAIN_LIMIT {
            return self.error_expr(range, SyntaxErrorKind::ChainLimit(CHAIN_LIMIT));
        }
        let above = std::mem::replace(&mut self.depth, depth);
        let expr = build(self);
        self.depth = above;
        expr
    }
}
