//! `+`, `-` and `<<` of arrays, hashes, URIs and binary values (B32–B34, D89, D92, X113).

use std::sync::Arc;

use super::{BinaryOperator, OperationError};
use crate::dialect::{Dialect, Subtraction};
use crate::relation::{equal, same};
use crate::uri::Uri;
use crate::value::{Hash, Value};

/// The maximum length of an array, hash or binary that an operator creates: repeated doubling would soon exhaust the memory.
const MAX_LENGTH: usize = 1 << 26;

/// The maximum number of comparisons in one difference of arrays.
const MAX_COMPARISONS: usize = 1 << 30;

/// Evaluates an operator if it applies to collections and its left operand is one.
pub(super) fn operate(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Option<Result<Value, OperationError>> {
    use BinaryOperator as Op;
    Some(match (left, operator) {
        (Value::Array(left), Op::Add) => append(left, &elements(right)),
        (Value::Array(left), Op::Subtract) => subtract(dialect, left, &elements(right)),
        (Value::Array(left), Op::ShiftLeft) => append(left, std::slice::from_ref(right)),
        (Value::Hash(left), Op::Add) => merge(left, right),
        (Value::Hash(left), Op::Subtract) => without_keys(dialect, left, right),
        (Value::Hash(_), Op::ShiftLeft) => Err(OperationError::not_applicable("<<", left)),
        (Value::Uri(left), Op::Add) => merge_uri(left, right),
        (Value::Binary(left), Op::Add) => match right {
            Value::Binary(right) if left.len().saturating_add(right.len()) <= MAX_LENGTH => {
                Ok(Value::Binary(left.concat(right)))
            }
            Value::Binary(_) => Err(OperationError::TooLarge { operator: "+" }),
            _ => refuse("Can only append Binary to a Binary"),
        },
        _ => return None,
    })
}

fn refuse(what: &'static str) -> Result<Value, OperationError> {
    Err(OperationError::Combination(what, String::new()))
}

/// The elements of an array, the pairs of a hash, or the value itself as the only element.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => pairs(hash).collect(),
        other => vec![other.clone()],
    }
}

/// The entries of a hash as arrays of two elements.
pub(super) fn pairs(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::Array([key.clone(), value.clone()].into()))
}

fn append(left: &[Value], right: &[Value]) -> Result<Value, OperationError> {
    if left.len().saturating_add(right.len()) > MAX_LENGTH {
        return Err(OperationError::TooLarge { operator: "+" });
    }
    Ok(Value::Array(left.iter().chain(right).cloned().collect()))
}

/// Returns all elements that aren't identical to one of the others: `2` removes `2.0`, but `'a'` keeps `'A'`.
fn subtract(dialect: &Dialect, left: &[Value], others: &[Value]) -> Result<Value, OperationError> {
    if left.len().saturating_mul(others.len()) > MAX_COMPARISONS {
        return Err(OperationError::TooLarge { operator: "-" });
    }
    let stays = |it: &&Value| !others.iter().any(|other| is_taken(dialect, it, other));
    Ok(Value::Array(left.iter().filter(stays).cloned().collect()))
}

/// Whether an element is removed by another (X113).
fn is_taken(dialect: &Dialect, it: &Value, other: &Value) -> bool {
    match dialect.operators.subtraction {
        Subtraction::Same => same(it, other),
        Subtraction::Equal => equal(dialect, it, other),
    }
}

fn without_keys(dialect: &Dialect, left: &Hash, right: &Value) -> Result<Value, OperationError> {
    let keys: Vec<Value> = match right {
        Value::Array(keys) => keys.to_vec(),
        Value::Hash(hash) => hash.keys().cloned().collect(),
        key => vec![key.clone()],
    };
    let keys: Hash = keys.into_iter().map(|key| (key, Value::Undef)).collect();
    let stays: Box<dyn Fn(&Value) -> bool> = match dialect.operators.subtraction {
        // Keys are compared exactly.
        Subtraction::Same => Box::new(|key| keys.get(key).is_none()),
        Subtraction::Equal if left.len().saturating_mul(keys.len()) > MAX_COMPARISONS => {
            return Err(OperationError::TooLarge { operator: "-" });
        }
        Subtraction::Equal => Box::new(|key| !keys.keys().any(|other| equal(dialect, key, other))),
    };
    let entries = left.iter().filter(|(key, _)| stays(key));
    let entries = entries.map(|(key, value)| (key.clone(), value.clone()));
    Ok(Value::Hash(Arc::new(entries.collect())))
}

fn merge(left: &Arc<Hash>, right: &Value) -> Result<Value, OperationError> {
    let right = match right {
        Value::Hash(right) => right.clone(),
        Value::Array(elements) => entries_of(elements)?,
        _ => return refuse("Can only append Array or Hash to a Hash"),
    };
    if left.len().saturating_add(right.len()) > MAX_LENGTH {
        return Err(OperationError::TooLarge { operator: "+" });
    }
    Ok(Value::Hash(match (left.is_empty(), right.is_empty()) {
        (_, true) => left.clone(),
        (true, _) => right,
        _ => Arc::new(left.plus(&right)),
    }))
}

/// Creates entries from an array of pairs, or of alternating keys and values; or from one hash, whose entries they are.
fn entries_of(elements: &[Value]) -> Result<Arc<Hash>, OperationError> {
    if let [Value::Hash(hash)] = elements {
        return Ok(hash.clone());
    }
    let is_array = |it: &Value| matches!(it, Value::Array(_));
    // The common type of arrays and `undef` is that of the arrays.
    if elements.iter().any(is_array) && elements.iter().all(|it| is_array(it) || *it == Value::Undef) {
        let entries = elements.iter().enumerate().map(|(index, it)| pair(index, it));
        return entries.collect::<Result<Hash, _>>().map(Arc::new);
    }
    let (entries, rest) = elements.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(OperationError::OddArray);
    }
    Ok(Arc::new(entries.iter().map(|[key, value]| (key.clone(), value.clone())).collect()))
}

fn pair(index: usize, element: &Value) -> Result<(Value, Value), OperationError> {
    match element {
        Value::Array(pair) => match &pair[..] {
            [key, value] => Ok((key.clone(), value.clone())),
            _ => Err(OperationError::NoPair { index, length: Some(pair.len()) }),
        },
        _ => Err(OperationError::NoPair { index, length: None }),
    }
}

fn merge_uri(left: &Uri, right: &Value) -> Result<Value, OperationError> {
    let merged = match right {
        Value::Uri(right) => left.merge(right),
        Value::String(text) => Uri::parse(text).and_then(|right| left.merge(&right)),
        _ => return refuse("An URI can only be merged with an URI or String"),
    };
    merged.map(|uri| Value::Uri(Arc::new(uri))).map_err(OperationError::Uri)
}
