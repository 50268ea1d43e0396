//! Arithmetic with timespans and timestamps (D91, X112, X119).

use super::arithmetic::finite;
use super::label::article;
use super::numeric::Number;
use super::{BinaryOperator, OperationError};
use crate::dialect::{Dialect, NumberModuloTimespan, TimespanByNumber};
use crate::time::{Number as Seconds, TimeError, Timespan, Timestamp};
use crate::value::Value;

/// Evaluates an operator with at least one operand that is a time or a version. If only the right operand is a time,
/// the operands are swapped, if the operator is commutative.
pub(super) fn operate(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Result<Value, OperationError> {
    use BinaryOperator as Op;
    let when = || OperationError::not_applicable_when(operator, left, right);
    match (left, right) {
        (Value::Timespan(left_span), _) => timespan(dialect, operator, *left_span, left, right),
        (Value::Timestamp(left_stamp), _) => timestamp(operator, *left_stamp, left, right),
        (_, Value::Timespan(_)) if matches!(operator, Op::Add | Op::Multiply) => {
            operate(dialect, operator, right, left)
        }
        (_, Value::Timestamp(_)) if operator == Op::Add => operate(dialect, operator, right, left),
        (_, Value::Timespan(span)) if operator == Op::Subtract => match Number::of(left) {
            Some(number) => Ok(Value::Timespan(Timespan::from_seconds(seconds(&number)?)?.minus(*span)?)),
            None => Err(OperationError::not_applicable("-", left)),
        },
        (_, Value::Timespan(span))
            if operator == Op::Modulo
                && dialect.operators.number_modulo_timespan == NumberModuloTimespan::Float =>
        {
            match Number::of(left) {
                Some(number) => float(dialect, operator, number.to_f64(), span.seconds(), f64::rem_euclid),
                None => Err(when()),
            }
        }
        (_, Value::Timespan(_) | Value::Timestamp(_)) => Err(when()),
        // A number on the left of a version.
        (Value::Integer(_) | Value::Float(_), _) if !matches!(operator, Op::ShiftLeft | Op::ShiftRight) => {
            Err(when())
        }
        _ => Err(OperationError::not_applicable(operator.text(), left)),
    }
}

/// Divides a number of seconds by another.
fn float(
    dialect: &Dialect,
    operator: BinaryOperator,
    left: f64,
    right: f64,
    divide: fn(f64, f64) -> f64,
) -> Result<Value, OperationError> {
    if right == 0.0 {
        return Err(OperationError::DivisionByZero);
    }
    Ok(Value::Float(finite(dialect, operator, divide(left, right))?))
}

fn seconds(number: &Number) -> Result<Seconds, OperationError> {
    number.seconds().ok_or(OperationError::Time(TimeError::Overflow))
}

fn timespan(
    dialect: &Dialect,
    operator: BinaryOperator,
    span: Timespan,
    left: &Value,
    right: &Value,
) -> Result<Value, OperationError> {
    use BinaryOperator as Op;
    let number = Number::of(right);
    Ok(match (operator, right, number) {
        (Op::Add, Value::Timestamp(stamp), _) => Value::Timestamp(stamp.plus(span)?),
        (Op::Add, Value::Timespan(other), _) => Value::Timespan(span.plus(*other)?),
        (Op::Add, _, Some(number)) => Value::Timespan(span.plus_seconds(seconds(&number)?)?),
        (Op::Add, ..) => return refuse("{} cannot be added to a Timespan", right),
        (Op::Subtract, Value::Timespan(other), _) => Value::Timespan(span.minus(*other)?),
        (Op::Subtract, _, Some(number)) => Value::Timespan(span.minus_seconds(seconds(&number)?)?),
        (Op::Subtract, ..) => return refuse("{} cannot be subtracted from a Timespan", right),
        (Op::Multiply, _, Some(number)) => Value::Timespan(span.times(seconds(&number)?)?),
        // The reference's message says Timestamp here, too.
        (Op::Multiply, ..) => return refuse("A Timestamp cannot be multiplied by {}", right),
        (Op::Divide, Value::Timespan(other), _) => {
            Value::Float(finite(dialect, operator, span.ratio(*other))?)
        }
        (Op::Divide, _, Some(number)) if dialect.operators.timespan_by_number == TimespanByNumber::Float => {
            float(dialect, operator, span.seconds(), number.to_f64(), |span, number| span / number)?
        }
        (Op::Divide, _, Some(number)) => Value::Timespan(span.divided_by(seconds(&number)?)?),
        (Op::Divide, ..) => return refuse("A Timespan cannot be divided by {}", right),
        (Op::Modulo, _, Some(Number::Integer(divisor))) => {
            let divisor = divisor.to_i64().ok_or(OperationError::Time(TimeError::Overflow))?;
            span.modulo(divisor)?.into()
        }
        (Op::Modulo, ..) => return refuse("Can not do modulus on a Timespan using a {}", right),
        _ => return Err(OperationError::not_applicable(operator.text(), left)),
    })
}

fn timestamp(
    operator: BinaryOperator,
    stamp: Timestamp,
    left: &Value,
    right: &Value,
) -> Result<Value, OperationError> {
    use BinaryOperator as Op;
    let number = Number::of(right);
    Ok(match (operator, right, number) {
        (Op::Add, Value::Timespan(span), _) => Value::Timestamp(stamp.plus(*span)?),
        (Op::Add, _, Some(number)) => Value::Timestamp(stamp.plus_seconds(seconds(&number)?)?),
        (Op::Add, ..) => return refuse("{} cannot be added to a Timestamp", right),
        (Op::Subtract, Value::Timestamp(other), _) => Value::Timespan(stamp.since(*other)?),
        (Op::Subtract, Value::Timespan(span), _) => Value::Timestamp(stamp.minus(*span)?),
        (Op::Subtract, _, Some(number)) => Value::Timestamp(stamp.minus_seconds(seconds(&number)?)?),
        (Op::Subtract, ..) => return refuse("{} cannot be subtracted from a Timestamp", right),
        _ => return Err(OperationError::not_applicable(operator.text(), left)),
    })
}

/// The error for two times, or a time and a version, that can't be combined.
fn refuse(what: &'static str, right: &Value) -> Result<Value, OperationError> {
    let name = right.kind_name();
    let article = article(name);
    let article = if what.starts_with("{}") { article.replacen('a', "A", 1) } else { article.to_owned() };
    Err(OperationError::Combination(what, format!("{article} {name}")))
}
