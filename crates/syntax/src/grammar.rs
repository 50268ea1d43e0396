//! The pest grammar over tokens, and the position at which it fails.

use std::sync::Mutex;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::{Pair, Pairs};

use crate::token::Tokens;

mod generated {
    extern crate alloc;

    #[derive(pest_derive::Parser)]
    #[grammar = "grammar.pest"]
    pub(super) struct TokenGrammar;
}

pub(crate) use generated::Rule;
use generated::TokenGrammar;

/// A pair of the grammar; used by the tree builder only.
pub(crate) type Node<'t> = Pair<'t, Rule>;

/// Parses tokens by `rule`, which is [`Rule::program`] or [`Rule::template`].
///
/// An error is the index of the first token that is not allowed where it is; it is the number of tokens if the text
/// ends too early.
pub(crate) fn arrange(tokens: &Tokens, rule: Rule) -> Result<Pairs<'_, Rule>, usize> {
    TokenGrammar::parse(rule, tokens.codes()).map_err(|_| furthest(tokens, rule))
}

/// Parses again with pest's record of attempted tokens, which yields the exact position but is too slow for every
/// parse.
fn furthest(tokens: &Tokens, rule: Rule) -> usize {
    // The record is enabled for the whole process, so two failing parses must not enable it at the same time. A parse
    // that succeeds meanwhile only gets slower.
    static RECORDING: Mutex<()> = Mutex::new(());
    let _guard = RECORDING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    pest::set_error_detail(true);
    let result = TokenGrammar::parse(rule, tokens.codes());
    pest::set_error_detail(false);
    match result {
        Ok(_) => tokens.len(),
        Err(error) => {
            let located = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
            };
            error
                .parse_attempts()
                .map_or(located, |attempts| attempts.max_position.max(located))
                .min(tokens.len())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::TokenKind;

    fn fails_at(kinds: &[TokenKind]) -> Option<usize> {
        let mut tokens = Tokens::default();
        kinds.iter().for_each(|&kind| tokens.push(kind, (0, 0)));
        arrange(&tokens, Rule::program).err()
    }

    #[test]
    fn the_failing_token_is_the_first_that_cannot_stand() {
        use TokenKind::*;
        assert_eq!(fails_at(&[Variable, Assign, Number]), None);
        assert_eq!(fails_at(&[Variable, Assign, RightParen]), Some(2));
        assert_eq!(fails_at(&[Name, LeftBrace, String, Colon, Name, Assign, Number, RightBrace]), Some(5));
        assert_eq!(fails_at(&[If, Variable, LeftBrace]), Some(3));
        assert_eq!(fails_at(&[Variable, LeftBracket, RightBracket]), Some(2));
    }
}
