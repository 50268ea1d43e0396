//! Unexpected tokens: the usual slips, and all others.

use marotte_syntax::Slip;
use marotte_text::{TextRange, TextSize};

use super::grammar::SYNTAX_ERROR;
use super::words::{Site, Words, insert};
use crate::Edit;
use crate::printable::{named, quoted};
use crate::sources::offset_of;

/// The error for an unexpected token; `None` is the end of the text.
pub(super) fn unexpected(site: Site, found: Option<&str>, slip: &Slip) -> Words {
    let token = found.map_or_else(|| "the end of the file".to_owned(), quoted);
    let error = |message: String| Words::new(SYNTAX_ERROR, message);
    match slip {
        Slip::Unknown => unknown(found, &token),
        Slip::Expected(expected) => error(format!("found {token}, expected {}", alternatives(expected)))
            .label("this is not allowed here"),
        Slip::EqualsForArrow => error("expected `=>`, found `=`".to_owned())
            .label("expected `=>`")
            .note("`=` assigns variables; attributes and hash entries have `=>`")
            .safe_fix("replace `=` with `=>`", site.replace("=>")),
        Slip::ColonForArrow => colon_for_arrow(site),
        Slip::MissingComma { after } => error(format!("a comma is missing before {token}"))
            .label("expected `,` before this")
            .related(*after, "the comma belongs after this")
            .safe_fix("insert `,`", insert(after.end(), ",")),
        Slip::MissingColon { after } => error("a colon is missing after a resource's title".to_owned())
            .label("expected `:` before this")
            .related(*after, "the title")
            .note("a resource is `type { 'title': attribute => value }`")
            .guess("insert `:`", insert(after.end(), ":")),
        Slip::MissingColonOfOption { after } => {
            error("a colon is missing after an option of a `case`".to_owned())
                .label("expected `:` before this")
                .related(*after, "the option")
                .note("an option is `value: { … }`")
                .guess("insert `:`", insert(after.end(), ":"))
        }
        Slip::ElseIf => error(format!("{} is not how Puppet continues an `if`", site.quoted()))
            .label("expected `elsif`")
            .safe_fix("write `elsif`", site.replace("elsif")),
        Slip::MisspelledElsif => error(format!("{} is not a keyword", site.quoted()))
            .label("expected `elsif`")
            .safe_fix("write `elsif`", site.replace("elsif")),
        Slip::UnlessElsif => error("`unless` cannot continue with `elsif`".to_owned())
            .label("only `else` can follow here")
            .note("write `if !( … ) { … } elsif … { … }` instead"),
        Slip::MissingDollar => error(format!("the parameter {token} has no `$`"))
            .label("expected a variable")
            .safe_fix("insert `$`", insert(site.range.start(), "$")),
        Slip::WrongCloser { opener, expected } => error(format!("found {token}, expected `{expected}`"))
            .label("closes the wrong kind of bracket")
            .related(*opener, "this is still open")
            .guess(format!("replace it with `{expected}`"), site.replace(*expected)),
        Slip::WrongOpener { closer, expected } => {
            error(format!("{token} opens what `{}` closes", closing(expected)))
                .label(format!("expected `{expected}`"))
                .related(*closer, "this would close it")
                .guess(format!("replace it with `{expected}`"), site.replace(*expected))
        }
        Slip::MissingQuestionMark => error("a selector needs a `?` before its `{`".to_owned())
            .label("expected `?` before this")
            .safe_fix("insert `?`", insert(site.range.start(), "? ")),
        Slip::LowercaseType => {
            let (found, capitalized) = (site.quoted(), capitalized(site.text()));
            error(format!("{found} is not a type; types are capitalised"))
                .label(format!("expected `{capitalized}`"))
                .safe_fix(format!("write `{capitalized}`"), site.replace(capitalized))
        }
        Slip::QuotedAttribute => {
            let words = error(format!("the attribute {} is in quotes", site.quoted()))
                .label("attribute names have none");
            match site.text().get(1..site.text().len().saturating_sub(1)) {
                Some(name) if is_plain_name(name) => words.safe_fix("remove the quotes", site.replace(name)),
                _ => words,
            }
        }
        Slip::MisspelledKeyword(keyword) => error(format!("{} is not a keyword", site.quoted()))
            .label(format!("did you mean `{keyword}`?"))
            .guess(format!("write `{keyword}`"), site.replace(*keyword)),
        Slip::ForeignStatement { advice } => {
            error(format!("Puppet has no {}", site.quoted())).label("of another language").note(*advice)
        }
        Slip::TypographicQuote { replacement, closing } => {
            let words = error(format!("{token} is a typographic quote, which opens no string"))
                .label(format!("expected `{replacement}`"))
                .note("word processors and web pages turn plain quotes into these");
            let mut edits = site.replace(*replacement);
            let Some(closing) = *closing else {
                return words.safe_fix(format!("replace it with `{replacement}`"), edits);
            };
            edits.push(Edit { range: closing, text: replacement.to_string() });
            words
                .related(closing, "and this one closes none")
                .safe_fix(format!("replace both with `{replacement}`"), edits)
        }
        Slip::StrayCharacter(character) => stray_character(site, *character),
        Slip::ForeignOperator { written, instead } => foreign_operator(site, written, instead),
        Slip::KeywordAsWord => keyword_as_word(site, &token),
        Slip::CallWithoutParentheses(name) => {
            let name = quoted(name);
            error(format!("{name} is called without parentheses inside an expression"))
                .label("found where the expression should have ended")
                .note(format!("put the arguments of {name} in parentheses; only some functions, as statements, go without"))
        }
        Slip::BlankBeforeIndex => error("`[` after a blank starts an array and does not index".to_owned())
            .label("expected directly after the value")
            .guess("remove the blank", vec![Edit { range: site.blank_before(), text: String::new() }]),
        Slip::ParenthesisOnNewLine => error("`(` first on a line starts a new expression".to_owned())
            .label("this is not an argument list")
            .note("to pass arguments, put `(` on the line of the function's name")
            .guess("join the lines", vec![Edit { range: site.blank_before(), text: String::new() }]),
        Slip::Empty(what) => error(format!("found {token} where the first element of {what} is expected"))
            .label("at least one is needed"),
        Slip::TrailingComma => trailing_comma(site, &token),
        Slip::StraySemicolon => {
            let words = error("`;` separates nothing here".to_owned())
                .label("not expected")
                .note("statements need no separator; `;` appears between the bodies of a resource only");
            if site.text() == ";" { words.safe_fix("remove `;`", site.remove()) } else { words }
        }
        Slip::Doubled => error(format!("{token} appears twice"))
            .label("the second one")
            .guess(format!("remove one {token}"), site.remove()),
    }
}

