//! Setting source aside: finds the smallest piece around the failure without which the grammar can continue.

use std::ops::Range;

use super::{Edit, Proposal, Site};
use crate::Slip;
use crate::grammar::Rule;
use crate::token::{TokenKind, Tokens};

/// The pieces to set aside, from small to large: the element between separators, the statement, then both for each
/// enclosing bracket.
pub(super) fn proposals(site: &Site<'_>) -> Vec<Proposal> {
    let error = site.unexpected(Slip::Unknown);
    let mut proposals = Vec::new();
    let mut push = |range: Range<usize>| {
        if !range.is_empty() {
            proposals.push(Proposal::new(Edit::Blank(range), error.clone()));
        }
    };
    let open = site.open_brackets();
    let mut inner = site.at;
    for &opener in open.iter().rev().take(12).chain(std::iter::once(&usize::MAX)) {
        let (from, to) = match opener {
            usize::MAX => (0, site.tokens.len()),
            opener => (opener + 1, closing(site, opener)),
        };
        push(element(site, from, inner, to));
        push(statement(site, from, inner, to));
        push(from..to);
        if opener != usize::MAX {
            inner = opener;
        }
    }
    proposals
}

/// Sets aside everything from the statement with the failure to the end.
pub(super) fn rest(site: &Site<'_>) -> Proposal {
    let error = site.unexpected(Slip::Unknown);
    if site.tokens.is_empty() {
        return Proposal { edits: Vec::new(), errors: vec![error] };
    }
    let outermost = site.open_brackets().first().copied().unwrap_or(site.at);
    let start = statement(site, 0, outermost, site.tokens.len()).start.min(site.tokens.len() - 1);
    Proposal::new(Edit::Blank(start..site.tokens.len()), error)
}

/// Sets all tokens aside.
pub(super) fn everything(tokens: &Tokens, rule: Rule) -> Tokens {
    let mut tokens = tokens.clone();
    let first = usize::from(rule == Rule::template);
    if tokens.len() > first {
        tokens.blank(first..tokens.len());
    }
    tokens
}

/// The index of the bracket that closes `opener`, or the end.
pub(super) fn closing(site: &Site<'_>, opener: usize) -> usize {
    let mut depth = 0;
    for index in opener..site.tokens.len() {
        let Some(kind) = site.kind(index) else { break };
        if kind.is_closer() {
            depth -= 1;
        } else if kind.closer().is_some() {
            depth += 1;
        }
        if depth == 0 {
            return index;
        }
    }
    site.tokens.len()
}

/// The tokens around `at` in `from..to`, up to the nearest separators on their own nesting level.
fn element(site: &Site<'_>, from: usize, at: usize, to: usize) -> Range<usize> {
    let separates = |kind| matches!(kind, TokenKind::Comma | TokenKind::Semicolon);
    let level = Levels::new(site, from, to);
    let start = (from..at.min(to))
        .rev()
        .find(|&index| level.is_outer(index) && site.kind(index).is_some_and(separates));
    let end = (at..to).find(|&index| level.is_outer(index) && site.kind(index).is_some_and(separates));
    start.map_or(from, |start| start + 1)..end.unwrap_or(to)
}

/// The statement around `at` in `from..to`, delimited by tokens that start a line and look like the start of a
/// statement.
fn statement(site: &Site<'_>, from: usize, at: usize, to: usize) -> Range<usize> {
    let level = Levels::new(site, from, to);
    let starts = |index: usize| level.is_outer(index) && starts_statement(site, index);
    let start = (from..=at.min(to.saturating_sub(1))).rev().find(|&index| starts(index)).unwrap_or(from);
    let end = (at + 1..to).find(|&index| starts(index)).unwrap_or(to);
    start..end.max(start)
}

fn starts_statement(site: &Site<'_>, index: usize) -> bool {
    let continues = index > 0
        && site.kind(index - 1).is_some_and(|before| {
            !(before.ends_value() || before.is_operand() || before.is_closer() || before.closer().is_some())
        });
    let can_start = site.kind(index).is_some_and(|kind| {
        kind.is_operand()
            || matches!(kind, TokenKind::At | TokenKind::AtAt)
            || (kind.is_keyword()
                && !matches!(
                    kind,
                    TokenKind::Else
                        | TokenKind::Elsif
                        | TokenKind::In
                        | TokenKind::And
                        | TokenKind::Or
                        | TokenKind::Inherits
                ))
    });
    can_start && !continues && site.indentation(index).1
}

/// For each token of a range, whether it is outside of all brackets of the range.
struct Levels {
    from: usize,
    outer: Vec<bool>,
}

impl Levels {
    fn new(site: &Site<'_>, from: usize, to: usize) -> Levels {
        let mut depth = 0_usize;
        let outer = (from..to)
            .map(|index| {
                let kind = site.kind(index);
                if kind.is_some_and(TokenKind::is_closer) {
                    depth = depth.saturating_sub(1);
                }
                let outer = depth == 0;
                if kind.and_then(TokenKind::closer).is_some() {
                    depth += 1;
                }
                outer
            })
            .collect();
        Levels { from, outer }
    }

    fn is_outer(&self, index: usize) -> bool {
        index.checked_sub(self.from).and_then(|index| self.outer.get(index)).copied().unwrap_or(false)
    }
}
