//! Lists of values: arrays, hashes, arguments, keys.

use pest::iterators::Pairs;

use super::{Builder, span};
use crate::ast::{Expr, ExprKind, Hash, HashEntry, Lambda};
use crate::grammar::{Node, Rule};
use crate::token::TokenKind;

impl Builder<'_> {
    pub(super) fn array(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let elements = self.elements(node.into_inner());
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::Array(elements) }
    }

    pub(super) fn hash(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let mut entries = Vec::new();
        let mut items = node.into_inner();
        while let Some(key) = items.next() {
            if key.as_rule() == Rule::set_aside {
                continue;
            }
            let Some(value) = items.next() else { break };
            entries.push(self.entry(key, value));
        }
        let hash = Hash { entries: entries.into(), bare: false };
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::Hash(Box::new(hash)) }
    }

    fn entry(&mut self, key: Node<'_>, value: Node<'_>) -> HashEntry {
        let arrow = self.token_range(span(&key).1);
        HashEntry { key: self.operand(key), value: self.operand(value), arrow }
    }

    /// Builds values separated by commas; neighbouring pairs become one hash without braces (B19).
    pub(super) fn elements(&mut self, mut items: Pairs<'_, Rule>) -> Box<[Expr]> {
        let mut elements = Vec::with_capacity(items.len());
        let mut entries: Vec<HashEntry> = Vec::new();
        while let Some(item) = items.next() {
            if self.kind(span(&item).1) == TokenKind::FatArrow
                && let Some(value) = items.next()
            {
                entries.push(self.entry(item, value));
                continue;
            }
            elements.extend(bare_hash(&mut entries));
            elements.push(self.operand(item));
        }
        elements.extend(bare_hash(&mut entries));
        elements.into()
    }

    /// Builds the arguments of a call, and its block.
    pub(super) fn arguments(&mut self, node: Node<'_>) -> (Box<[Expr]>, Option<Box<Lambda>>) {
        let mut items = node.into_inner();
        let mut lambda = None;
        if items.clone().next_back().is_some_and(|last| last.as_rule() == Rule::lambda) {
            lambda = items.next_back();
        }
        let arguments = self.elements(items);
        (arguments, lambda.map(|node| Box::new(self.lambda(node))))
    }
}

fn bare_hash(entries: &mut Vec<HashEntry>) -> Option<Expr> {
    let (first, last) = (entries.first()?, entries.last()?);
    let range = first.key.range.cover(last.value.range);
    let hash = Hash { entries: std::mem::take(entries).into(), bare: true };
    Some(Expr { range, kind: ExprKind::Hash(Box::new(hash)) })
}
