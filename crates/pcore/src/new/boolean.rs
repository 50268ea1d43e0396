//! `Boolean(from)` (D66).

use crate::value::Value;

/// Whether a number isn't zero, or a word means true.
pub(super) fn boolean(from: &Value) -> Value {
    let is_true = match from {
        Value::Integer(number) => *number != 0.into(),
        Value::Float(number) => *number != 0.0,
        Value::Boolean(flag) => *flag,
        Value::String(word) => !["false", "no", "n"].iter().any(|it| word.eq_ignore_ascii_case(it)),
        _ => true,
    };
    is_true.into()
}
