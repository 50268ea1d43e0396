use std::fmt::Write as _;

/// Quotes a string: with single quotes, unless it has control characters (D83).
///
/// As in the reference, a backslash isn't escaped except at the end.
pub fn quote(text: &str) -> String {
    if text.chars().any(|it| it < '\u{20}') {
        return quote_double(text);
    }
    let mut quoted = String::from("'");
    let mut escaped = false;
    for it in text.chars() {
        if escaped {
            quoted.push('\\');
            quoted.push(it);
            escaped = false;
        } else if it == '\\' {
            escaped = true;
        } else {
            if it == '\'' {
                quoted.push('\\');
            }
            quoted.push(it);
        }
    }
    if escaped {
        quoted.push('\\');
    }
    quoted.push('\'');
    quoted
}

/// Quotes a string with double quotes and escapes.
pub fn quote_double(text: &str) -> String {
    let mut quoted = String::from("\"");
    for it in text.chars() {
        match it {
            '\t' => quoted.push_str("\\t"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '"' | '$' | '\\' => {
                quoted.push('\\');
                quoted.push(it);
            }
            it if it < '\u{20}' => {
                // Writing to a string doesn't fail.
                let _ = write!(quoted, "\\u{{{:X}}}", u32::from(it));
            }
            it => quoted.push(it),
        }
    }
    quoted.push('"');
    quoted
}
