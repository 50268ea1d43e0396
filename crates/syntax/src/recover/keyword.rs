//! Repairs of misspelled keywords.

use super::{Edit, Proposal, Site};
use crate::Slip;
use crate::token::TokenKind;

/// The keywords that start a definition or conditional.
const KEYWORDS: [(&str, TokenKind); 8] = [
    ("if", TokenKind::If),
    ("class", TokenKind::Class),
    ("define", TokenKind::Define),
    ("node", TokenKind::Node),
    ("function", TokenKind::Function),
    ("unless", TokenKind::Unless),
    ("case", TokenKind::Case),
    ("type", TokenKind::Type),
];

/// The maximal distance to such a word, in tokens.
const NEAR: usize = 60;

/// Reads the first word of a line as the keyword from which one typing mistake separates it: `clas foo {`,
/// `defien foo(`, `fi ($a) {`.
pub(super) fn misspelled(site: &Site<'_>) -> Option<Proposal> {
    candidates(site).find_map(|index| {
        let starts = site.kind(index) == Some(TokenKind::Name) && site.indentation(index).1;
        let next = site.kind(index + 1)?;
        let may_follow = next.is_operand()
            || matches!(next, TokenKind::StringStart | TokenKind::LeftParen | TokenKind::Not);
        if !starts || !may_follow {
            return None;
        }
        let (keyword, kind) = KEYWORDS.iter().find(|(it, _)| is_one_slip_away(site.written(index), it))?;
        Some(read_as(site, index, keyword, *kind))
    })
}

/// Reads a word between two blocks as `else`: `} esle {`.
pub(super) fn misspelled_else(site: &Site<'_>) -> Option<Proposal> {
    let is_it = |index: &usize| {
        site.kind(*index) == Some(TokenKind::Name)
            && index.checked_sub(1).and_then(|it| site.kind(it)) == Some(TokenKind::RightBrace)
            && site.kind(index + 1) == Some(TokenKind::LeftBrace)
            && is_one_slip_away(site.written(*index), "else")
    };
    candidates(site).find(is_it).map(|index| read_as(site, index, "else", TokenKind::Else))
}

/// Reads the word after a class's name or parameters as `inherits`: `class a inherit b {`.
pub(super) fn misspelled_inherits(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let is_it = site.kind(at)? == TokenKind::Name
        && matches!(site.before(1)?, TokenKind::RightParen | TokenKind::Name)
        && site.kind(at + 1)? == TokenKind::Name
        && is_one_slip_away(site.written(at), "inherits");
    is_it.then(|| read_as(site, at, "inherits", TokenKind::Inherits))
}

fn read_as(site: &Site<'_>, index: usize, keyword: &'static str, kind: TokenKind) -> Proposal {
    let error = site.unexpected_at(index, site.range(index), Slip::MisspelledKeyword(keyword));
    Proposal::new(Edit::Retype(index, kind), error)
}

/// The tokens that may be the cause, nearest first.
fn candidates<'s>(site: &'s Site<'_>) -> impl Iterator<Item = usize> + 's {
    (site.at.saturating_sub(NEAR)..=site.at).rev().chain(outside(site))
}

/// The tokens before the failing one that are not inside a closed bracket, nearest first: parameter lists are long.
fn outside<'s>(site: &'s Site<'_>) -> impl Iterator<Item = usize> + 's {
    let mut depth = 0_usize;
    let outer = (0..site.at).rev().filter(move |index| match site.kind(*index) {
        Some(kind) if kind.is_closer() => {
            depth += 1;
            false
        }
        Some(kind) if kind.closer().is_some() => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    });
    outer.take(NEAR)
}

/// Whether two words differ by one letter too many, too few or wrong, or by two exchanged letters.
fn is_one_slip_away(written: &str, keyword: &str) -> bool {
    let (a, b) = (written.as_bytes(), keyword.as_bytes());
    // With another letter, or one fewer, little of a short word is left.
    if b.len() < 3 && !a.iter().chain(b).all(|it| a.contains(it) && b.contains(it)) {
        return false;
    }
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - suffix], &b[..b.len() - suffix]) {
        ([_], [] | [_]) | ([], [_]) => true,
        ([x, y], [v, w]) => x == w && y == v,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_one_slip_away;

    #[test]
    fn one_slip() {
        for written in ["clas", "clss", "calss", "classs", "klass"] {
            assert!(is_one_slip_away(written, "class"), "{written}");
        }
        for written in ["class", "glasses", "cl", "define"] {
            assert!(!is_one_slip_away(written, "class"), "{written}");
        }
        for written in ["fi", "iff", "iif"] {
            assert!(is_one_slip_away(written, "if"), "{written}");
        }
        for written in ["i", "of", "id", "it"] {
            assert!(!is_one_slip_away(written, "if"), "{written}");
        }
    }
}
