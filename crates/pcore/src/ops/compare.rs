//! `==`, `!=`, `<`, `<=`, `>` and `>=` (B38, B39, D90, X77, X80).

use super::numeric::number_of;
use super::{BinaryOperator, OperationError};
use crate::dialect::{Dialect, StringsInComparisons};
use crate::relation::{assignable, compare, equal, is_subtype};
use crate::value::Value;

/// Whether a comparison holds. If the left operand is a type, types are compared: other values are never subtypes of
/// it, nor the other way round.
pub(super) fn holds(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Result<bool, OperationError> {
    use BinaryOperator as Op;
    match operator {
        Op::Equal => return Ok(equal(dialect, left, right)),
        Op::NotEqual => return Ok(!equal(dialect, left, right)),
        _ => {}
    }
    if let Value::Type(left) = left {
        let Value::Type(right) = right else { return Ok(false) };
        return Ok(match operator {
            Op::Less => is_subtype(dialect, left, right),
            Op::LessEqual => assignable(dialect, right, left),
            Op::Greater => is_subtype(dialect, right, left),
            _ => assignable(dialect, left, right),
        });
    }
    let order = compare(&as_number(dialect, left, right), &as_number(dialect, right, left))
        .map_err(|cause| OperationError::not_comparable(operator, left, right, cause))?;
    Ok(match operator {
        Op::Less => order.is_lt(),
        Op::LessEqual => order.is_le(),
        Op::Greater => order.is_gt(),
        _ => order.is_ge(),
    })
}

/// Converts a value for the comparison with another: a string may become the number that it looks like.
fn as_number(dialect: &Dialect, value: &Value, other: &Value) -> Value {
    let converts = dialect.operators.strings_in_comparisons == StringsInComparisons::AreNumbers;
    match (value, other) {
        (Value::String(_), Value::Integer(_) | Value::Float(_)) if converts => {
            number_of(value).unwrap_or_else(|| value.clone())
        }
        _ => value.clone(),
    }
}
