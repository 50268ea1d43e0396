//! Equality, as in the language's `==`.

use super::assignable::assignable;
use super::order::compare_time;
use crate::dialect::{Dialect, TypesInCollections};
use crate::types::{Type, TypeKind};
use crate::value::{Integer, Value};

/// Whether two values are equal (B38): strings are compared ignoring ASCII case, numbers by value, arrays by elements,
/// hashes by the values of their keys, which are compared exactly. Types are compared by [`equal_types`]; in
/// collections, the dialect decides (X144). Values of different kinds are never equal.
pub fn equal(dialect: &Dialect, left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Type(left), Value::Type(right)) => equal_types(dialect, left, right),
        _ => equal_elements(left, right, Letters::Folded, Some(dialect)),
    }
}

/// Whether two values are identical for the removal of elements (X113): like [`equal`], but strings are compared exactly.
pub fn same(left: &Value, right: &Value) -> bool {
    equal_elements(left, right, Letters::Exact, None)
}

/// Whether ASCII case is ignored.
#[derive(Clone, Copy)]
enum Letters {
    Folded,
    Exact,
}

/// Whether two types are equal: they have the same structure, or each accepts the other (D4).
pub fn equal_types(dialect: &Dialect, left: &Type, right: &Type) -> bool {
    left.is_same(right)
        || left == right
        || assignable(dialect, right, left) && assignable(dialect, left, right)
}

/// Compares elements. Without a dialect, types are equal if their text forms are.
fn equal_elements(left: &Value, right: &Value, letters: Letters, dialect: Option<&Dialect>) -> bool {
    match (left, right) {
        (Value::String(left), Value::String(right)) => match letters {
            Letters::Folded => left.eq_ignore_ascii_case(right),
            Letters::Exact => left == right,
        },
        (Value::Float(left), Value::Float(right)) => left == right,
        (Value::Integer(integer), Value::Float(float)) | (Value::Float(float), Value::Integer(integer)) => {
            compare_integer_float(integer, *float) == Some(std::cmp::Ordering::Equal)
        }
        (
            time @ (Value::Timespan(_) | Value::Timestamp(_)),
            number @ (Value::Integer(_) | Value::Float(_)),
        )
        | (
            number @ (Value::Integer(_) | Value::Float(_)),
            time @ (Value::Timespan(_) | Value::Timestamp(_)),
        ) => compare_time(time, number) == Some(std::cmp::Ordering::Equal),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right.iter())
                    .all(|(left, right)| equal_elements(left, right, letters, dialect))
        }
        (Value::Hash(left), Value::Hash(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    equal_elements(right.get(key).unwrap_or(&Value::Undef), value, letters, dialect)
                })
        }
        (Value::Uri(left), Value::Uri(right)) => left.same(right),
        (Value::Type(left), Value::Type(right)) => match dialect {
            Some(it) if it.operators.types_in_collections == TypesInCollections::Equal => {
                equal_types(it, left, right)
            }
            _ => have_same_structure(left, right),
        },
        _ => left == right,
    }
}

/// Whether two types have the same text form, ignoring the order of alternatives.
fn have_same_structure(left: &Type, right: &Type) -> bool {
    match (left.kind(), right.kind()) {
        (TypeKind::Variant(left), TypeKind::Variant(right)) => {
            left.len() == right.len() && left.iter().all(|it| right.contains(it))
        }
        _ => left == right,
    }
}

/// Compares an integer and a float by value, exactly: a large integer isn't rounded first.
pub(super) fn compare_integer_float(integer: &Integer, float: f64) -> Option<std::cmp::Ordering> {
    use std::cmp::Ordering;
    if float.is_nan() {
        return None;
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let whole = Integer::from_f64_truncated(float)?;
    Some(integer.cmp(&whole).then_with(|| 0.0.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal)))
}
