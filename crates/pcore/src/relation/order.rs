//! The language's `<`, `<=`, `>` and `>=`.

use std::cmp::Ordering;
use std::fmt;

use super::assignable::assignable;
use super::equal::{compare_integer_float, equal_types};
use crate::dialect::Dialect;
use crate::time::Number;
use crate::types::Type;
use crate::value::Value;

/// The reason why two values can't be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomparable {
    /// A string, and another value.
    String,
    /// A number, and a value that is neither a number nor a time.
    Numeric,
    /// A timespan, and a value that is neither a timespan nor a number.
    Timespan,
    /// A timestamp, and a value that is neither a timestamp nor a number.
    Timestamp,
    /// A version, and a value that isn't a version.
    SemVer,
    /// `default`, and another value.
    Default,
    /// Values of this kind can't be ordered.
    Kind,
    /// One of the values is NaN.
    NotANumber,
}

impl fmt::Display for Incomparable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Incomparable::String => "A String is not comparable to a non String",
            Incomparable::Numeric => "A Numeric is not comparable to non Numeric",
            Incomparable::Timespan => "Timespans are only comparable to Timespans, Integers, and Floats",
            Incomparable::Timestamp => "Timestamps are only comparable to Timestamps, Integers, and Floats",
            Incomparable::SemVer => "Versions not comparable to non Versions",
            Incomparable::Default => "Default not comparable to non Default",
            Incomparable::Kind => "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable",
            Incomparable::NotANumber => "A Float that is not a number is not comparable",
        })
    }
}

impl std::error::Error for Incomparable {}

/// Compares two values (B39). Types have an order of their own: [`is_subtype`].
///
/// # Errors
/// If values of their kinds can't be ordered.
pub fn compare(left: &Value, right: &Value) -> Result<Ordering, Incomparable> {
    let ordering = match (left, right) {
        (Value::String(left), Value::String(right)) => {
            Some(left.to_ascii_lowercase().cmp(&right.to_ascii_lowercase()))
        }
        (Value::String(_), _) => return Err(Incomparable::String),
        (Value::Integer(left), Value::Integer(right)) => Some(left.cmp(right)),
        (Value::Float(left), Value::Float(right)) => left.partial_cmp(right),
        (Value::Integer(left), Value::Float(right)) => compare_integer_float(left, *right),
        (Value::Float(left), Value::Integer(right)) => {
            compare_integer_float(right, *left).map(Ordering::reverse)
        }
        (Value::Timespan(left), Value::Timespan(right)) => Some(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Some(left.cmp(right)),
        (Value::Timespan(_) | Value::Timestamp(_), Value::Integer(_) | Value::Float(_)) => {
            compare_time(left, right)
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            compare_time(right, left).map(Ordering::reverse)
        }
        (Value::SemVer(left), Value::SemVer(right)) => Some(left.precedence(right)),
        (Value::Default, Value::Default) => Some(Ordering::Equal),
        (Value::Integer(_) | Value::Float(_), _) => return Err(Incomparable::Numeric),
        (Value::Timespan(_), _) => return Err(Incomparable::Timespan),
        (Value::Timestamp(_), _) => return Err(Incomparable::Timestamp),
        (Value::SemVer(_), _) => return Err(Incomparable::SemVer),
        (Value::Default, _) => return Err(Incomparable::Default),
        _ => return Err(Incomparable::Kind),
    };
    ordering.ok_or(Incomparable::NotANumber)
}

/// Returns a number of seconds, if a time can be compared with it.
fn seconds(value: &Value) -> Option<Number> {
    match value {
        Value::Integer(seconds) => seconds.to_i64().map(Number::from),
        Value::Float(seconds) => Some(Number::from(*seconds)),
        _ => None,
    }
}

/// Compares a time with a number of seconds. `None` if the operands have other types.
pub(super) fn compare_time(time: &Value, number: &Value) -> Option<Ordering> {
    match time {
        Value::Timespan(time) => time.compare_seconds(seconds(number)?),
        Value::Timestamp(time) => time.compare_seconds(seconds(number)?),
        _ => None,
    }
}

/// Whether `sub` is a subtype of `super_type`: it is accepted by it, and isn't equal to it. That is `sub < super_type`;
/// `<=` is [`assignable`] alone (D90).
pub fn is_subtype(dialect: &Dialect, sub: &Type, super_type: &Type) -> bool {
    assignable(dialect, super_type, sub) && !equal_types(dialect, sub, super_type)
}
