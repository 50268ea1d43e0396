//! `Hash(from)` (D69, D70).

use std::sync::Arc;

use super::{Context, NewError};
use crate::infer::{generalize, infer};
use crate::iterate::elements;
use crate::value::{Hash, Value};

/// Creates a hash from arrays of key and value.
pub(super) fn from_pairs(pairs: &[Value]) -> Value {
    let entry = |it: &Value| match it {
        Value::Array(pair) => <[Value; 2]>::try_from(pair.to_vec()).ok().map(Into::into),
        _ => None,
    };
    Value::Hash(Arc::new(pairs.iter().filter_map(entry).collect()))
}

/// Whether a value is an array of a key and a value.
fn is_pair(it: &Value) -> bool {
    matches!(it, Value::Array(pair) if pair.len() == 2)
}

/// Creates a hash from alternating keys and values, the elements of an array or of an iteration.
pub(super) fn from_any(context: &Context<'_>, from: &Value) -> Result<Value, NewError> {
    if let Value::Hash(_) = from {
        return Ok(from.clone());
    }
    let Some(elements) = elements(from, context.most_elements())? else {
        return Err(NewError::NoHash(generalize(&infer(context.dialect, from))));
    };
    match &elements[..] {
        pairs if context.dialect.hash_of_iterated_pairs && pairs.iter().all(is_pair) => Ok(from_pairs(pairs)),
        [Value::Hash(_)] if !matches!(from, Value::Array(_)) => Ok(elements[0].clone()),
        _ if elements.len() % 2 == 1 => Err(NewError::OddNumber),
        _ => {
            let entry = |it: &[Value]| match it {
                [key, value] => Some((key.clone(), value.clone())),
                _ => None,
            };
            let hash: Hash = elements.chunks_exact(2).filter_map(entry).collect();
            Ok(Value::Hash(Arc::new(hash)))
        }
    }
}
