//! Repairs of common mistakes: what people write instead of the Puppet syntax.

use marotte_text::TextRange;

use super::{Edit, Proposal, Site};
use crate::STATEMENT_CALLS;
use crate::token::TokenKind;
use crate::{Slip, SyntaxError};

/// Spellings of other languages for `elsif`.
const ELSIF_WORDS: [&str; 4] = ["elseif", "elif", "elsf", "else_if"];

/// Repairs that match the tokens around the failure, each with its own message.
pub(super) fn proposals(site: &Site<'_>) -> Vec<Proposal> {
    let detectors: [fn(&Site<'_>) -> Option<Proposal>; 31] = [
        super::keyword::misspelled,
        super::keyword::misspelled_else,
        super::keyword::misspelled_inherits,
        super::opener::of_parameters,
        super::opener::of_access,
        super::opener::of_resource,
        super::opener::of_list,
        missing_dollar,
        lowercase_type,
        quoted_attribute,
        assignment_for_comparison,
        arrow_in_case,
        arrow_before_return_type,
        nameless_class,
        stray_character,
        foreign_operator,
        else_if,
        misspelled_elsif,
        unless_elsif,
        wrong_arrow,
        assignment_in_hash,
        trailing_comma,
        stray_semicolon,
        empty,
        doubled,
        blank_before_index,
        parenthesis_on_new_line,
        call_without_parentheses,
        keyword_as_word,
        conditional_operator,
        missing_question_mark,
    ];
    let slips = detectors.into_iter().filter_map(|detect| detect(site));
    slips.chain(super::foreign::proposals(site)).collect()
}

/// Generic repairs: one token too few or too many.
pub(super) fn generic(site: &Site<'_>) -> Vec<Proposal> {
    let at = site.at;
    let before = at.checked_sub(1).map_or(site.range(at), |index| site.range(index));
    let insert = |kind, slip| Proposal::new(Edit::Insert(at, kind), site.unexpected(slip));
    let expected = |text: &'static str| Slip::Expected(Box::new([text]));
    let operand = match site.before(1) {
        Some(TokenKind::Class | TokenKind::Define | TokenKind::Function | TokenKind::Plan) => "a name",
        Some(TokenKind::Inherits) => "the name of a class",
        Some(TokenKind::Node) => "the name of a node",
        Some(TokenKind::Dot) => "the name of a function",
        _ => "a value",
    };
    let mut proposals = vec![
        insert(TokenKind::Comma, Slip::MissingComma { after: before }),
        insert(TokenKind::FatArrow, expected("=>")),
        insert(TokenKind::Semicolon, expected(";")),
        insert(TokenKind::Error, expected(operand)),
        insert(TokenKind::LeftBrace, expected("{")),
        insert(TokenKind::RightParen, expected(")")),
        insert(TokenKind::RightBracket, expected("]")),
        insert(TokenKind::RightBrace, expected("}")),
        insert(TokenKind::Pipe, expected("|")),
        insert(TokenKind::Variable, expected("a variable")),
    ];
    // A block is never a title.
    if site.before(1) != Some(TokenKind::RightBrace) {
        // A block follows the options of a `case`, attributes follow a title.
        let slip = match site.kind(at) {
            Some(TokenKind::LeftBrace) => Slip::MissingColonOfOption { after: before },
            _ => Slip::MissingColon { after: before },
        };
        proposals.insert(1, insert(TokenKind::Colon, slip));
    }
    if site.kind(at).is_some() {
        proposals.push(Proposal::new(Edit::Delete(at), site.unexpected(Slip::Unknown)));
        proposals.push(Proposal::new(Edit::Retype(at, TokenKind::Error), site.unexpected(Slip::Unknown)));
    }
    if at > 0 {
        proposals.push(Proposal::new(Edit::Delete(at - 1), site.unexpected(Slip::Unknown)));
    }
    // A whole bracketed group too many.
    if site.kind(at).is_some_and(|kind| kind.closer().is_some()) {
        let end = (super::blank::closing(site, at) + 1).min(site.tokens.len());
        proposals.push(Proposal::new(Edit::DeleteRange(at..end), site.unexpected(Slip::Unknown)));
        proposals.push(Proposal::new(Edit::Blank(at..end), site.unexpected(Slip::Unknown)));
    }
    proposals
}

/// `$x = $y { 'a' => 1 }`: options without the `?` of a selector.
fn missing_question_mark(site: &Site<'_>) -> Option<Proposal> {
    let brace = site.at.checked_sub(2)?;
    let is_option =
        site.kind(site.at) == Some(TokenKind::FatArrow) && site.kind(brace) == Some(TokenKind::LeftBrace);
    let is_of_value = matches!(
        site.kind(brace.checked_sub(1)?)?,
        TokenKind::Variable | TokenKind::RightBracket | TokenKind::RightParen
    );
    if !is_option || !is_of_value {
        return None;
    }
    let error = site.unexpected_at(brace, site.range(brace), Slip::MissingQuestionMark);
    let edits = vec![Edit::Retype(brace, TokenKind::SelectBrace), Edit::Insert(brace, TokenKind::Question)];
    Some(Proposal { edits, errors: vec![error] })
}

/// A character that no token starts with; typographic quotes are handled in pairs.
fn stray_character(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if !matches!(site.kind(at)?, TokenKind::Other | TokenKind::Tilde) {
        return None;
    }
    let c = site.written(at).chars().next()?;
    if site.written(at) == "&" || c == '~' {
        return None;
    }
    let Some(replacement) = plain_quote(c) else {
        let error = site.unexpected(Slip::StrayCharacter(c));
        // Neighbours of the same kind are one mistake: a word in another script.
        let end = (at + 1..site.tokens.len())
            .find(|&index| {
                site.kind(index) != Some(TokenKind::Other)
                    || site.range(index).start() != site.range(index - 1).end()
            })
            .unwrap_or(site.tokens.len());
        let follows_value = site.before(1).is_some_and(TokenKind::ends_value);
        let mut edits = vec![Edit::Blank(at..end)];
        if follows_value {
            edits.push(Edit::Delete(at));
        }
        return Some(Proposal { edits, errors: vec![error] });
    };
    let close = (at + 1..site.tokens.len())
        .take_while(|&index| site.same_line(site.range(at).start(), site.range(index).end()));
    let close = close.into_iter().find(|&index| {
        site.kind(index) == Some(TokenKind::Other)
            && site.written(index).chars().next().and_then(plain_quote) == Some(replacement)
    });
    let slip = Slip::TypographicQuote { replacement, closing: close.map(|index| site.range(index)) };
    let errors = vec![site.unexpected_at(at, site.range(at), slip)];
    Some(Proposal { edits: vec![Edit::Blank(at..close.unwrap_or(at) + 1)], errors })
}

fn plain_quote(c: char) -> Option<char> {
    match c {
        '‘' | '’' | '‚' | '‛' | '´' | '`' | '′' => Some('\''),
        '“' | '”' | '„' | '‟' | '«' | '»' | '″' => Some('"'),
        _ => None,
    }
}

/// `&&`, `||`, `===`, `<>`, `..`, `not`: operators of other languages.
fn foreign_operator(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let pair = |first: usize, written, instead, kind| {
        let range = site.range(first).cover(site.range(first + 1));
        let error = site.unexpected_at(first, range, Slip::ForeignOperator { written, instead });
        Some(Proposal { edits: vec![Edit::Delete(first), Edit::Retype(first, kind)], errors: vec![error] })
    };
    let adjacent = |first: usize| site.range(first).end() == site.range(first + 1).start();
    match (site.before(1), site.kind(at)?) {
        (_, TokenKind::Other) if site.written(at) == "&" && site.kind(at + 1) == Some(TokenKind::Other) => {
            pair(at, "&&", "and", TokenKind::And)
        }
        (_, TokenKind::Pipe) if site.kind(at + 1) == Some(TokenKind::Pipe) && adjacent(at) => {
            pair(at, "||", "or", TokenKind::Or)
        }
        (Some(TokenKind::Equal), TokenKind::Assign) if adjacent(at - 1) => {
            pair(at - 1, "===", "==", TokenKind::Equal)
        }
        (Some(TokenKind::NotEqual), TokenKind::Assign) if adjacent(at - 1) => {
            pair(at - 1, "!==", "!=", TokenKind::NotEqual)
        }
        (Some(TokenKind::Less), TokenKind::Greater) if adjacent(at - 1) => {
            pair(at - 1, "<>", "!=", TokenKind::NotEqual)
        }
        (Some(TokenKind::Match), TokenKind::Assign | TokenKind::Tilde) if adjacent(at - 1) => {
            pair(at - 1, "=~=", "=~", TokenKind::Match)
        }
        (Some(TokenKind::Dot), TokenKind::Dot) if adjacent(at - 1) => {
            pair(at - 1, "..", "Integer[from, to]", TokenKind::Plus)
        }
        (Some(TokenKind::Name), _) if site.written(at - 1) == "not" => {
            let slip = Slip::ForeignOperator { written: "not", instead: "!" };
            let error = site.unexpected_at(at - 1, site.range(at - 1), slip);
            Some(Proposal::new(Edit::Retype(at - 1, TokenKind::Not), error))
        }
        _ => None,
    }
}

/// `x ? y : z`.
fn conditional_operator(site: &Site<'_>) -> Option<Proposal> {
    if site.kind(site.at)? != TokenKind::Colon {
        return None;
    }
    let question = (site.at.saturating_sub(30)..site.at)
        .rev()
        .find(|&index| site.kind(index) == Some(TokenKind::Question))
        .filter(|&index| site.kind(index + 1) != Some(TokenKind::SelectBrace))?;
    let slip = Slip::ForeignOperator { written: "? :", instead: "? { true => …, default => … }" };
    let error = site.unexpected_at(question, site.range(question), slip);
    Some(Proposal::new(Edit::Retype(site.at, TokenKind::FatArrow), error))
}

fn else_if(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if site.kind(at)? != TokenKind::If || site.before(1) != Some(TokenKind::Else) {
        return None;
    }
    let range = site.range(at - 1).cover(site.range(at));
    let error = site.unexpected_at(at, range, Slip::ElseIf);
    Some(Proposal {
        edits: vec![Edit::Delete(at), Edit::Retype(at - 1, TokenKind::Elsif)],
        errors: vec![error],
    })
}

/// `elseif` after a block is a name to the lexer, and the parse fails somewhere later.
fn misspelled_elsif(site: &Site<'_>) -> Option<Proposal> {
    let index = (site.at.saturating_sub(200)..=site.at).rev().find(|&index| {
        index > 0
            && site.kind(index) == Some(TokenKind::Name)
            && site.kind(index - 1) == Some(TokenKind::RightBrace)
            && ELSIF_WORDS.contains(&site.written(index))
    })?;
    let error = site.unexpected_at(index, site.range(index), Slip::MisspelledElsif);
    Some(Proposal::new(Edit::Retype(index, TokenKind::Elsif), error))
}

fn unless_elsif(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if site.kind(at)? != TokenKind::Elsif {
        return None;
    }
    let unless = (0..at).rev().find(|&index| site.kind(index) == Some(TokenKind::Unless))?;
    Some(Proposal::new(Edit::Retype(unless, TokenKind::If), site.unexpected(Slip::UnlessElsif)))
}

/// `name = value`, `name: value` or `name -> value` for `name => value` in braces.
fn wrong_arrow(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let kind = site.kind(at)?;
    let opener = site.open_brackets().last().copied()?;
    if !matches!(site.kind(opener)?, TokenKind::LeftBrace | TokenKind::SelectBrace | TokenKind::LeftParen) {
        return None;
    }
    let named = site.before(1).is_some_and(|kind| kind.is_operand() || kind.is_keyword());
    let begins = site.before(2).is_some_and(|kind| {
        matches!(
            kind,
            TokenKind::LeftBrace
                | TokenKind::SelectBrace
                | TokenKind::Comma
                | TokenKind::Colon
                | TokenKind::Semicolon
                | TokenKind::LeftParen
        )
    });
    if !named || !begins {
        return None;
    }
    let slip = match kind {
        TokenKind::Assign => Slip::EqualsForArrow,
        TokenKind::Colon => Slip::ColonForArrow,
        TokenKind::Before => Slip::ForeignOperator { written: "->", instead: "=>" },
        TokenKind::Equal => Slip::ForeignOperator { written: "==", instead: "=>" },
        TokenKind::GreaterEqual => Slip::ForeignOperator { written: ">=", instead: "=>" },
        TokenKind::Greater => Slip::ForeignOperator { written: ">", instead: "=>" },
        TokenKind::LessEqual => Slip::ForeignOperator { written: "<=", instead: "=>" },
        _ => return None,
    };
    Some(Proposal::new(Edit::Retype(at, TokenKind::FatArrow), site.unexpected(slip)))
}

/// `{ 'key' = value }`: an assignment to the grammar, which then misses the arrow after it.
fn assignment_in_hash(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if !matches!(site.kind(at)?, TokenKind::Comma | TokenKind::RightBrace) {
        return None;
    }
    let opener = site.open_brackets().last().copied()?;
    if site.kind(opener)? != TokenKind::LeftBrace {
        return None;
    }
    let equals = (opener + 1..at).rev().find(|&index| site.kind(index) == Some(TokenKind::Assign))?;
    let error = site.unexpected_at(equals, site.range(equals), Slip::EqualsForArrow);
    Some(Proposal::new(Edit::Retype(equals, TokenKind::FatArrow), error))
}

fn trailing_comma(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let closes = site.kind(at).is_none_or(|kind| kind.is_closer() || kind == TokenKind::Colon);
    if !closes || site.before(1) != Some(TokenKind::Comma) {
        return None;
    }
    let error = site.unexpected_at(at - 1, site.range(at - 1), Slip::TrailingComma);
    Some(Proposal::new(Edit::Delete(at - 1), error))
}

/// `;` after the last statement, or twice.
fn stray_semicolon(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let index = match (site.before(1), site.kind(at)) {
        (_, Some(TokenKind::Semicolon)) => at,
        (Some(TokenKind::Semicolon), _) => at - 1,
        _ => return None,
    };
    let error = site.unexpected_at(index, site.range(index), Slip::StraySemicolon);
    Some(Proposal::new(Edit::Delete(index), error))
}

/// A bracket that is closed immediately where at least one element is required.
fn empty(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let what = match (site.before(1)?, site.kind(at)?) {
        (TokenKind::LeftBracket, TokenKind::RightBracket) => "an index",
        (TokenKind::SelectBrace, TokenKind::RightBrace) => "a selector",
        (
            TokenKind::StringStart | TokenKind::StringMiddle,
            TokenKind::StringEnd | TokenKind::StringMiddle,
        ) => "an interpolation",
        (TokenKind::LeftBrace, TokenKind::RightBrace) if opens_case(site, at - 1) => "a `case`",
        (TokenKind::RenderStart, TokenKind::TemplateEnd) => "`<%= %>`",
        _ => return None,
    };
    let range = site.range(at - 1).cover(site.range(at));
    let error = site.unexpected_at(at, range, Slip::Empty(what));
    Some(Proposal::new(Edit::Insert(at, TokenKind::Error), error))
}

fn doubled(site: &Site<'_>) -> Option<Proposal> {
    let kind = site.kind(site.at)?;
    let repeats =
        site.before(1) == Some(kind) && !kind.is_operand() && kind.closer().is_none() && !kind.is_closer();
    repeats.then(|| Proposal::new(Edit::Delete(site.at), site.unexpected(Slip::Doubled)))
}

fn blank_before_index(site: &Site<'_>) -> Option<Proposal> {
    let continues = site.before(1).is_some_and(|kind| {
        matches!(
            kind,
            TokenKind::Variable | TokenKind::Reference | TokenKind::RightBracket | TokenKind::RightParen
        )
    });
    if site.kind(site.at)? != TokenKind::ListStart || !continues {
        return None;
    }
    Some(Proposal::new(
        Edit::Retype(site.at, TokenKind::LeftBracket),
        site.unexpected(Slip::BlankBeforeIndex),
    ))
}

fn parenthesis_on_new_line(site: &Site<'_>) -> Option<Proposal> {
    if site.kind(site.at)? != TokenKind::LineParen || site.before(1) != Some(TokenKind::Name) {
        return None;
    }
    Some(Proposal::new(
        Edit::Retype(site.at, TokenKind::LeftParen),
        site.unexpected(Slip::ParenthesisOnNewLine),
    ))
}

/// `if include foo {`, `"${notice 'a'}"`.
fn call_without_parentheses(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if site.before(1) != Some(TokenKind::Name) || !site.kind(at)?.is_operand() {
        return None;
    }
    let function = site.written(at - 1);
    if !STATEMENT_CALLS.contains(&function) {
        return None;
    }
    let error = site.unexpected(Slip::CallWithoutParentheses(function.into()));
    Some(Proposal::new(Edit::Delete(at), error))
}

/// A keyword where a word was meant: `{ class => 1 }`, `$x = node`.
fn keyword_as_word(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let is_keyword =
        |index: usize| site.kind(index).is_some_and(|kind| kind.is_keyword() && kind != TokenKind::Boolean);
    let ends = |index: usize| {
        site.kind(index).is_none_or(|kind| {
            kind.is_closer() || matches!(kind, TokenKind::Comma | TokenKind::FatArrow | TokenKind::Semicolon)
        })
    };
    let index = if is_keyword(at) && ends(at + 1) {
        at
    } else if at > 0 && is_keyword(at - 1) && ends(at) {
        at - 1
    } else {
        return None;
    };
    let range: TextRange = site.range(index);
    let error: SyntaxError = site.unexpected_at(index, range, Slip::KeywordAsWord);
    Some(Proposal::new(Edit::Retype(index, TokenKind::Error), error))
}

/// `class a(String x)`.
fn missing_dollar(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let starts = matches!(
        site.before(1)?,
        TokenKind::Reference
            | TokenKind::LeftParen
            | TokenKind::LineParen
            | TokenKind::Comma
            | TokenKind::RightBracket
            | TokenKind::Pipe
    );
    let ends = matches!(
        site.kind(at + 1)?,
        TokenKind::Comma | TokenKind::RightParen | TokenKind::Assign | TokenKind::Pipe
    );
    if site.kind(at)? != TokenKind::Name || !starts || !ends {
        return None;
    }
    Some(Proposal::new(Edit::Retype(at, TokenKind::Variable), site.unexpected(Slip::MissingDollar)))
}

/// Whether a brace opens the options of a `case`.
fn opens_case(site: &Site<'_>, brace: usize) -> bool {
    (0..brace)
        .rev()
        .take_while(|&index| !matches!(site.kind(index), Some(TokenKind::LeftBrace | TokenKind::RightBrace)))
        .any(|index| site.kind(index) == Some(TokenKind::Case))
}

/// `class a(string $x)`.
fn lowercase_type(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let starts = matches!(
        site.before(1)?,
        TokenKind::LeftParen | TokenKind::LineParen | TokenKind::Comma | TokenKind::Pipe
    );
    if site.kind(at)? != TokenKind::Name || site.kind(at + 1)? != TokenKind::Variable || !starts {
        return None;
    }
    Some(Proposal::new(Edit::Retype(at, TokenKind::Reference), site.unexpected(Slip::LowercaseType)))
}

/// `file { '/x': 'mode' => 1 }`.
fn quoted_attribute(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    let starts = matches!(site.before(1)?, TokenKind::Colon | TokenKind::Comma | TokenKind::LeftBrace);
    let arrow = matches!(site.kind(at + 1)?, TokenKind::FatArrow | TokenKind::PlusArrow);
    if site.kind(at)? != TokenKind::String || !starts || !arrow {
        return None;
    }
    Some(Proposal::new(Edit::Retype(at, TokenKind::Error), site.unexpected(Slip::QuotedAttribute)))
}

/// `if $x = 1 { }`, `if $x =! 1 { }` and `File <| title = 'x' |>`.
fn assignment_for_comparison(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if site.kind(at)? != TokenKind::Assign {
        return None;
    }
    let in_query = site.open_brackets().last().is_some_and(|&opener| {
        matches!(site.kind(opener), Some(TokenKind::LeftCollect | TokenKind::LeftExport))
    });
    let in_test = || {
        (0..at)
            .rev()
            .take_while(|&index| {
                !matches!(site.kind(index), Some(TokenKind::LeftBrace | TokenKind::RightBrace))
            })
            .any(|index| {
                matches!(site.kind(index), Some(TokenKind::If | TokenKind::Elsif | TokenKind::Unless))
            })
    };
    if !in_query && !in_test() {
        return None;
    }
    // `$x =! 'a'`: the characters of `!=` in the other order.
    if site.kind(at + 1) == Some(TokenKind::Not) && site.range(at).end() == site.range(at + 1).start() {
        let range = site.range(at).cover(site.range(at + 1));
        let slip = Slip::ForeignOperator { written: "=!", instead: "!=" };
        let edits = vec![Edit::Delete(at), Edit::Retype(at, TokenKind::NotEqual)];
        return Some(Proposal { edits, errors: vec![site.unexpected_at(at, range, slip)] });
    }
    let slip = Slip::ForeignOperator { written: "=", instead: "==" };
    Some(Proposal::new(Edit::Retype(at, TokenKind::Equal), site.unexpected(slip)))
}

/// `case $x { 'a' => { } }`.
fn arrow_in_case(site: &Site<'_>) -> Option<Proposal> {
    if site.kind(site.at)? != TokenKind::FatArrow || site.kind(site.at + 1)? != TokenKind::LeftBrace {
        return None;
    }
    let slip = Slip::ForeignOperator { written: "=>", instead: ":" };
    Some(Proposal::new(Edit::Retype(site.at, TokenKind::Colon), site.unexpected(slip)))
}

/// `function f() -> Integer { }`.
fn arrow_before_return_type(site: &Site<'_>) -> Option<Proposal> {
    if !matches!(site.before(1)?, TokenKind::RightParen | TokenKind::Pipe) {
        return None;
    }
    let arrow = matches!(site.kind(site.at)?, TokenKind::Before | TokenKind::FatArrow | TokenKind::Colon);
    if !arrow || site.kind(site.at + 1)? != TokenKind::Reference {
        return None;
    }
    let written = site.kind(site.at)?.text();
    let slip = Slip::ForeignOperator { written, instead: ">>" };
    Some(Proposal::new(Edit::Retype(site.at, TokenKind::ShiftRight), site.unexpected(slip)))
}

/// `class { }`: to the grammar, the start of a resource.
fn nameless_class(site: &Site<'_>) -> Option<Proposal> {
    let at = site.at;
    if site.before(1)? != TokenKind::LeftBrace || site.before(2)? != TokenKind::Class {
        return None;
    }
    let slip = Slip::Expected(Box::new(["a class name before `{`"]));
    let error = site.unexpected_at(at - 1, site.range(at - 1), slip);
    Some(Proposal::new(Edit::Insert(at - 1, TokenKind::Error), error))
}
