//! The words and signs of a text, for users that need no tree: highlighting, and completion in unfinished texts.

use marotte_text::TextRange;

use crate::token::TokenKind;
use crate::{Mode, SyntaxErrorKind, lexer};

/// A word or a sign of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// The kind of the lexeme.
    pub kind: LexemeKind,
    /// The range in the source.
    pub range: TextRange,
}

/// The kind of a [`Lexeme`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LexemeKind {
    /// `if`, `class`, `and`.
    Keyword,
    /// `true`, `undef`, `default`.
    Constant,
    /// A lower-case name, or a bare word.
    Name,
    /// An upper-case name.
    Reference,
    /// A variable with its `$`, or its name in `${…}`.
    Variable,
    /// The literal of a number.
    Number,
    /// A whole string, with its quotes.
    String,
    /// A string up to its first interpolation.
    StringStart,
    /// The text between two interpolations of a string.
    StringMiddle,
    /// The rest of a string after its last interpolation.
    StringEnd,
    /// The header of a heredoc.
    Heredoc,
    /// The literal of a regular expression.
    Regex,
    /// An operator, an arrow included.
    Operator,
    /// A bracket, comma, colon or the like.
    Punctuation,
    /// The part of a template outside of its tags.
    TemplateText,
    /// A tag of a template.
    TemplateTag,
    /// The text of a comment.
    Comment,
    /// A character that starts no lexeme.
    Error,
}

/// The result of [`lexemes`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lexemes {
    /// The lexemes, in source order. The text of a heredoc is at its place in the source.
    pub all: Vec<Lexeme>,
    /// The range of the opening of a string that is never closed.
    pub unclosed: Option<TextRange>,
}

/// Splits a text into lexemes. Takes time linear in its length, whatever errors it has.
pub fn lexemes(source: &str, mode: Mode) -> Lexemes {
    let lexed = lexer::lex(source, mode);
    let mut all: Vec<Lexeme> = Vec::with_capacity(lexed.tokens.len() + lexed.comments.len());
    for index in 0..lexed.tokens.len() {
        let (Some(kind), Some(place)) = (lexed.tokens.kind(index), lexed.tokens.place(index)) else {
            continue;
        };
        all.push(Lexeme { kind: of_token(kind), range: place.range() });
    }
    all.extend(lexed.comments.iter().map(|it| Lexeme { kind: LexemeKind::Comment, range: it.range }));
    all.retain(|it| !it.range.is_empty());
    all.sort_by_key(|it| it.range.start());
    let unclosed = lexed.errors.iter().find(|it| matches!(it.kind, SyntaxErrorKind::UnclosedQuote { .. }));
    Lexemes { all, unclosed: unclosed.map(|it| it.range) }
}

fn of_token(kind: TokenKind) -> LexemeKind {
    match kind {
        TokenKind::Name | TokenKind::Word => LexemeKind::Name,
        TokenKind::Number => LexemeKind::Number,
        TokenKind::Variable => LexemeKind::Variable,
        TokenKind::String => LexemeKind::String,
        TokenKind::StringStart => LexemeKind::StringStart,
        TokenKind::StringMiddle => LexemeKind::StringMiddle,
        TokenKind::StringEnd => LexemeKind::StringEnd,
        TokenKind::Heredoc => LexemeKind::Heredoc,
        TokenKind::Reference => LexemeKind::Reference,
        TokenKind::Boolean | TokenKind::Undef | TokenKind::Default => LexemeKind::Constant,
        TokenKind::Regex => LexemeKind::Regex,
        TokenKind::RenderText => LexemeKind::TemplateText,
        TokenKind::TemplateStart | TokenKind::TemplateEnd | TokenKind::RenderStart => LexemeKind::TemplateTag,
        TokenKind::Error | TokenKind::Other => LexemeKind::Error,
        TokenKind::LeftParen
        | TokenKind::LineParen
        | TokenKind::RightParen
        | TokenKind::LeftBracket
        | TokenKind::ListStart
        | TokenKind::RightBracket
        | TokenKind::LeftBrace
        | TokenKind::SelectBrace
        | TokenKind::RightBrace
        | TokenKind::LeftCollect
        | TokenKind::RightCollect
        | TokenKind::LeftExport
        | TokenKind::RightExport
        | TokenKind::Comma
        | TokenKind::Semicolon
        | TokenKind::Colon
        | TokenKind::Pipe
        | TokenKind::At
        | TokenKind::AtAt
        | TokenKind::Tilde => LexemeKind::Punctuation,
        _ if kind.is_keyword() => LexemeKind::Keyword,
        _ => LexemeKind::Operator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(LexemeKind, &str)> {
        let found = lexemes(text, Mode::default()).all;
        found.iter().map(|it| (it.kind, &text[it.range])).collect()
    }

    #[test]
    fn words_and_signs() {
        use LexemeKind::*;
        assert_eq!(
            kinds("if $a { file { \"x${b}\": ensure => true } } # c"),
            [
                (Keyword, "if"),
                (Variable, "$a"),
                (Punctuation, "{"),
                (Name, "file"),
                (Punctuation, "{"),
                (StringStart, "\"x"),
                (Variable, "b"),
                (StringEnd, "\""),
                (Punctuation, ":"),
                (Name, "ensure"),
                (Operator, "=>"),
                (Constant, "true"),
                (Punctuation, "}"),
                (Punctuation, "}"),
                (Comment, "# c"),
            ]
        );
    }

    #[test]
    fn strings_that_never_end_are_told() {
        let text = "file { 'a";
        let found = lexemes(text, Mode::default());
        assert_eq!(found.unclosed.map(|it| &text[it]), Some("'"));
    }
}
