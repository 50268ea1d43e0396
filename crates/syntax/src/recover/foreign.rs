//! Statements of other languages.

use super::{Edit, Proposal, Site, blank};
use crate::Slip;
use crate::token::TokenKind;

const LOOPS: &str = "there are no loops: call a function with a block, such as `$list.each |$item| { … }`";

/// Words that start a statement in other languages, and their Puppet counterpart.
const STATEMENTS: [(&str, &str); 11] = [
    ("for", LOOPS),
    ("foreach", LOOPS),
    ("while", LOOPS),
    ("until", LOOPS),
    ("loop", LOOPS),
    ("switch", "a choice is `case $value { 'a': { … } default: { … } }`"),
    ("def", "a function is `function module::name($parameter) { … }`"),
    ("let", "a variable is assigned with `$name = value`"),
    ("var", "a variable is assigned with `$name = value`"),
    ("local", "a variable is assigned with `$name = value`"),
    ("import", "classes and functions are found by their names"),
];

/// Words that open or close a block in other languages.
const BLOCKS: [(&str, &str); 7] = [
    ("then", "a block is opened with `{`"),
    ("do", "a block is opened with `{`, its parameters appear before it: `|$item| { … }`"),
    ("begin", "a block is opened with `{`"),
    ("end", "a block is closed with `}`"),
    ("fi", "a block is closed with `}`"),
    ("endif", "a block is closed with `}`"),
    ("done", "a block is closed with `}`"),
];

/// Sets aside the statement whose first word, or the word at which the grammar failed, belongs to another language.
pub(super) fn proposals(site: &Site<'_>) -> Vec<Proposal> {
    let at = site.at;
    let mut proposals = Vec::new();
    let mut propose = |index: usize, advice: &'static str| {
        let error = site.unexpected_at(index, site.range(index), Slip::ForeignStatement { advice });
        proposals.push(Proposal::new(Edit::Delete(index), error.clone()));
        for blank in blank::proposals(site) {
            proposals.push(Proposal { edits: blank.edits, errors: vec![error.clone()] });
        }
    };
    let advice = |index: usize, words: &[(&str, &'static str)]| {
        let written = site.written(index);
        words.iter().find(|(word, _)| *word == written).map(|(_, advice)| *advice)
    };
    let is_word = |index: usize| site.kind(index) == Some(TokenKind::Name);
    for index in [Some(at), at.checked_sub(1)].into_iter().flatten().filter(|&index| is_word(index)) {
        if let Some(advice) = advice(index, &BLOCKS) {
            propose(index, advice);
        }
    }
    // The statement may span lines, but not many.
    let first = (at.saturating_sub(40)..=at)
        .rev()
        .find(|&index| is_word(index) && site.indentation(index).1 && advice(index, &STATEMENTS).is_some());
    let called = |index: usize| {
        matches!(
            site.kind(index + 1),
            Some(TokenKind::LeftParen | TokenKind::FatArrow | TokenKind::LeftBrace)
        ) && site.range(index).end() == site.range(index + 1).start()
    };
    if let Some(index) = first.filter(|&index| !called(index))
        && let Some(advice) = advice(index, &STATEMENTS)
    {
        propose(index, advice);
    }
    proposals
}
