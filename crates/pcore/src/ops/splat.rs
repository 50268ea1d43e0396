//! `*value` (D89, D93).

use super::OperationError;
use super::collection::pairs;
use crate::value::Value;

/// The most elements that are taken from an iterator.
const MAX_ELEMENTS: usize = 1 << 24;

/// The values that a splat stands for: elements of arrays and iterators, entries of hashes as pairs, nothing for
/// `undef`, and else the value itself (B21).
///
/// # Errors
/// If an iterator does not end soon enough.
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
