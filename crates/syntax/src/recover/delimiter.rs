//! Repairs of brackets without a partner.

use super::{Edit, Proposal, Site};
use crate::token::TokenKind;
use crate::{Slip, SyntaxError, SyntaxErrorKind};

/// Proposes repairs of brackets: closes those that a line with less indentation, another bracket or the end of the text
/// shows to be unclosed; drops closers without an opener.
pub(super) fn proposals(site: &Site<'_>) -> Vec<Proposal> {
    let open = site.open_brackets();
    let mut proposals = Vec::new();
    // An arrow after a key expression belongs to the enclosing hash, if that is what ends here.
    if site.kind(site.at) == Some(TokenKind::RightBrace)
        && let Some(&opener) = open.last()
        && site.kind(opener) == Some(TokenKind::LeftBracket)
    {
        let arrow = (opener + 1..site.at).find(|&index| site.kind(index) == Some(TokenKind::FatArrow));
        proposals.extend(arrow.and_then(|arrow| close(site, opener, arrow)));
    }
    // A bracket whose apparent closer is further left than the bracket's own line: that closer was meant for an outer
    // bracket, and the missing one belongs before it.
    if !open.is_empty() {
        proposals
            .extend(misaligned(site).into_iter().take(4).filter_map(|(opener, at)| close(site, opener, at)));
    }
    // A block after a condition cannot belong to a bracket that is open in the condition.
    for &opener in open.iter().rev().take(8) {
        if let Some(at) = block(site, opener) {
            proposals.extend(close(site, opener, at));
        }
    }
    // Innermost first: the nearest unclosed bracket is the most likely one.
    for &opener in open.iter().rev().take(8) {
        if let Some(at) = dedent(site, opener) {
            proposals.extend(close(site, opener, at));
        }
    }
    match site.kind(site.at) {
        None => proposals.extend(open.last().and_then(|&opener| close_all(site, &open, opener))),
        Some(closer) if closer.is_closer() => {
            let innermost = open.last().copied();
            let partner = innermost.and_then(|opener| site.kind(opener)?.closer());
            if partner != Some(closer) {
                proposals.extend(innermost.zip(partner).map(|(opener, partner)| {
                    let slip =
                        Slip::WrongCloser { opener: site.range(opener), expected: closer_text(partner) };
                    Proposal::new(Edit::Retype(site.at, partner), site.unexpected(slip))
                }));
                proposals.extend(innermost.and_then(|opener| reopen(site, opener, closer)));
                let belongs_further_out =
                    open.iter().any(|&opener| site.kind(opener).and_then(TokenKind::closer) == Some(closer));
                if let Some(opener) = innermost.filter(|_| belongs_further_out) {
                    proposals.extend(close(site, opener, site.at));
                }
                let error = SyntaxError {
                    range: site.range(site.at),
                    kind: SyntaxErrorKind::Unopened { close: closer.text() },
                };
                proposals.push(Proposal::new(Edit::Delete(site.at), error));
            }
        }
        Some(_) => {}
    }
    proposals
}

/// Returns the brace after a value, at the end of a line, that follows `opener` if that is not a brace itself: it
/// starts a block.
fn block(site: &Site<'_>, opener: usize) -> Option<usize> {
    if site.kind(opener)? == TokenKind::LeftBrace {
        return None;
    }
    let ends_line = |index: usize| !site.same_line(site.range(index).start(), site.range(index + 1).start());
    let follows_value =
        |index: usize| site.kind(index - 1).is_some_and(|it| it.ends_value() || it.is_closer());
    let is_block = |index: &usize| {
        site.kind(*index) == Some(TokenKind::LeftBrace) && ends_line(*index) && follows_value(*index)
    };
    (opener + 1..=site.at.min(site.tokens.len().checked_sub(2)?)).find(is_block)
}

/// Replaces an opening bracket by the one that matches its closer.
fn reopen(site: &Site<'_>, opener: usize, closer: TokenKind) -> Option<Proposal> {
    // Not an opener that a repair has added.
    if site.written(opener).is_empty() {
        return None;
    }
    let meant = [TokenKind::LeftBrace, TokenKind::LeftBracket, TokenKind::LeftParen];
    let meant = match meant.into_iter().find(|it| it.closer() == Some(closer))? {
        TokenKind::LeftBrace if site.kind(opener.wrapping_sub(1)) == Some(TokenKind::Question) => {
            TokenKind::SelectBrace
        }
        other => other,
    };
    let slip = Slip::WrongOpener { closer: site.range(site.at), expected: meant.text() };
    let error = site.unexpected_at(opener, site.range(opener), slip);
    Some(Proposal::new(Edit::Retype(opener, meant), error))
}

