//! Makes text from sources and file systems fit to be printed: no control character of theirs reaches a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// What a character is shown as, if not as itself.
///
/// Controls of the first block become their pictures (`␀`, `␛`); others, and the invisible characters that reorder or
/// hide text, become `<U+202E>`. Tabs are left to the caller.
pub(crate) fn substitute(character: char) -> Option<Cow<'static, str>> {
    match character {
        '\t' => None,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(character)).map(|it| Cow::Owned(it.to_string())),
        '\u{7f}' => Some(Cow::Borrowed("\u{2421}")),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{61c}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}' => Some(Cow::Owned(format!("<U+{:04X}>", u32::from(character)))),
        _ => None,
    }
}

/// The text on one line with nothing in it that a terminal would obey.
pub fn line(text: &str) -> Cow<'_, str> {
    if text.chars().all(|character| character != '\t' && substitute(character).is_none()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match substitute(character) {
            Some(shown) => out.push_str(&shown),
            None if character == '\t' => out.push(' '),
            None => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// How many characters of a token a message quotes.
const QUOTED: usize = 40;

/// A token in backticks, on one line, and cut when it is long.
pub(crate) fn quoted(token: &str) -> String {
    let mut out = String::from("`");
    for (count, character) in token.chars().enumerate() {
        if count == QUOTED {
            out.push('…');
            break;
        }
        match (character, substitute(character)) {
            ('\n', _) => out.push('⏎'),
            ('\t', _) => out.push(' '),
            (_, Some(shown)) => out.push_str(&shown),
            (_, None) => out.push(character),
        }
    }
    out.push('`');
    out
}

/// A character named so that a reader can find it even if it cannot be seen.
pub(crate) fn named(character: char) -> String {
    let mut out = match substitute(character) {
        None if !character.is_whitespace() => format!("`{character}` "),
        _ => String::new(),
    };
    // Writing to a string cannot fail.
    let _ = write!(out, "U+{:04X}", u32::from(character));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_obeys_is_left() {
        assert_eq!(line("a\x1b[31mb\r\u{9b}c\u{202e}"), "a␛[31mb␍<U+009B>c<U+202E>");
        assert!(matches!(line("plain é 🗻"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_quoted_token_is_short_and_on_one_line() {
        assert_eq!(quoted("a\nb"), "`a⏎b`");
        assert_eq!(quoted(&"x".repeat(1_000_000)), format!("`{}…`", "x".repeat(40)));
    }

    #[test]
    fn an_invisible_character_is_named_by_its_number() {
        assert_eq!(named('\u{a0}'), "U+00A0");
        assert_eq!(named('“'), "`“` U+201C");
    }
}
