//! `Regexp(text, escape)`.

use super::NewError;
use crate::dialect::Dialect;
use crate::regexp::Regexp;
use crate::value::Value;

/// Creates the regular expression in a text or, with `escape`, the one that matches the text literally.
pub(super) fn regexp(dialect: &Dialect, text: &Value, escape: Option<&Value>) -> Result<Value, NewError> {
    let text = text.as_str().unwrap_or_default();
    let regexp = match escape {
        Some(Value::Boolean(true)) => Regexp::new(&escaped(text)),
        _ => Regexp::in_dialect(dialect, text),
    };
    Ok(Value::Regexp(regexp?))
}

/// Escapes a text like Ruby's `Regexp.escape`, so that the expression matches it literally.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        let written = match it {
            '\n' => 'n',
            '\t' => 't',
            '\r' => 'r',
            '\u{c}' => 'f',
            '\u{b}' => 'v',
            it => it,
        };
        if written != it || "[]{}()|-*.\\?+^$# ".contains(it) {
            escaped.push('\\');
        }
        escaped.push(written);
    }
    escaped
}
