//! `strip`, `lstrip`, `rstrip`: remove white space around a string (E26).

use std::borrow::Cow;

use super::text::text_functions;

text_functions! {
    STRIP "strip" strip
        "Removes white space at both ends: `strip(\"  aaa\\n\")` is `'aaa'`.\n\n\
         White space is ASCII white space and the null character; a no-break space is not removed. Strings in an array are \
         changed one by one; numbers are not changed."
    LSTRIP "lstrip" lstrip
        "Removes white space at the start: `lstrip(\"  aaa\\n\")` is `\"aaa\\n\"`.\n\n\
         White space is ASCII white space and the null character; a no-break space is not removed. Strings in an array are \
         changed one by one; numbers are not changed."
    RSTRIP "rstrip" rstrip
        "Removes white space at the end: `rstrip(\"  aaa\\n\")` is `'  aaa'`.\n\n\
         White space is ASCII white space and the null character; a no-break space is not removed. Strings in an array are \
         changed one by one; numbers are not changed."
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
