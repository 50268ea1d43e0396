//! `strip`, `lstrip`, `rstrip`: remove white space around a string (E26).

use std::borrow::Cow;

use super::text::text_functions;

text_functions! {
    STRIP "strip" strip
        "Takes white space away at both ends: `strip(\"  aaa\\n\")` is `'aaa'`.\n\n\
         White space is what ASCII has of it, and the null character; a no-break space stays. Strings in an array are \
         changed one by one; numbers stay as they are."
    LSTRIP "lstrip" lstrip
        "Takes white space away at the start: `lstrip(\"  aaa\\n\")` is `\"aaa\\n\"`.\n\n\
         White space is what ASCII has of it, and the null character; a no-break space stays. Strings in an array are \
         changed one by one; numbers stay as they are."
    RSTRIP "rstrip" rstrip
        "Takes white space away at the end: `rstrip(\"  aaa\\n\")` is `'  aaa'`.\n\n\
         White space is what ASCII has of it, and the null character; a no-break space stays. Strings in an array are \
         changed one by one; numbers stay as they are."
}

fn is_blank(it: char) -> bool {
    matches!(it, '\0' | '\t'..='\r' | ' ')
}

fn strip(text: &str) -> Cow<'_, str> {
    text.trim_matches(is_blank).into()
}

fn lstrip(text: &str) -> Cow<'_, str> {
    text.trim_start_matches(is_blank).into()
}

fn rstrip(text: &str) -> Cow<'_, str> {
    text.trim_end_matches(is_blank).into()
}
