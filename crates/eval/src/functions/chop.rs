//! `chomp`, `chop`: remove the end of a string (E26).

use std::borrow::Cow;

use super::text::text_functions;

text_functions! {
    CHOMP "chomp" chomp
        "Removes one line end: `chomp(\"hello\\r\\n\")` is `'hello'`.\n\n\
         A line end is `\\n`, `\\r\\n` or `\\r`; a text without one is returned unchanged. Strings in an array are changed one by \
         one; numbers are not changed."
    CHOP "chop" chop
        "Removes the last character: `chop('hello')` is `'hell'`.\n\n\
         `\\r\\n` counts as one character. Most often `chomp` is meant, which removes only a line end. Strings in an array are \
         changed one by one; numbers are not changed."
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
