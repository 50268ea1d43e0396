//! Statements of other languages.

use marotte_text::{TextRange, TextSize};

use super::{Edit, Proposal, Site, blank};
use crate::token::TokenKind;
use crate::{Slip, SyntaxError, SyntaxErrorKind};

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
    let first = (at.saturating_sub(40)..=at).rev().find(|&index| {
        is_word(index) && starts_statement(site, index) && advice(index, &STATEMENTS).is_some()
    });
    let called = |index: usize| {
        matches!(site.kind(index + 1), Some(TokenKind::LeftParen | TokenKind::LeftBrace))
            && site.range(index).end() == site.range(index + 1).start()
            || matches!(site.kind(index + 1), Some(TokenKind::FatArrow | TokenKind::Colon))
    };
    if let Some(index) = first.filter(|&index| !called(index))
        && let Some(advice) = advice(index, &STATEMENTS)
    {
        propose(index, advice);
    }
    proposals
}

/// Whether a word may be the first of a statement: it is the first on its line, or a brace is before it.
fn starts_statement(site: &Site<'_>, index: usize) -> bool {
    let before = || index.checked_sub(1).and_then(|it| site.kind(it));
    site.indentation(index).1 || matches!(before(), Some(TokenKind::LeftBrace | TokenKind::RightBrace))
}

/// Replaces the error that an expression before a block is not a resource type by one about the statement of another language to
/// which both belong, as in `while true { }` and `while(true) { }`.
pub(crate) fn instead(source: &str, error: SyntaxError) -> SyntaxError {
    if error.kind != SyntaxErrorKind::NotAResource {
        return error;
    }
    let (start, end) = (usize::from(error.range.start()), usize::from(error.range.end()));
    let (Some(before), Some(own)) = (source.get(..start), source.get(start..end)) else { return error };
    let line = before.get(before.rfind('\n').map_or(0, |it| it + 1)..).unwrap_or_default();
    let is_of_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':' | '$');
    let trimmed = line.trim_end();
    let last = trimmed.rsplit(|it: char| !is_of_word(it)).next().unwrap_or_default();
    let first = own.split(|it: char| !is_of_word(it)).next().unwrap_or_default();
    let places = [(last, start - line.len() + trimmed.len() - last.len()), (first, start)];
    let found = places.iter().find_map(|(word, at)| {
        let (word, advice) = STATEMENTS.iter().find(|(it, _)| it == word)?;
        Some((*word, *advice, *at))
    });
    let Some((word, advice, at)) = found else { return error };
    let range = TextRange::at(TextSize::of(&source[..at]), TextSize::of(word));
    let slip = Slip::ForeignStatement { advice };
    SyntaxError { range, kind: SyntaxErrorKind::Unexpected { found: Some(word.into()), slip } }
}
