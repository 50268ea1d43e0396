//! `Array(from, wrap)` (D68, D70).

use super::NewError;
use crate::iterate::elements;
use crate::value::Value;

/// Returns the elements of iterable values, pairs of hashes, and bytes; with `wrap`, a value other than an array
/// becomes the only element.
pub(super) fn array(from: &Value, wrap: bool, most: usize) -> Result<Value, NewError> {
    Ok(match from {
        Value::Array(_) => from.clone(),
        _ if wrap => Value::Array([from.clone()].into()),
        Value::Binary(binary) => {
            Value::Array(binary.bytes().iter().map(|it| i64::from(*it).into()).collect())
        }
        _ => Value::Array(elements(from, most)?.unwrap_or_default()),
    })
}
