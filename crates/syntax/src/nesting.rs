//! A bound for recursion: the nesting depth of a text, computed from its tokens alone.
//!
//! The grammar recurses where a token opens something: a bracket, an interpolation, a prefix operator, the head of a
//! conditional (`if if if …`), the key of a selector (`a ? b ? c …`), the parameters of a lambda (`f() |$a = g() |…`).
//! This module counts what is open at each token. On the part of a text that the grammar accepts, the count is never
//! too low; the grammar does not go beyond that part.

use crate::token::{TokenKind, Tokens};

/// The maximal nesting depth. Real code stays below 30.
pub(crate) const NESTING_LIMIT: u32 = 256;

/// The constructs that are open inside one bracket.
#[derive(Default)]
struct Level {
    /// `if`, `unless`, `case` and `elsif` whose block has not begun.
    heads: u32,
    /// Selectors whose arrow has not been reached.
    keys: u32,
    /// Lambdas whose parameter list is not closed.
    lambdas: u32,
    /// Whether the next brace opens a lambda's body, after its return type.
    lambda_body: bool,
    /// Whether it is the bracket of a call.
    call: bool,
}

/// Returns the first token that is nested too deeply.
pub(crate) fn too_deep(tokens: &Tokens) -> Option<usize> {
    let mut levels = vec![Level::default()];
    let mut depth = 0;
    let mut prefixes = 0;
    let mut before = None;
    let mut after_call = false;
    let mut after_dot = false;
    for index in 0..tokens.len() {
        let kind = tokens.kind(index)?;
        let follows_value = before.is_some_and(|kind: TokenKind| {
            kind.ends_value() || kind.is_operand() || kind == TokenKind::RightBrace
        });
        let was_call = std::mem::take(&mut after_call);
        let was_method = std::mem::take(&mut after_dot);
        let is_prefix = kind.is_prefix() && !follows_value || matches!(kind, TokenKind::At | TokenKind::AtAt);
        prefixes = if is_prefix { prefixes + 1 } else { 0 };
        if kind.is_closer() {
            if levels.len() > 1
                && let Some(level) = levels.pop()
            {
                depth -= 1 + level.heads + level.keys + level.lambdas;
                after_call = level.call;
            }
        } else if let Some(level) = levels.last_mut() {
            match kind {
                TokenKind::If | TokenKind::Unless | TokenKind::Case | TokenKind::Elsif
                    if !matches!(
                        tokens.kind(index + 1),
                        Some(TokenKind::FatArrow | TokenKind::PlusArrow)
                    ) =>
                {
                    level.heads += 1;
                    depth += 1;
                }
                TokenKind::Question if tokens.kind(index + 1) != Some(TokenKind::SelectBrace) => {
                    level.keys += 1;
                    depth += 1;
                }
                TokenKind::FatArrow if level.keys > 0 => {
                    level.keys -= 1;
                    depth -= 1;
                }
                TokenKind::Pipe if was_call || was_method => {
                    level.lambdas += 1;
                    depth += 1;
                }
                TokenKind::Pipe if level.lambdas > 0 => {
                    level.lambdas -= 1;
                    depth -= 1;
                }
                TokenKind::ShiftRight if before == Some(TokenKind::Pipe) => level.lambda_body = true,
                TokenKind::LeftBrace => {
                    let lambda = std::mem::take(&mut level.lambda_body);
                    let collected = matches!(before, Some(TokenKind::RightCollect | TokenKind::RightExport));
                    if level.heads > 0 && follows_value && !lambda && !collected {
                        level.heads -= 1;
                        depth -= 1;
                    }
                }
                TokenKind::Name | TokenKind::Type => after_dot = before == Some(TokenKind::Dot),
                _ => {}
            }
            if kind.closer().is_some() {
                levels
                    .push(Level { call: kind == TokenKind::LeftParen && follows_value, ..Level::default() });
                depth += 1;
            }
        }
        if depth + prefixes > NESTING_LIMIT {
            return Some(index);
        }
        before = Some(kind);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::too_deep;
    use crate::Mode;
    use crate::lexer::lex;

    fn index(source: &str) -> Option<usize> {
        too_deep(&lex(source, Mode::default()).tokens)
    }

    #[test]
    fn long_flat_code_is_not_deep() {
        assert_eq!(index(&"if $x { f() |$a = (1)| { } } $y = a ? b => c\n".repeat(1000)), None);
        assert_eq!(index(&"if $a =~ Foo[1] { } elsif f(1) |$x| >> Foo[1] { } == 1 { }\n".repeat(1000)), None);
        assert_eq!(index(&format!("$x = 1{}", " + 1".repeat(5000))), None);
    }

    #[test]
    fn every_way_to_nest_is_counted() {
        for opener in [
            "(",
            "[",
            "{ a => ",
            "!",
            "- ",
            "if ",
            "if {} == if ",
            "case ",
            "a ? ",
            "f() |$a = ",
            "@",
            "\"${",
            "x {",
        ] {
            assert!(index(&opener.repeat(1000)).is_some_and(|at| at < 3000), "{opener}");
        }
    }
}
