//! Repairs, and the trial whether they help.

use std::ops::Range;

use crate::SyntaxError;
use crate::grammar::{Rule, arrange};
use crate::token::{TokenKind, Tokens};

/// A change to the tokens.
#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Inserts a token that the source lacks before the token at the index.
    Insert(usize, TokenKind),
    Delete(usize),
    /// Deletes tokens.
    DeleteRange(Range<usize>),
    /// Changes the kind of a token.
    Retype(usize, TokenKind),
    /// Sets tokens aside.
    Blank(Range<usize>),
}

/// A repair and its error messages. Edits are applied in order; indices of later ones refer to the result of earlier
/// ones.
#[derive(Clone, Debug)]
pub(super) struct Proposal {
    pub(super) edits: Vec<Edit>,
    pub(super) errors: Vec<SyntaxError>,
}

impl Proposal {
    pub(super) fn new(edit: Edit, error: SyntaxError) -> Proposal {
        Proposal { edits: vec![edit], errors: vec![error] }
    }

    pub(super) fn apply(&self, tokens: &Tokens) -> Tokens {
        let mut tokens = tokens.clone();
        for edit in &self.edits {
            match edit {
                Edit::Insert(index, kind) => tokens.insert(*index, *kind),
                Edit::Delete(index) => tokens.remove(*index),
                Edit::DeleteRange(range) => range.clone().rev().for_each(|index| tokens.remove(index)),
                Edit::Retype(index, kind) => tokens.set_kind(*index, *kind),
                Edit::Blank(range) => tokens.blank(range.clone()),
            }
        }
        tokens
    }
}

/// The result of an accepted repair: the tokens, the next failing token, and the errors.
pub(super) type Repaired = (Tokens, Option<usize>, Vec<SyntaxError>);

/// Tries repairs of one failure.
pub(super) struct Trial<'t> {
    tokens: &'t Tokens,
    rule: Rule,
    /// The number of tokens that the grammar did not reach.
    remaining: usize,
    /// The number of tokens that may still be parsed in trials.
    budget: &'t mut usize,
}

impl<'t> Trial<'t> {
    pub(super) fn new(tokens: &'t Tokens, rule: Rule, at: usize, budget: &'t mut usize) -> Trial<'t> {
        Trial { tokens, rule, remaining: tokens.len() - at, budget }
    }

    /// Keeps a repair if the grammar gets at least a few tokens further with it.
    pub(super) fn accept(&mut self, proposal: Proposal) -> Option<Repaired> {
        let (tokens, next) = self.parse(&proposal)?;
        let remaining = next.map_or(0, |next| tokens.len() - next);
        (next.is_none() || remaining + 3 <= self.remaining).then_some((tokens, next, proposal.errors))
    }

    /// Keeps the repair with which the grammar gets furthest; the first one on a tie.
    pub(super) fn best(&mut self, proposals: Vec<Proposal>) -> Option<Repaired> {
        let mut best: Option<(usize, Repaired)> = None;
        for proposal in proposals {
            let Some(repaired) = self.accept(proposal) else { continue };
            let remaining = repaired.1.map_or(0, |next| 1 + repaired.0.len() - next);
            if best.as_ref().is_none_or(|(least, _)| remaining < *least) {
                let done = remaining == 0;
                best = Some((remaining, repaired));
                if done {
                    break;
                }
            }
        }
        best.map(|(_, repaired)| repaired)
    }

    fn parse(&mut self, proposal: &Proposal) -> Option<(Tokens, Option<usize>)> {
        *self.budget = self.budget.checked_sub(self.tokens.len())?;
        let tokens = proposal.apply(self.tokens);
        let next = arrange(&tokens, self.rule).err();
        Some((tokens, next))
    }
}
