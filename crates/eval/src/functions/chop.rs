//! `chomp`, `chop`: remove the end of a string (E26).

use std::borrow::Cow;

use super::text::text_functions;

text_functions! {
    CHOMP "chomp" chomp
        "Takes one line end away: `chomp(\"hello\\r\\n\")` is `'hello'`.\n\n\
         A line end is `\\n`, `\\r\\n` or `\\r`; a text without one stays as it is. Strings in an array are changed one by one; \
         numbers stay as they are."
    CHOP "chop" chop
        "Takes the last character away: `chop('hello')` is `'hell'`.\n\n\
         `\\r\\n` counts as one. Most often `chomp` is meant, which takes nothing but a line end away. Strings in an array are changed \
         one by one; numbers stay as they are."
}

fn chomp(text: &str) -> Cow<'_, str> {
    let line = text.strip_suffix('\n').map(|it| it.strip_suffix('\r').unwrap_or(it));
    line.or_else(|| text.strip_suffix('\r')).unwrap_or(text).into()
}

fn chop(text: &str) -> Cow<'_, str> {
    let mut chars = text.chars();
    if !text.ends_with("\r\n") {
        chars.next_back();
        return chars.as_str().into();
    }
    text[..text.len() - 2].into()
}
