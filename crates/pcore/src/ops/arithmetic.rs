//! Arithmetic with numbers (B31, B34–B37, D86).

use num_bigint::{BigInt, Sign};

use super::numeric::{Coercion, Number, coerce};
use super::{BinaryOperator, OperationError, Outcome, Strictness, time};
use crate::dialect::{Dialect, IntegerWidth, RightShift};
use crate::value::{Integer, Value};

/// The maximum number of bits of a result in dialects with unlimited integers.
const MAX_BITS: u64 = 1 << 20;

/// Evaluates an operator on numbers, times, and strings that are converted to numbers.
pub(super) fn operate(
    dialect: &Dialect,
    strict: Strictness,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Result<Outcome, OperationError> {
    let mut coercions = Vec::new();
    let left = coerce(dialect, strict, left, &mut coercions)?;
    let right = coerce(dialect, strict, right, &mut coercions)?;
    if operator == BinaryOperator::Modulo {
        // Remainders of floats are unintuitive, so they are rejected.
        match (&left, &right) {
            (Value::Float(_), _) => return Err(OperationError::not_applicable("%", &left)),
            (_, Value::Float(_)) => {
                return Err(OperationError::not_applicable_when(operator, &left, &right));
            }
            _ => {}
        }
    }
    let value = match (Number::of(&left), Number::of(&right)) {
        (Some(a), Some(b)) => numbers(dialect, operator, &a, &b)?,
        _ => time::operate(dialect, operator, &left, &right)?,
    };
    Ok(Outcome { value, coercions, variables: None })
}

/// The unary minus (D86).
///
/// # Errors
/// If the value is neither a number nor a timespan, or if the result overflows.
pub fn negate(dialect: &Dialect, strict: Strictness, value: &Value) -> Result<Outcome, OperationError> {
    let mut coercions: Vec<Coercion> = Vec::new();
    let value = match coerce(dialect, strict, value, &mut coercions)? {
        Value::Integer(integer) => Value::Integer(fitting(dialect, "-", -integer.to_big())?),
        Value::Float(float) => Value::Float(-float),
        Value::Timespan(timespan) => Value::Timespan(timespan.negated()?),
        other => return Err(OperationError::not_applicable("-", &other)),
    };
    Ok(Outcome { value, coercions, variables: None })
}

fn numbers(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Number,
    right: &Number,
) -> Result<Value, OperationError> {
    match (operator, left, right) {
        (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, Number::Float(float), _) => {
            Err(OperationError::not_applicable(operator.text(), &Value::Float(*float)))
        }
        (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, Number::Integer(value), count) => {
            // A float is truncated to its integer part.
            let count = match count {
                Number::Integer(count) => count.to_big(),
                Number::Float(float) => Integer::from_f64_truncated(*float)
                    .ok_or(OperationError::Infinite { operator: operator.text() })?
                    .to_big(),
            };
            let count = if operator == BinaryOperator::ShiftRight { -count } else { count };
            shift(dialect, operator, value, &count).map(Value::Integer)
        }
        (_, Number::Integer(left), Number::Integer(right)) => {
            integers(dialect, operator, left, right).map(Value::Integer)
        }
        _ => floats(dialect, operator, left.to_f64(), right.to_f64()).map(Value::Float),
    }
}

fn floats(dialect: &Dialect, operator: BinaryOperator, left: f64, right: f64) -> Result<f64, OperationError> {
    finite(
        dialect,
        operator,
        match operator {
            BinaryOperator::Add => left + right,
            BinaryOperator::Subtract => left - right,
            BinaryOperator::Multiply => left * right,
            _ => left / right,
        },
    )
}

/// Rejects infinity and, in some dialects, NaN (B36, X157).
pub(super) fn finite(dialect: &Dialect, operator: BinaryOperator, value: f64) -> Result<f64, OperationError> {
    if value.is_infinite() || value.is_nan() && dialect.operators.refuses_not_a_number {
        return Err(OperationError::Infinite { operator: operator.text() });
    }
    Ok(value)
}

fn integers(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Integer,
    right: &Integer,
) -> Result<Integer, OperationError> {
    let (left, right) = (left.to_big(), right.to_big());
    if operator == BinaryOperator::Multiply && left.bits().saturating_add(right.bits()) > MAX_BITS {
        return Err(OperationError::TooLarge { operator: operator.text() });
    }
    let result = match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        _ if right.sign() == Sign::NoSign => return Err(OperationError::DivisionByZero),
        _ => {
            let (quotient, rest) = divide_down(&left, &right);
            if operator == BinaryOperator::Divide { quotient } else { rest }
        }
    };
    fitting(dialect, operator.text(), result)
}

/// Divides with the quotient rounded down, so that the remainder has the divisor's sign (B35).
fn divide_down(dividend: &BigInt, divisor: &BigInt) -> (BigInt, BigInt) {
    let (quotient, rest) = (dividend / divisor, dividend % divisor);
    if rest.sign() == Sign::NoSign || rest.sign() == divisor.sign() {
        (quotient, rest)
    } else {
        (quotient - 1_i64, rest + divisor)
    }
}

/// Shifts bits to the left or, for a negative count, to the right; a right shift keeps the sign (B34, X111).
fn shift(
    dialect: &Dialect,
    operator: BinaryOperator,
    value: &Integer,
    count: &BigInt,
) -> Result<Integer, OperationError> {
    let value = value.to_big();
    let negative = value.sign() == Sign::Minus;
    let limit = match dialect.integer_width {
        // Enough for a message to show the overflowing value.
        IntegerWidth::Bits64 => 1024,
        IntegerWidth::Unlimited => MAX_BITS.saturating_sub(value.bits()),
    };
    let result = match (u64::try_from(count), u64::try_from(&-count)) {
        _ if value.sign() == Sign::NoSign => value,
        (Ok(left), _) if left <= limit => value << left,
        (_, Ok(right)) => {
            let bits = value_bits(&value);
            value >> right.min(bits)
        }
        _ if count.sign() == Sign::Minus => BigInt::from(if negative { -1_i64 } else { 0 }),
        _ => {
            return Err(match dialect.integer_width {
                IntegerWidth::Bits64 => {
                    OperationError::Overflow { operator: operator.text(), negative, value: None }
                }
                IntegerWidth::Unlimited => OperationError::TooLarge { operator: operator.text() },
            });
        }
    };
    let to_right = count.sign() == Sign::Minus;
    if to_right && negative && dialect.operators.right_shift == RightShift::Zero {
        return Ok(result.max(BigInt::ZERO).into());
    }
    fitting(dialect, operator.text(), result)
}

/// Returns the number of positions after which a right shift leaves no bits of a value.
fn value_bits(value: &BigInt) -> u64 {
    value.bits().saturating_add(1)
}

/// Returns the result if the dialect has integers of its size (B37, X13, X92).
fn fitting(dialect: &Dialect, operator: &'static str, result: BigInt) -> Result<Integer, OperationError> {
    match dialect.integer_width {
        IntegerWidth::Bits64 => {
            Integer::checked(result).map_err(|error| OperationError::overflow(operator, error.0))
        }
        IntegerWidth::Unlimited if result.bits() > MAX_BITS => Err(OperationError::TooLarge { operator }),
        IntegerWidth::Unlimited => Ok(result.into()),
    }
}