/// Returns the first token after `opener` that starts a line and is not indented more than the opener's line: the code
/// of a block is indented, so the bracket should have been closed before it.
fn dedent(site: &Site<'_>, opener: usize) -> Option<usize> {
    let (indentation, _) = site.indentation(opener);
    let closer = site.kind(opener)?.closer()?;
    let line = site.range(opener).end();
    (opener + 1..=site.at.min(site.tokens.len().checked_sub(1)?)).find(|&index| {
        let (own, first) = site.indentation(index);
        // Its own closer may be as far left as its line, but not further.
        let aligned = site.kind(index) == Some(closer) && own == indentation;
        first && own <= indentation && !aligned && !site.same_line(line, site.range(index).start())
    })
}

/// Braces whose closer starts a line further left than the opener's line, at the indentation of an outer opener; the
/// most likely first.
fn misaligned(site: &Site<'_>) -> Vec<(usize, usize)> {
    let mut open: Vec<usize> = Vec::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for index in 0..site.at {
        let Some(kind) = site.kind(index) else { break };
        if kind.is_closer() {
            let Some(opener) = open.pop() else { continue };
            let (own, first) = site.indentation(index);
            let fits = |opener: &usize| site.indentation(*opener).0 == own;
            if kind == TokenKind::RightBrace
                && first
                && own < site.indentation(opener).0
                && open.iter().any(fits)
            {
                found.push((opener, index));
            }
        } else if kind.closer().is_some() {
            open.push(index);
        }
    }
    // If a brace is missing, the enclosing ones are closed too far left as well: the innermost lacks it. Among
    // unrelated ones it is the last.
    let is_around = |outer: &(usize, usize), inner: &(usize, usize)| outer.0 < inner.0 && inner.1 < outer.1;
    let mut chains: Vec<&[(usize, usize)]> = found.chunk_by(|inner, outer| is_around(outer, inner)).collect();
    chains.reverse();
    chains.concat()
}

fn close(site: &Site<'_>, opener: usize, before: usize) -> Option<Proposal> {
    let kind = site.kind(opener)?;
    let closer = kind.closer()?;
    let expected_at = Some(site.range(before));
    let error = SyntaxError {
        range: site.range(opener),
        kind: SyntaxErrorKind::Unclosed { open: open_text(kind), close: closer_text(closer), expected_at },
    };
    let mut edits = Vec::new();
    // A separator before the missing bracket is not allowed there.
    let mut index = before;
    if site.kind(index.wrapping_sub(1)) == Some(TokenKind::Semicolon) {
        edits.push(Edit::Delete(index - 1));
        index -= 1;
    }
    edits.push(Edit::Insert(index, closer));
    // An opener that recovery inserted itself is not reported.
    let errors = if error.range.is_empty() { Vec::new() } else { vec![error] };
    Some(Proposal { edits, errors })
}

/// Closes everything that is open at the end of the text; reports the innermost.
fn close_all(site: &Site<'_>, open: &[usize], innermost: usize) -> Option<Proposal> {
    let kind = site.kind(innermost)?;
    let error = SyntaxError {
        range: site.range(innermost),
        kind: SyntaxErrorKind::Unclosed {
            open: open_text(kind),
            close: closer_text(kind.closer()?),
            expected_at: None,
        },
    };
    let mut index = site.tokens.len();
    let mut edits = Vec::new();
    // After an operator, an operand is required before the bracket can close.
    let complete = |before: TokenKind| {
        before.ends_value()
            || before.is_operand()
            || before.is_closer()
            || before.closer().is_some()
            || matches!(before, TokenKind::Comma | TokenKind::Colon | TokenKind::Semicolon)
    };
    let needs_operand = site.before(1).is_some_and(|before| !complete(before));
    if needs_operand {
        edits.push(Edit::Insert(index, TokenKind::Error));
        index += 1;
    }
    for &opener in open.iter().rev() {
        edits.push(Edit::Insert(index, site.kind(opener)?.closer()?));
        index += 1;
    }
    Some(Proposal { edits, errors: vec![error] })
}

fn open_text(kind: TokenKind) -> &'static str {
    if kind == TokenKind::StringStart { "${" } else { kind.text() }
}

fn closer_text(kind: TokenKind) -> &'static str {
    if kind == TokenKind::StringEnd { "}" } else { kind.text() }
}
