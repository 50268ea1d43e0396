use std::fmt::Write as _;

/// A string in quotes: single ones, unless it has control characters (D83).
///
/// As in the reference, a backslash stands for itself except before the end.
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

/// A string in double quotes, with escapes.
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
                // A string takes all that is written to it.
                let _ = write!(quoted, "\\u{{{:X}}}", u32::from(it));
            }
            it => quoted.push(it),
        }
    }
    quoted.push('"');
    quoted
}
