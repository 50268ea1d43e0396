//! Messages of errors in the lexical structure.

use crate::rules;
use marotte_text::{TextRange, TextSize};

use super::words::{Site, Words, insert};
use crate::Edit;
use crate::printable::quoted;
use crate::sources::offset_of;

pub(super) fn byte_order_mark(site: Site, encoding: &str, bytes: &str) -> Words {
    // A heredoc's text is lexed separately, and must not start with a mark either.
    let text = if site.before().is_empty() { "file" } else { "heredoc" };
    let words = Words::new(
        rules::ILLEGAL_BOM,
        format!("the {text} starts with a {encoding} byte order mark ({bytes})"),
    )
    .label("Puppet refuses this")
    .note("editors put the mark there unseen; save the file as UTF-8 without a byte order mark");
    if site.text() == "\u{feff}" {
        words.safe_fix("remove the byte order mark", site.remove())
    } else {
        words
    }
}

pub(super) fn class_reference(site: Site, rule: &'static rules::Rule) -> Words {
    let text = site.text();
    let capitalized = segments(text, |first| first.to_uppercase().collect());
    let lower = segments(text, |first| first.to_lowercase().collect());
    let label = "expected every segment to start with a capital letter";
    if capitalized == text {
        return Words::new(rule, format!("{} is not a type reference", quoted(text))).label(label);
    }
    let (capitalized_quoted, lower) = (quoted(&capitalized), quoted(&lower));
    Words::new(rule, format!("{} mixes capitalised and lower-case segments", quoted(text)))
        .label(label)
        .note(format!(
            "a reference to a type is {capitalized_quoted}, the name of a class or defined type is {lower}"
        ))
        .guess(format!("write {capitalized_quoted}"), site.replace(capitalized))
}

/// Changes the first letter of each segment of a qualified name.
fn segments(name: &str, change: impl Fn(char) -> String) -> String {
    let changed = name.split("::").map(|segment| {
        let mut rest = segment.chars();
        rest.next().map_or_else(String::new, |first| change(first) + rest.as_str())
    });
    changed.collect::<Vec<_>>().join("::")
}

pub(super) fn fully_qualified_name(site: Site) -> Words {
    Words::new(rules::ILLEGAL_FULLY_QUALIFIED_NAME, format!("{} is not a name", site.quoted()))
        .label("expected a name after `::`")
        .note("a segment of a name starts with a lower-case letter: `::apache::mod`; one of a type with a capital: `::Apache::Port`")
}

pub(super) fn bare_word(site: Site) -> Words {
    let words = Words::new(rules::ILLEGAL_NAME_OR_BARE_WORD, format!("{} is neither a name nor a bare word", site.quoted()))
        .note("a bare word has letters, digits, `_` and `-`, starts with a lower-case letter or `_`, and does not end with `-`");
    match site.in_quotes() {
        Some(string) => words.guess(format!("make it a string: {}", quoted(&string)), site.replace(string)),
        None => words,
    }
}

pub(super) fn number(site: Site, text: &str) -> Words {
    let words = Words::new(rules::ILLEGAL_NUMBER, format!("{} is not a number", quoted(text)));
    let plain = text.replace('_', "");
    if plain == text && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // The error comes after it: a letter or digit of another script.
        return words
            .label("another letter or digit follows directly")
            .note("put a blank after the number, or all of it in quotes if it is a string");
    }
    if text.starts_with(|first: char| first.is_ascii_digit())
        && plain.bytes().all(|byte| byte.is_ascii_digit())
    {
        return words
            .label("numbers have no `_` between their digits")
            .guess(format!("write {}", quoted(&plain)), site.replace(plain));
    }
    let words = words
        .label("a word that starts with a digit has to be a number")
        .note("names start with a letter; anything else has to be a string in quotes");
    match site.in_quotes() {
        Some(string) => words.guess(format!("make it a string: {}", quoted(&string)), site.replace(string)),
        None => words,
    }
}

pub(super) fn hex_number(text: &str) -> Words {
    Words::new(rules::INVALID_HEX_NUMBER, format!("{} is not a hexadecimal number", quoted(text)))
        .label("expected digits from 0 to 9 and A to F after `0x`")
        .note("put it in quotes if it is a string")
}

pub(super) fn octal_number(site: Site, text: &str) -> Words {
    let words = Words::new(rules::INVALID_OCTAL_NUMBER, format!("{} is not an octal number", quoted(text)))
        .label("a number that starts with `0` is octal: it has digits from 0 to 7 only")
        .note(format!("put it in quotes if it is a string, as file modes and dates are: `'{text}'`"));
    let decimal = text.trim_start_matches('0');
    if decimal.is_empty() || !decimal.bytes().all(|byte| byte.is_ascii_digit()) {
        return words;
    }
    words.guess(format!("write the decimal number `{decimal}`"), site.replace(decimal))
}

pub(super) fn decimal_number(site: Site, text: &str, plus_exponent: bool) -> Words {
    if plus_exponent {
        let words =
            Words::new(rules::INVALID_DECIMAL_NUMBER, format!("{} has a `+` in its exponent", quoted(text)))
                .label("expected digits or `-` after `e`")
                .note("an exponent without a sign is positive");
        return match site.text().find('+') {
            Some(at) => {
                let at = site.range.start() + offset_of(at);
                let edit = Edit { range: TextRange::at(at, TextSize::of('+')), text: String::new() };
                words.safe_fix("remove the `+`", vec![edit])
            }
            None => words,
        };
    }
    Words::new(rules::INVALID_DECIMAL_NUMBER, format!("{} is not a decimal number", quoted(text)))
        .label("expected digits on both sides of `.` and after `e`")
        .note(
            "numbers look like `12`, `0.5` or `1.5e-3`; versions and addresses have to be strings in quotes",
        )
}

