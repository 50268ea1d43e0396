//! Statements, and the blocks that contain them.

use marotte_syntax::TokenKind;
use marotte_syntax::ast::{Expr, ExprKind};

use super::Position;
use crate::kept::block_with_header;
use crate::writer::{Writer, span};

impl Writer<'_> {
    /// Writes `{ … }` with each statement on a line of its own.
    pub(super) fn block(&mut self, body: &[Expr]) {
        self.token();
        if self.is_template_block(body) {
            self.template_statements(body, true);
        } else if !body.is_empty() || self.has_comment_inside() {
            self.doc.group();
            self.doc.indent(1);
            self.doc.hard_line();
            self.statements(body);
            self.dangling_comments(body.is_empty());
            self.doc.dedent();
            self.doc.hard_line();
            self.doc.end_group(None);
        }
        self.token();
    }

    /// Writes `{ … }`, on one line if it has one short expression.
    pub(super) fn short_block(&mut self, body: &[Expr]) {
        match body {
            [single] if !self.is_template_block(body) => {
                self.token();
                self.doc.group();
                self.doc.indent(1);
                self.doc.line();
                self.statements(std::slice::from_ref(single));
                self.dangling_comments(false);
                self.doc.dedent();
                self.doc.line();
                self.doc.end_group(None);
                self.token();
            }
            _ => self.block(body),
        }
    }

    /// Writes statements, each on a line of its own.
    pub(super) fn statements(&mut self, body: &[Expr]) {
        self.statements_in(body, Position::Statement);
    }

    /// Writes statements, each on a line of its own. In a template's tag, they are written as values are: their calls have short
    /// blocks, and no blank line is added.
    pub(super) fn statements_in(&mut self, body: &[Expr], position: Position) {
        let mut previous: Option<&Expr> = None;
        let mut rest = body;
        while let Some((statement, others)) = rest.split_first() {
            rest = others;
            let (start, end) = span(statement.range);
            if previous.is_some() {
                self.semicolon();
                self.doc.hard_line();
                self.item();
            }
            if position == Position::Statement && previous.is_some_and(|it| stand_apart(it, statement)) {
                self.item_apart();
            }
            match self.kept(start, end, body) {
                Some(after) => {
                    while rest.first().is_some_and(|it| u32::from(it.range.start()) < after) {
                        rest = &rest[1..];
                    }
                }
                None if self.keeps_header(start) => self.after_kept_header(statement, position),
                None => self.expression_in(statement, position),
            }
            previous = Some(statement);
        }
    }

    /// Writes a statement whose header is kept as it is written.
    fn after_kept_header(&mut self, statement: &Expr, position: Position) {
        let (start, _) = span(statement.range);
        let body = block_with_header(statement).unwrap_or_default();
        let Some(end) = body.first().and_then(|it| self.header_end(span(it.range).0)) else {
            return self.expression_in(statement, position);
        };
        self.verbatim(start, end);
        self.doc.space();
        let is_call = matches!(statement.kind, ExprKind::Call(_) | ExprKind::MethodCall(_));
        if is_call && position == Position::Value {
            self.short_block(body);
        } else {
            self.block(body);
        }
        match &statement.kind {
            ExprKind::If(it) => self.other_arms(it),
            ExprKind::Unless(it) => self.otherwise(it.otherwise.as_deref()),
            _ => {}
        }
    }

    /// Writes a statement verbatim if comments request that, with the others of its region. Returns the end of what was written; None
    /// if the statement is not to be kept.
    fn kept(&mut self, start: u32, end: u32, body: &[Expr]) -> Option<u32> {
        if let Some(kept) = self.kept_at(start) {
            self.verbatim(kept.start, kept.end);
            return Some(kept.end);
        }
        if !self.has_pragmas {
            return None;
        }
        while let Some(after) = self.region_kept(start, body) {
            if start < after {
                return Some(after);
            }
            // The region has only comments.
            self.doc.hard_line();
            self.item();
        }
        if !self.is_skipped(end) {
            return None;
        }
        self.verbatim(start, end);
        Some(end)
    }

    /// Writes verbatim the region from a comment `# fmt: off` before a statement up to the comment `# fmt: on` between
    /// statements, or to the end of the last statement. Returns the end of the region.
    fn region_kept(&mut self, start: u32, body: &[Expr]) -> Option<u32> {
        let off = self.pragma("off", self.end(), start)?;
        let last = body.last().map_or(start, |it| span(it.range).1);
        let mut from = off.1;
        let end = loop {
            let Some(on) = self.pragma("on", from, last) else { break last };
            let before = body.partition_point(|it| span(it.range).0 < on.0);
            match body[..before].last().map(|it| span(it.range).1).filter(|end| on.0 < *end) {
                Some(end) => from = end,
                None => break on.1,
            }
        };
        self.verbatim(off.0, end);
        Some(end)
    }

    /// Skips a `;` between statements, or writes it where the second statement would otherwise continue the first.
    pub(super) fn semicolon(&mut self) {
        if !self.is_at(TokenKind::Semicolon) {
            return;
        }
        let continues = matches!(
            self.second_kind(),
            Some(TokenKind::LeftBrace | TokenKind::Minus | TokenKind::Times | TokenKind::Regex)
        );
        self.skip(TokenKind::Semicolon);
        if continues {
            self.doc.word(";");
        }
    }
}

/// Whether a blank line separates two statements: definitions are separated from everything, and resources from each
/// other.
fn stand_apart(one: &Expr, other: &Expr) -> bool {
    let is_resource = |expr: &Expr| match &expr.kind {
        ExprKind::Resource(resource) => resource.bodies.iter().any(|body| !body.attributes.is_empty()),
        _ => false,
    };
    let is_definition = |expr: &Expr| {
        matches!(
            expr.kind,
            ExprKind::Class(_)
                | ExprKind::Define(_)
                | ExprKind::Function(_)
                | ExprKind::Plan(_)
                | ExprKind::Node(_)
        )
    };
    is_definition(one) || is_definition(other) || is_resource(one) && is_resource(other)
}
