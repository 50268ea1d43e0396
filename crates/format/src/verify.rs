//! Verification that a formatted text has the meaning of the original: the last step of formatting.

use marotte_syntax::{Mode, TokenKind, Tokens, Written};
use marotte_text::TextRange;

/// Reads a formatted text. None if it does not have the tokens and comments of the original, except for commas and semicolons, and
/// for kinds of brackets that are equivalent in their context.
pub(crate) fn same(text: &str, written: &Written, formatted: &str, mode: Mode) -> Option<Written> {
    let other = marotte_syntax::written(formatted, mode);
    if other.is_unreadable || other.comments.len() != written.comments.len() {
        return None;
    }
    let mut ours = Code::new(text, &written.tokens);
    let mut theirs = Code::new(formatted, &other.tokens);
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => break,
            (Some(one), Some(two)) if one.equals(&two) => {}
            _ => return None,
        }
    }
    let mut comments = written.comments.iter().zip(&other.comments);
    let is_same = comments
        .all(|(one, two)| slice(text, one.range).trim_end() == slice(formatted, two.range).trim_end());
    is_same.then_some(other)
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default()
}

/// The tokens of a text, without separators.
struct Code<'t> {
    text: &'t str,
    tokens: &'t Tokens,
    at: usize,
    previous: Option<TokenKind>,
    /// The token before `previous`.
    second_last: Option<TokenKind>,
}

struct Piece<'t> {
    kind: TokenKind,
    /// Whether it would continue an operand, if it were a bracket of the other kind.
    continues: bool,
    text: &'t str,
}

impl<'t> Code<'t> {
    fn new(text: &'t str, tokens: &'t Tokens) -> Self {
        Code { text, tokens, at: 0, previous: None, second_last: None }
    }

    fn next(&mut self) -> Option<Piece<'t>> {
        loop {
            let kind = self.tokens.kind(self.at)?;
            let range = self.tokens.place(self.at)?.range();
            self.at += 1;
            if matches!(kind, TokenKind::Comma | TokenKind::Semicolon) {
                self.previous = None;
                continue;
            }
            let is_name_of_definition = matches!(
                self.second_last,
                Some(TokenKind::Class | TokenKind::Define | TokenKind::Function | TokenKind::Plan)
            );
            let continues = !is_name_of_definition && self.previous.is_some_and(ends_operand);
            self.second_last = self.previous.replace(kind);
            return Some(Piece { kind, continues, text: slice(self.text, range) });
        }
    }
}

impl Piece<'_> {
    fn equals(&self, other: &Piece<'_>) -> bool {
        let is_bracket = |kind| matches!(kind, TokenKind::LeftBracket | TokenKind::ListStart);
        let is_parenthesis = |kind| matches!(kind, TokenKind::LeftParen | TokenKind::LineParen);
        let same_kind = self.kind == other.kind
            || !self.continues
                && (is_bracket(self.kind) && is_bracket(other.kind)
                    || is_parenthesis(self.kind) && is_parenthesis(other.kind));
        same_kind && self.text == other.text
    }
}

/// Whether a bracket after a token of this kind may belong to it.
fn ends_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Name
            | TokenKind::Word
            | TokenKind::Reference
            | TokenKind::Variable
            | TokenKind::Number
            | TokenKind::String
            | TokenKind::StringEnd
            | TokenKind::Regex
            | TokenKind::Boolean
            | TokenKind::Undef
            | TokenKind::Default
            | TokenKind::Type
            | TokenKind::RightParen
            | TokenKind::RightBracket
            | TokenKind::RightBrace
            | TokenKind::RightCollect
            | TokenKind::RightExport
    )
}
