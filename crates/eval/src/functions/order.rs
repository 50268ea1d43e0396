//! The order used by `sort`, `max` and `min`: that of the reference's platform, or of a lambda.

use std::cmp::Ordering;

use marotte_pcore::format::inspected;
use marotte_pcore::relation;
use marotte_pcore::value::Value;

use super::Call;
use crate::interpreter::{Evaluated, with_stack};

impl Call<'_, '_, '_> {
    /// Compares two values: by the lambda if there is one, otherwise by their natural order.
    pub(super) fn order(&mut self, left: &Value, right: &Value) -> Evaluated<Ordering> {
        if self.block.is_none() {
            return natural(left, right).map_or_else(|| self.incomparable(left, right), Ok);
        }
        let zero = Value::from(0);
        let rank = self.call_block(&[left.clone(), right.clone()])?;
        match self.decided(rank)? {
            Value::Undef => self.incomparable(left, right),
            Value::Integer(it) => Ok(it.cmp(&0.into())),
            Value::Float(it) => Ok(it.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
            it @ Value::String(_) => self.incomparable(&it, &zero),
            other => {
                let message =
                    format!("the lambda must give a number that says what comes first, got {}", kind(&other));
                self.fail(message)
            }
        }
    }

    /// The error that two values can't be compared.
    fn incomparable<T>(&self, left: &Value, right: &Value) -> Evaluated<T> {
        let right = match right {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Default => {
                inspected(right).unwrap_or_default()
            }
            other => kind(other),
        };
        self.fail(format!("comparison of {} with {right} failed", kind(left)))
    }
}

/// The natural order of two values; None if they can't be compared.
pub(super) fn natural(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        // Not by the language's own comparison, which ignores case.
        (Value::String(left), Value::String(right)) => Some(left.as_bytes().cmp(right.as_bytes())),
        (Value::Array(left), Value::Array(right)) => {
            for (left, right) in left.iter().zip(right.iter()) {
                match with_stack(|| natural(left, right))? {
                    Ordering::Equal => {}
                    unequal => return Some(unequal),
                }
            }
            Some(left.len().cmp(&right.len()))
        }
        (Value::Default, _) | (_, Value::Default) => (left == right).then_some(Ordering::Equal),
        _ => relation::compare(left, right).ok().or((left == right).then_some(Ordering::Equal)),
    }
}

/// The name of a value's kind in messages.
fn kind(value: &Value) -> String {
    match value {
        Value::Undef => "Undef".to_owned(),
        Value::Boolean(_) => "Boolean".to_owned(),
        Value::Default => "Default".to_owned(),
        value => marotte_pcore::ops::label(value),
    }
}
