//! Repairs of missing opening brackets, where only one kind of bracket is possible.

use super::{Edit, Proposal, Site};
use crate::Slip;
use crate::token::TokenKind;

/// `class a $b) {`: parameters start after the name.
pub(super) fn of_parameters(site: &Site<'_>) -> Option<Proposal> {
    let starts = matches!(site.kind(site.at)?, TokenKind::Variable | TokenKind::Reference);
    let is_named = site.before(1)? == TokenKind::Name
        && matches!(
            site.before(2)?,
            TokenKind::Class | TokenKind::Define | TokenKind::Function | TokenKind::Plan
        );
    (starts && is_named).then(|| missing(site, site.at, TokenKind::LeftParen, "("))
}

/// `file '/a': ensure => file }`: a resource starts after its type.
pub(super) fn of_resource(site: &Site<'_>) -> Option<Proposal> {
    let is_title = matches!(site.before(1)?, TokenKind::String | TokenKind::Variable);
    let is_type = matches!(site.before(2)?, TokenKind::Name | TokenKind::Class);
    (site.kind(site.at)? == TokenKind::Colon
        && is_title
        && is_type
        && closing(site)? == TokenKind::RightBrace)
        .then(|| missing(site, site.at - 1, TokenKind::LeftBrace, "{"))
}

/// `File'/a']`: the keys of an access are in brackets.
pub(super) fn of_access(site: &Site<'_>) -> Option<Proposal> {
    let is_key = site.kind(site.at)?.is_operand() || site.kind(site.at)? == TokenKind::StringStart;
    let is_behind = matches!(site.before(1)?, TokenKind::Reference | TokenKind::Variable);
    let touches = site.range(site.at - 1).end() == site.range(site.at).start();
    (is_key && is_behind && touches && closing(site)? == TokenKind::RightBracket)
        .then(|| missing(site, site.at, TokenKind::LeftBracket, "["))
}

/// `require => File['/a'], File['/b']]`: several values form a list in brackets.
pub(super) fn of_list(site: &Site<'_>) -> Option<Proposal> {
    if site.before(1)? != TokenKind::Comma || closing(site)? != TokenKind::RightBracket {
        return None;
    }
    let mut depth = 0_usize;
    for index in (0..site.at).rev() {
        match site.kind(index)? {
            TokenKind::FatArrow | TokenKind::Assign if depth == 0 => {
                return Some(missing(site, index + 1, TokenKind::ListStart, "["));
            }
            kind if kind.is_closer() => depth += 1,
            kind if kind.closer().is_some() => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

fn missing(site: &Site<'_>, index: usize, kind: TokenKind, text: &'static str) -> Proposal {
    let error = site.unexpected_at(index, site.range(index), Slip::Expected(Box::new([text])));
    Proposal::new(Edit::Insert(index, kind), error)
}

/// The closer of the construct that is open at the failing token.
fn closing(site: &Site<'_>) -> Option<TokenKind> {
    let mut depth = 0_usize;
    for index in site.at..site.tokens.len() {
        let kind = site.kind(index)?;
        if kind.is_closer() {
            match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return Some(kind),
            }
        } else if kind.closer().is_some() {
            depth += 1;
        }
    }
    None
}
