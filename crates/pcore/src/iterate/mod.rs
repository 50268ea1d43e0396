//! Lazy iterators: over every iterable value, in steps, in reverse, and through trees (D34).
//!
//! An iterator starts from the beginning for each consumer. Those of the reference can be used up.

mod sequence;
mod tree;

pub use tree::{TreeError, TreeOptions, TreeOrder, tree};

use std::num::NonZeroUsize;
use std::sync::Arc;

use num_bigint::BigInt;

use crate::dialect::Dialect;
use crate::infer::infer_set;
use crate::types::{IntegerRange, Size, TupleType, Type, TypeKind};
use crate::value::{Array, Iterate, Value};
use sequence::{Integers, Reversed, Stepped, Values};

/// Returns an iterator over a value: elements of arrays, pairs of hashes, characters, the integers below a number,
/// those of a range, the strings of an `Enum`. `None` if the value isn't iterable.
pub fn iterator(dialect: &Dialect, value: &Value) -> Option<Arc<dyn Iterate>> {
    if let Value::Iterator(it) = value {
        return Some(Arc::clone(it));
    }
    if let Some(integers) = integers(value) {
        return Some(Arc::new(integers));
    }
    let values = listed(value)?;
    let element_type = match value {
        Value::Integer(_) => Type::unit(),
        Value::Type(it) => it.resolved().clone(),
        Value::String(_) => Type::string_sized(Size::exactly(1)),
        Value::Hash(hash) if hash.is_empty() => pair(Type::unit(), Type::unit()),
        Value::Hash(hash) => {
            let common = |values: &mut dyn Iterator<Item = &Value>| {
                Type::variant(values.map(|it| infer_set(dialect, it)))
            };
            pair(common(&mut hash.keys()), common(&mut hash.values()))
        }
        _ if values.is_empty() => Type::unit(),
        _ => Type::variant(values.iter().map(|it| infer_set(dialect, it))),
    };
    Some(Arc::new(Values { values, element_type, has_entries: matches!(value, Value::Hash(_)) }))
}

/// Collects the elements of an iteration over a value, at most `limit`: see [`iterator`]. `None` if the value isn't iterable.
///
/// # Errors
/// If there are more elements.
pub fn elements(value: &Value, limit: usize) -> Result<Option<Array>, TooMany> {
    let integers = integers(value);
    let iterator: &dyn Iterate = match (value, &integers) {
        (Value::Iterator(iterator), _) => &**iterator,
        (_, Some(integers)) => integers,
        _ => return Ok(listed(value)),
    };
    // Checks the number first, without creating the elements.
    if iterator.get(limit).is_some() {
        return Err(TooMany { limit });
    }
    let mut elements = Vec::new();
    while let Some(it) = iterator.get(elements.len()) {
        elements.push(it);
    }
    Ok(Some(elements.into()))
}

/// The error for more elements than an array may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// The maximum number of elements.
    pub limit: usize,
}

impl std::fmt::Display for TooMany {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "More than {} elements", self.limit)
    }
}

impl std::error::Error for TooMany {}

/// Iterates over each `step`th element, starting with the first.
pub fn step(it: &Arc<dyn Iterate>, step: NonZeroUsize) -> Arc<dyn Iterate> {
    if step.get() == 1 {
        return Arc::clone(it);
    }
    it.stepped(step).unwrap_or_else(|| Arc::new(Stepped { inner: Arc::clone(it), step }))
}

/// Iterates over the elements from the last to the first.
pub fn reverse_each(it: &Arc<dyn Iterate>) -> Arc<dyn Iterate> {
    it.reversed().unwrap_or_else(|| Arc::new(Reversed { inner: Arc::clone(it) }))
}

/// Lists the elements of a value, except the integers, which are created lazily.
fn listed(value: &Value) -> Option<Array> {
    Some(match value {
        Value::Array(elements) => elements.clone(),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| Value::Array([key.clone(), value.clone()].into())).collect()
        }
        Value::String(text) => text.chars().map(|it| Value::String(it.to_string().into())).collect(),
        Value::Integer(number) if *number == 0.into() => [].into(),
        Value::Type(it) => match it.resolved().kind() {
            TypeKind::Enum(it) => it.values().iter().map(|it| Value::String(it.clone())).collect(),
            _ => return None,
        },
        _ => return None,
    })
}

fn integers(value: &Value) -> Option<Integers> {
    match value {
        Value::Integer(number) if *number > 0.into() => {
            let last = number.to_big() - 1_i32;
            Integers::new(&IntegerRange::ascending(Some(0.into()), Some(last.into())))
        }
        Value::Type(it) => match it.resolved().kind() {
            TypeKind::Integer(range) => Integers::new(range),
            _ => None,
        },
        _ => None,
    }
}

/// The type of a hash's entries.
fn pair(key: Type, value: Type) -> Type {
    TypeKind::Tuple(TupleType { types: [key, value].into(), size: Some(Size::exactly(2)) }).into()
}

/// Converts to `usize`; saturates.
fn saturated(count: &BigInt) -> usize {
    usize::try_from(count).unwrap_or(if count.sign() == num_bigint::Sign::Minus { 0 } else { usize::MAX })
}
