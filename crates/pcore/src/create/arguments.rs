//! Arguments: their kinds, and sizes built from them.

use super::CreateError;
use crate::dialect::{Dialect, RangeDirection};
use crate::infer::{generalize, infer};
use crate::print::short;
use crate::types::{IntegerRange, Size, Type, TypeKind};
use crate::value::{Integer, Value};

/// Flattens the arguments: arrays are replaced by their elements.
pub(super) fn flatten(arguments: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(arguments.len());
    for it in arguments {
        match it {
            Value::Array(elements) => flat.extend(flatten(elements)),
            _ => flat.push(it.clone()),
        }
    }
    flat
}

/// The class name of a value in messages; for a type, its kind.
pub(super) fn class_name(value: &Value) -> String {
    match value {
        Value::Type(it) => format!("{}-Type", it.kind_name()),
        _ => value.kind_name().to_owned(),
    }
}

/// The name of a value's type in messages.
pub(super) fn type_name(dialect: &Dialect, value: &Value) -> String {
    short(&generalize(&infer(dialect, value)))
}

/// Returns the argument, which must be a type.
pub(super) fn type_argument(label: &'static str, value: &Value) -> Result<Type, CreateError> {
    match value {
        Value::Type(it) => Ok(it.clone()),
        _ => Err(CreateError::NotAType { label, actual: value.kind_name().to_owned() }),
    }
}

/// Whether a value can be a bound of a size, including the word `default`.
pub(super) fn is_bound(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Integer(_) | Value::Default) => true,
        Some(Value::String(text)) => text == "default",
        _ => false,
    }
}

/// Creates a size from one `Integer` type, or from one or two bounds; a single bound is the minimum (X21).
pub(super) fn size(dialect: &Dialect, arguments: &[Value]) -> Result<Size, CreateError> {
    if let [Value::Type(it)] = arguments
        && let TypeKind::Integer(range) = it.kind()
    {
        return Ok(size_of(range));
    }
    let bounds = arguments.iter().map(|it| match it {
        Value::Integer(number) => Ok(Some(number.clone())),
        Value::Default => Ok(None),
        _ => Err(CreateError::SizeBound { actual: class_name(it) }),
    });
    let mut bounds = bounds.collect::<Result<Vec<_>, _>>()?.into_iter();
    let range = range(dialect, bounds.next().flatten(), bounds.next().flatten())?;
    Ok(size_of(&range))
}

/// Creates a size from validated bounds, including the word `default`.
pub(super) fn size_of_bounds(dialect: &Dialect, bounds: &[Value]) -> Result<Size, CreateError> {
    let mut bounds = bounds.iter().map(|it| match it {
        Value::Integer(number) => Some(number.clone()),
        _ => None,
    });
    Ok(size_of(&range(dialect, bounds.next().flatten(), bounds.next().flatten())?))
}

/// Creates a range; in dialects without descending ranges, its bounds must ascend.
pub(super) fn range(
    dialect: &Dialect,
    from: Option<Integer>,
    to: Option<Integer>,
) -> Result<IntegerRange, CreateError> {
    match (&from, &to) {
        (Some(least), Some(greatest)) if least > greatest => match dialect.range_direction {
            RangeDirection::Ascending => {
                Err(CreateError::Descending { from: least.to_string(), to: greatest.to_string() })
            }
            RangeDirection::Either => Ok(IntegerRange { from: to, to: from, descends: true }),
        },
        _ => Ok(IntegerRange::ascending(from, to)),
    }
}

/// Converts a range of integers to a size: negative bounds become zero.
fn size_of(range: &IntegerRange) -> Size {
    let count = |it: &Integer| it.to_i64().map_or(u64::MAX, |it| u64::try_from(it).unwrap_or(0));
    Size { min: range.from.as_ref().map_or(0, count), max: range.to.as_ref().map(count) }
}
