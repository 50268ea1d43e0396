//! EPP templates: the code inside tags is laid out, and everything else is kept.
//!
//! Blocks that contain text are not indented, since the text is not indented, either. A tag with one short statement is
//! on one line; a tag with several statements, or with one that takes several lines, has its delimiters on lines of
//! their own.

use marotte_syntax::ast::{Expr, ExprKind, Template};

use super::Position;
use super::list::List;
use crate::writer::{Writer, span};

impl Writer<'_> {
    pub(super) fn template(&mut self, template: &Template, body: &[Expr]) {
        if let Some(parameters) = &template.parameters {
            self.parameters(parameters, List { padded: true, trailing_comma: true, ..List::default() });
        }
        self.template_statements(body, false);
        self.before(self.source.len() as u32);
    }

    /// Whether a block whose brace has been written contains text.
    pub(super) fn is_template_block(&self, body: &[Expr]) -> bool {
        let Some((first, last)) = body.first().zip(body.last()) else { return self.is_outside_next() };
        self.is_outside_next()
            || body.iter().any(|it| matches!(it.kind, ExprKind::RenderText(_) | ExprKind::Render(_)))
            || self.is_outside_between(span(first.range).0, span(last.range).1)
    }

    /// Writes statements that may have text between them; `in_block` if a brace ends them.
    pub(super) fn template_statements(&mut self, body: &[Expr], in_block: bool) {
        let mut rest = body;
        while let Some((first, others)) = rest.split_first() {
            match &first.kind {
                ExprKind::RenderText(_) => rest = others,
                ExprKind::Render(_) => {
                    self.expression(first);
                    rest = others;
                }
                _ => {
                    let count = self.statements_in_tag(rest);
                    let (run, others) = rest.split_at(count);
                    rest = others;
                    self.tag(run, in_block && rest.is_empty());
                }
            }
        }
    }

    /// The number of statements in the same tag as the first.
    fn statements_in_tag(&self, body: &[Expr]) -> usize {
        let same = body.windows(2).take_while(|pair| {
            let is_code = !matches!(pair[1].kind, ExprKind::RenderText(_) | ExprKind::Render(_));
            is_code && !self.is_outside_between(span(pair[0].range).1, span(pair[1].range).0)
        });
        same.count() + 1
    }

    /// Writes the statements of one tag, or the part of it that is in this block.
    fn tag(&mut self, statements: &[Expr], is_last: bool) {
        let starts = self.is_outside_next();
        while self.is_outside_next() && !self.has_comment_before_text() {
            self.outside();
        }
        let (first, last) = (&statements[0], &statements[statements.len() - 1]);
        if starts && self.is_outside_between(span(first.range).0, span(last.range).1) {
            self.statements_in(statements, Position::Value);
            if is_last && !self.is_outside_next() {
                self.doc.space();
            }
            return;
        }
        self.doc.group();
        self.doc.indent(1);
        if starts {
            self.doc.line();
        } else {
            self.doc.hard_line();
        }
        self.statements_in(statements, Position::Value);
        self.last_comments();
        self.doc.dedent();
        if is_last && !self.is_outside_next() {
            self.doc.hard_line();
        } else {
            self.doc.line();
        }
        self.doc.end_group(None);
    }

    /// Writes an expression tag: `<%= … %>`.
    pub(super) fn render(&mut self, body: &[Expr]) {
        while self.is_outside_next() && !self.has_comment_before_text() {
            self.outside();
        }
        match body {
            [single] if !self.is_at(marotte_syntax::TokenKind::LeftBrace) => self.expression(single),
            _ => self.expression_block(body),
        }
    }

    /// Writes `<%= { … } %>`, or a hash.
    fn expression_block(&mut self, body: &[Expr]) {
        match body {
            [single] if matches!(single.kind, ExprKind::Hash(_)) => self.expression(single),
            _ => self.short_block(body),
        }
    }
}