fn is_plain_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Capitalizes every segment of a name.
fn capitalized(name: &str) -> String {
    let segment = |segment: &str| {
        let mut chars = segment.chars();
        chars.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(chars).collect::<String>()
    };
    name.split("::").map(segment).collect::<Vec<_>>().join("::")
}

fn unknown(found: Option<&str>, token: &str) -> Words {
    match found {
        Some(_) => Words::new(SYNTAX_ERROR, format!("{token} is not allowed here"))
            .label("not expected")
            .note("often the cause is a missing bracket, comma or quote just before"),
        None => Words::new(SYNTAX_ERROR, "the file ends where more is expected")
            .label("the end of the file")
            .note("check that every bracket is closed and that the last expression is complete"),
    }
}

/// Joins alternatives: `a`, `b` or `c`.
fn alternatives(expected: &[&str]) -> String {
    let code: Vec<String> =
        expected.iter().map(|it| if it.contains(' ') { (*it).to_owned() } else { quoted(it) }).collect();
    match code.split_last() {
        None => "something else".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

fn colon_for_arrow(site: Site) -> Words {
    let before = if site.before().ends_with(char::is_whitespace) { "" } else { " " };
    let after = if site.after().starts_with(char::is_whitespace) { "" } else { " " };
    Words::new(SYNTAX_ERROR, "expected `=>`, found `:`")
        .label("expected `=>`")
        .note("a hash is `{ key => value }`")
        .safe_fix("replace `:` with `=>`", site.replace(format!("{before}=>{after}")))
}

fn stray_character(site: Site, character: char) -> Words {
    let words = Words::new(
        SYNTAX_ERROR,
        format!("the character {} is not allowed outside strings and comments", named(character)),
    )
    .label("not expected");
    let invisible = character.is_whitespace() || crate::printable::substitute(character).is_some();
    if character.is_whitespace() && !character.is_control() {
        words
            .note("it looks like a blank and is none; it often comes from a web page or a document")
            .guess("replace it with a blank", site.replace(" "))
    } else if invisible {
        words.note("it cannot be seen in most editors").guess("remove it", site.remove())
    } else {
        words.note("names have ASCII letters only; other text goes into quotes")
    }
}

fn foreign_operator(site: Site, written: &str, instead: &str) -> Words {
    /// Operators of Puppet, each of which has another meaning.
    const OF_PUPPET: [&str; 7] = ["=", "==", "=>", "->", ">", ">=", "<="];
    let words = if OF_PUPPET.contains(&written) {
        let words = Words::new(SYNTAX_ERROR, format!("expected `{instead}`, found `{written}`"));
        match instead {
            "==" => words.label("not a comparison").note("`=` assigns a variable, and `==` compares values"),
            _ => words.label(format!("expected `{instead}`")),
        }
    } else if written == "=!" {
        Words::new(SYNTAX_ERROR, "expected `!=`, found `=!`").label("the other way round")
    } else {
        Words::new(SYNTAX_ERROR, format!("Puppet has no `{written}`"))
            .label(format!("expected `{instead}`"))
            .note(format!("other languages write `{written}`, Puppet `{instead}`"))
    };
    if site.text() == written && !instead.contains(' ') {
        words.guess(format!("replace it with `{instead}`"), site.replace(instead))
    } else {
        words
    }
}

fn keyword_as_word(site: Site, token: &str) -> Words {
    let words = Words::new(SYNTAX_ERROR, format!("{token} is a keyword and cannot be used as a string"))
        .label("a string in quotes was probably meant");
    match site.in_quotes() {
        Some(string) => words.safe_fix(format!("put it in quotes: `{string}`"), site.replace(string)),
        None => words,
    }
}

/// The site is the comma itself, or the token after it.
fn trailing_comma(site: Site, token: &str) -> Words {
    let comma = if site.text() == "," {
        Some(site.range)
    } else {
        let before = site.before().trim_end();
        before
            .ends_with(',')
            .then(|| TextRange::at(offset_of(before.len()) - TextSize::of(','), TextSize::of(',')))
    };
    let what = if site.text() == "," { "`,`".to_owned() } else { format!("`,` before {token}") };
    let words = Words::new(SYNTAX_ERROR, format!("{what} is followed by nothing"))
        .label("no comma may appear after the last one here");
    match comma {
        Some(range) => words.safe_fix("remove the comma", vec![Edit { range, text: String::new() }]),
        None => words,
    }
}

/// The closing bracket for an opening one.
fn closing(open: &str) -> &'static str {
    match open {
        "{" => "}",
        "[" => "]",
        _ => ")",
    }
}
