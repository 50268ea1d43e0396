//! Conditionals, and the parts of templates.

use marotte_text::TextRange;

use super::{Builder, span};
use crate::ast::{Arm, Block, Case, CaseOption, Expr, ExprKind, If, Selector, SelectorEntry, Unless};
use crate::grammar::{Node, Rule};

impl Builder<'_> {
    pub(super) fn if_(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let range = self.tokens_range(start, end - 1);
        let count = node.clone().into_inner().len();
        self.deeper(count / 2, range, |builder| {
            let mut arms = Vec::new();
            let mut otherwise = None;
            let mut parts = node.into_inner();
            while let Some(part) = parts.next() {
                if part.as_rule() == Rule::block {
                    otherwise = Some(builder.block(part));
                } else if let Some(body) = parts.next() {
                    let range = builder.tokens_range(span(&part).0 - 1, span(&body).1 - 1);
                    arms.push(Arm { range, test: builder.expression(part), body: builder.block(body) });
                }
            }
            Expr { range, kind: ExprKind::If(Box::new(If { arms: arms.into(), otherwise })) }
        })
    }

    pub(super) fn unless(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let range = self.tokens_range(start, end - 1);
        let mut parts = node.into_inner();
        let test = parts.next().map(|part| self.expression(part));
        let body = parts.next().map(|part| self.block(part));
        let otherwise = parts.next().map(|part| self.block(part));
        match (test, body) {
            (Some(test), Some(body)) => {
                Expr { range, kind: ExprKind::Unless(Box::new(Unless { test, body, otherwise })) }
            }
            _ => Expr { range, kind: ExprKind::Error },
        }
    }

    pub(super) fn case(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let range = self.tokens_range(start, end - 1);
        let mut parts = node.into_inner();
        let Some(test) = parts.next().map(|part| self.expression(part)) else {
            return Expr { range, kind: ExprKind::Error };
        };
        let options = parts.map(|part| self.case_option(part)).collect();
        Expr { range, kind: ExprKind::Case(Box::new(Case { test, options })) }
    }

    fn case_option(&mut self, node: Node<'_>) -> CaseOption {
        let (start, end) = span(&node);
        let mut values = Vec::new();
        let mut body: Block = Box::new([]);
        for part in node.into_inner() {
            if part.as_rule() == Rule::block {
                body = self.block(part);
            } else {
                values.push(self.expression(part));
            }
        }
        CaseOption { range: self.tokens_range(start, end - 1), values: values.into(), body }
    }

    pub(super) fn braced_selector(&mut self, node: Node<'_>) -> (Box<[SelectorEntry]>, TextRange) {
        let (start, end) = span(&node);
        let mut entries = Vec::new();
        let mut parts = node.into_inner();
        while let Some(key) = parts.next() {
            if key.as_rule() == Rule::set_aside {
                continue;
            }
            let Some(value) = parts.next() else { break };
            entries.push(SelectorEntry { key: self.expression(key), value: self.expression(value) });
        }
        (entries.into(), self.tokens_range(start, end - 1))
    }

    pub(super) fn selector(
        &mut self,
        value: Expr,
        (entries, braces): (Box<[SelectorEntry]>, TextRange),
    ) -> Expr {
        let range = value.range.cover(braces);
        Expr { range, kind: ExprKind::Selector(Box::new(Selector { value, entries })) }
    }

    pub(super) fn render(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let body = match node.into_inner().next() {
            Some(inner) if inner.as_rule() == Rule::block => self.block(inner),
            Some(inner) => Box::new([self.expression(inner)]),
            None => Box::new([]) as Block,
        };
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::Render(body) }
    }
}