pub(super) fn malformed_unicode_escape(site: Site) -> Words {
    let words = Words::new(rules::ILLEGAL_UNICODE_ESCAPE, "`\\u` is not followed by a character's number")
        .label("expected four hexadecimal digits, or up to six in braces")
        .note(
            "write `\\u00e9` or `\\u{e9}` for `é`; as written, the backslash and the `u` stay in the string",
        );
    double_backslash(site, words)
}

pub(super) fn no_such_character(site: Site) -> Words {
    Words::new(rules::ILLEGAL_UNICODE_ESCAPE, format!("{} names no character", site.quoted()))
        .label("there is no such character")
        .note("characters have numbers up to 10FFFF, without D800 to DFFF")
}

pub(super) fn unrecognized_escape(site: Site, character: char) -> Words {
    let escape = quoted(&format!("\\{character}"));
    let words = Words::new(rules::UNRECOGNIZED_ESCAPE, format!("{escape} is not an escape sequence"))
        .label("the backslash stays in the string")
        .note(
            "in double quotes there are `\\\\`, `\\n`, `\\r`, `\\t`, `\\s`, `\\$`, `\\\"`, `\\'` and `\\u`",
        );
    double_backslash(site, words)
}

/// Escapes the backslash, if there is one.
fn double_backslash(site: Site, words: Words) -> Words {
    if site.text().starts_with('\\') {
        words.guess("double the backslash", insert(site.range.start(), "\\"))
    } else {
        words
    }
}

pub(super) fn unclosed_quote(site: Site, quote: char, culprit: Option<TextRange>) -> Words {
    let note = format!("every `{quote}` needs a partner; inside the string it is written `\\{quote}`");
    let noticed = "because of that, this string is open until the end of the file";
    match culprit {
        Some(range) if site.source[range].starts_with("${") => {
            Words::new(rules::UNCLOSED_DELIMITER, "`${` is never closed")
                .at(range)
                .label("opened here; its `}` is missing before the string ends")
                .related(site.range, noticed)
        }
        Some(range) if range.len() == TextSize::of(quote) => Words::new(
            rules::UNCLOSED_QUOTE,
            format!("{} has no partner on its line", quoted(&site.source[range])),
        )
        .at(range)
        .label("here quotes are out of step")
        .related(site.range, noticed)
        .note(note),
        Some(range) => Words::new(rules::UNCLOSED_QUOTE, "a string is closed too late")
            .at(range)
            .label("this string spans lines and ends at a word: its closing quote may be missing")
            .related(site.range, noticed)
            .note(note),
        None => Words::new(rules::UNCLOSED_QUOTE, format!("`{quote}` opens a string that is never closed"))
            .label("opened here, open until the end of the file")
            .note(note),
    }
}

pub(super) fn string_ends_late(quote: char, end: TextRange) -> Words {
    Words::new(rules::UNCLOSED_QUOTE, "a string is closed too late")
        .label("this string spans lines and ends at a word: its closing quote may be missing")
        .related(end, "because of that, it ends here")
        .note(format!("every `{quote}` needs a partner; inside the string it is written `\\{quote}`"))
}

pub(super) fn unclosed_comment() -> Words {
    Words::new(rules::UNCLOSED_COMMENT, "`/*` opens a comment that is never closed")
        .label("opened here, open until the end of the file")
        .note("close it with `*/`; comments do not nest")
}

pub(super) fn regex(site: Site, reason: &str) -> Words {
    Words::new(rules::INVALID_REGEX, format!("{} is not a valid regular expression", site.quoted()))
        .label(reason)
        .note("regular expressions are Ruby's; characters with a meaning of their own need a backslash: `\\.`, `\\[`, `\\(`")
}

pub(super) fn regex_options(options: &str) -> Words {
    Words::new(rules::INVALID_REGEX, format!("{} cannot follow a regular expression", quoted(options)))
        .label("regular expressions have no options")
        .note("options appear in the expression itself: `/(?m:.*)/`")
}

pub(super) fn epp_tag(site: Site) -> Words {
    let tag = if site.text().starts_with("<%") { site.quoted() } else { "`<%`".to_owned() };
    let is_closed_later =
        site.source.get(usize::from(site.range.end())..).is_some_and(|it| it.contains("%>"));
    Words::new(rules::EPP_UNBALANCED_TAG, format!("{tag} opens a tag that is never closed"))
        .label(match is_closed_later {
            true => "opened here, and the next tag opens before it is closed",
            false => "opened here, open until the end of the template",
        })
        .note("close it with `%>`, or with `-%>` to drop the rest of the line; `<%%` is a literal `<%`")
}

pub(super) fn epp_comment() -> Words {
    Words::new(rules::EPP_UNBALANCED_COMMENT, "`<%#` opens a comment that is never closed")
        .label("opened here, open until the end of the template")
        .note("close it with `%>`")
}

pub(super) fn epp_expression(site: Site) -> Words {
    let tag = if site.text().starts_with("<%") { site.quoted() } else { "`<%`".to_owned() };
    Words::new(rules::EPP_UNBALANCED_EXPRESSION, format!("the template ends right after {tag}"))
        .label("expected code and `%>`")
        .note("`<%%` is a literal `<%`")
}
