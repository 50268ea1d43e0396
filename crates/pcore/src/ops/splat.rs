//! `*value` (D89, D93).

use super::OperationError;
use super::collection::pairs;
use crate::value::Value;

/// The maximum number of elements taken from an iterator.
const MAX_ELEMENTS: usize = 1 << 24;

/// Returns the values that a splat expands to: elements of arrays and iterators, entries of hashes as pairs, nothing
/// for `undef`, and otherwise the value itself (B21).
///
/// # Errors
/// If an iterator has too many elements.
pub fn splat(value: &Value) -> Result<Vec<Value>, OperationError> {
    Ok(match value {
        Value::Undef => Vec::new(),
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => pairs(hash).collect(),
        Value::Iterator(iterator) => {
            let elements: Vec<Value> = (0..=MAX_ELEMENTS).map_while(|index| iterator.get(index)).collect();
            if elements.len() > MAX_ELEMENTS {
                return Err(OperationError::TooLarge { operator: "*" });
            }
            elements
        }
        other => vec![other.clone()],
    })
}
