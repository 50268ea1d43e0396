//! The order that `sort`, `max` and `min` go by: that of the reference's platform, or of a lambda.

use std::cmp::Ordering;

use marotte_pcore::format::inspected;
use marotte_pcore::relation;
use marotte_pcore::value::Value;

use super::Call;
use crate::interpreter::{Evaluated, with_stack};

impl Call<'_, '_, '_> {
    /// Which of two values comes first: by the lambda if there is one, else by what they are.
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

    /// An error that two values have no order.
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

/// The order of two values; none if they have none.
pub(super) fn natural(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        // Not by the language's own order, which ignores case.
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

/// What messages call a kind of value.
fn kind(value: &Value) -> String {
    match value {
        Value::Undef => "Undef".to_owned(),
        Value::Boolean(_) => "Boolean".to_owned(),
        Value::Default => "Default".to_owned(),
        value => marotte_pcore::ops::label(value),
    }
}
