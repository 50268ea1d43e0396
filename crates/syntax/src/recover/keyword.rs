//! Words that were meant to be keywords.

use super::{Edit, Proposal, Site};
use crate::Slip;
use crate::token::TokenKind;

/// The keywords that start a definition or conditional.
const KEYWORDS: [(&str, TokenKind); 7] = [
    ("class", TokenKind::Class),
    ("define", TokenKind::Define),
    ("node", TokenKind::Node),
    ("function", TokenKind::Function),
    ("unless", TokenKind::Unless),
    ("case", TokenKind::Case),
    ("type", TokenKind::Type),
];

/// Takes the first word of a line for the keyword that it is one slip away from: `clas foo {`, `defien foo(`.
pub(super) fn misspelled(site: &Site<'_>) -> Option<Proposal> {
    (site.at.saturating_sub(60)..=site.at).rev().find_map(|index| {
        let starts = site.kind(index) == Some(TokenKind::Name) && site.indentation(index).1;
        let next = site.kind(index + 1)?;
        if !starts || !(next.is_operand() || next == TokenKind::StringStart) {
            return None;
        }
        let written = site.written(index);
        let (keyword, kind) = KEYWORDS.iter().find(|(keyword, _)| is_one_slip_away(written, keyword))?;
        let slip = Slip::MisspelledKeyword(keyword);
        let error = site.unexpected_at(index, site.range(index), slip);
        Some(Proposal::new(Edit::Retype(index, *kind), error))
    })
}

/// One letter too many, too few or wrong, or two exchanged.
fn is_one_slip_away(written: &str, keyword: &str) -> bool {
    let (a, b) = (written.as_bytes(), keyword.as_bytes());
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
    }
}
