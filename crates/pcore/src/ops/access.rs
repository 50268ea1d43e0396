//! `value[key, …]` (B26–B30, H26).

use std::fmt;

use super::label::{article, key_type};
use super::member::{MemberError, call_member, has_member};
use super::numeric::{coerce, number_of};
use super::{Coercion, OperationError, Outcome, Strictness};
use crate::create::{CreateError, parameterize};
use crate::dialect::Dialect;
use crate::types::{ResourceType, Type, TypeKind};
use crate::value::{Integer, Value};

/// The reason why an access fails. The messages are those of the reference (H26).
#[derive(Clone, Debug, PartialEq)]
pub enum AccessError {
    /// The value has no parts, or a key of an array isn't a number.
    Operation(OperationError),
    /// The type doesn't take these parameters.
    Type(CreateError),
    /// The function `[]` of an object fails.
    Member(MemberError),
    /// A string or binary takes one or two keys.
    StringArity {
        /// The actual number of keys.
        actual: usize,
    },
    /// A key of a string or binary isn't an integer.
    StringKey {
        /// The type of the key.
        actual: String,
    },
    /// An array takes one or two keys.
    ArrayArity {
        /// The actual number of keys.
        actual: usize,
    },
    /// A key of an array isn't an integer.
    ArrayKey {
        /// The type of the key.
        actual: String,
    },
    /// A hash takes at least one key.
    HashArity,
}

impl AccessError {
    /// The issue code of the reference, in kebab case.
    pub fn issue(&self) -> &'static str {
        match self {
            AccessError::Operation(error) => error.issue(),
            AccessError::Type(error) => error.issue(),
            AccessError::Member(_) => "runtime-error",
            AccessError::StringArity { .. } => "bad-string-slice-arity",
            AccessError::StringKey { .. } => "bad-string-slice-key-type",
            AccessError::ArrayArity { .. } => "bad-array-slice-arity",
            AccessError::ArrayKey { .. } => "bad-slice-key-type",
            AccessError::HashArity => "bad-hash-slice-arity",
        }
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Operation(error) => write!(out, "{error}"),
            AccessError::Type(error) => write!(out, "{error}"),
            AccessError::Member(error) => write!(out, "{error}"),
            AccessError::StringArity { actual } => {
                write!(out, "String supports [] with one or two arguments. Got {actual}")
            }
            AccessError::StringKey { actual } => write!(
                out,
                "A substring operation does not accept {} {actual} as a character index. Expected an Integer",
                article(actual)
            ),
            AccessError::ArrayArity { actual } => {
                write!(out, "Array supports [] with one or two arguments. Got {actual}")
            }
            AccessError::ArrayKey { actual } => {
                write!(out, "An Array[] cannot use {actual} where Integer is expected")
            }
            AccessError::HashArity => out.write_str("Hash supports [] with one or more arguments. Got 0"),
        }
    }
}

impl std::error::Error for AccessError {}

impl From<OperationError> for AccessError {
    fn from(error: OperationError) -> AccessError {
        AccessError::Operation(error)
    }
}

/// Evaluates `target[keys]` (B26 to B30).
///
/// Higher layers handle accesses that need a catalog: the parameters of `File['x']`.
///
/// # Errors
/// If the target has no parts, or if it doesn't accept the keys.
pub fn access(
    dialect: &Dialect,
    strict: Strictness,
    target: &Value,
    keys: &[Value],
) -> Result<Outcome, AccessError> {
    let value = match target {
        Value::String(text) => string(dialect, text, &flatten(keys))?,
        Value::Binary(bytes) => match span(dialect, bytes.len(), &flatten(keys))? {
            Some((from, count)) => {
                let end = from.saturating_add(count).min(bytes.len());
                Value::Binary(bytes.bytes().get(from..end).unwrap_or_default().into())
            }
            None => Value::Binary([][..].into()),
        },
        Value::Array(elements) => return array(dialect, strict, elements, &flatten(keys)),
        Value::Hash(hash) => match keys {
            [] => return Err(AccessError::HashArity),
            [key] => hash.get(key).cloned().unwrap_or(Value::Undef),
            _ => {
                let values = keys.iter().filter_map(|key| hash.get(key));
                Value::Array(values.filter(|it| **it != Value::Undef).cloned().collect())
            }
        },
        Value::Type(it) => match (it.kind(), keys) {
            // `Resource[File]` is `File`.
            (TypeKind::Resource(ResourceType { type_name: None, .. }), [Value::Type(key)])
                if matches!(key.kind(), TypeKind::Resource(_)) =>
            {
                Value::Type(Type::clone(key))
            }
            _ => parameterize(dialect, it, keys).map_err(AccessError::Type)?,
        },
        Value::Object(_) if has_member(target, "[]") => {
            call_member(dialect, target, "[]", keys, None).map_err(AccessError::Member)?
        }
        _ => return Err(OperationError::not_applicable("[]", target).into()),
    };
    Ok(value.into())
}

/// Flattens the keys: arrays are replaced by their elements.
fn flatten(keys: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(keys.len());
    let mut open: Vec<std::slice::Iter<'_, Value>> = vec![keys.iter()];
    while let Some(level) = open.last_mut() {
        match level.next() {
            Some(Value::Array(elements)) => open.push(elements.iter()),
            Some(key) => flat.push(key.clone()),
            None => {
                open.pop();
            }
        }
    }
    flat
}

/// Returns characters of a string: never `undef` (B28).
fn string(dialect: &Dialect, text: &str, keys: &[Value]) -> Result<Value, AccessError> {
    let length = if text.is_ascii() { text.len() } else { text.chars().count() };
    let Some((from, count)) = span(dialect, length, keys)? else { return Ok("".into()) };
    if text.is_ascii() {
        let end = from.saturating_add(count).min(length);
        return Ok(text.get(from..end).unwrap_or_default().into());
    }
    let part: String = text.chars().skip(from).take(count).collect();
    Ok(Value::from(&*part))
}

/// Returns the start and length of a part of a string or binary. Strings that look like numbers are silently converted.
fn span(dialect: &Dialect, length: usize, keys: &[Value]) -> Result<Option<(usize, usize)>, AccessError> {
    let index = |key: &Value| {
        let number = number_of(key);
        match number {
            Some(Value::Integer(index)) => Ok(index),
            other => {
                let actual = key_type(dialect, other.as_ref().unwrap_or(key));
                Err(AccessError::StringKey { actual })
            }
        }
    };
    match keys {
        [key] => Ok(position(&index(key)?, length).map(|from| (from, 1))),
        [from, count] => Ok(slice(&index(from)?, &index(count)?, length)),
        _ => Err(AccessError::StringArity { actual: keys.len() }),
    }
}

fn array(
    dialect: &Dialect,
    strict: Strictness,
    elements: &[Value],
    keys: &[Value],
) -> Result<Outcome, AccessError> {
    let mut coercions: Vec<Coercion> = Vec::new();
    let mut numbers = Vec::new();
    if keys.is_empty() || keys.len() > 2 {
        return Err(AccessError::ArrayArity { actual: keys.len() });
    }
    for key in keys {
        numbers.push(coerce(dialect, strict, key, &mut coercions)?);
    }
    let index = |key: &Value| match key {
        Value::Integer(index) => Ok(index.clone()),
        other => Err(AccessError::ArrayKey { actual: key_type(dialect, other) }),
    };
    let value = match &numbers[..] {
        [from, count] => {
            let part = slice(&index(from)?, &index(count)?, elements.len())
                .and_then(|(from, count)| elements.get(from..from.saturating_add(count).min(elements.len())));
            Value::Array(part.unwrap_or_default().into())
        }
        numbers => {
            let key = numbers.first().map_or(Err(AccessError::ArrayArity { actual: 0 }), index)?;
            let element = position(&key, elements.len()).and_then(|at| elements.get(at));
            element.cloned().unwrap_or(Value::Undef)
        }
    };
    Ok(Outcome { value, coercions, variables: None })
}

/// Resolves an index; a negative one counts from the end. `None` if it is before the start.
fn position(index: &Integer, length: usize) -> Option<usize> {
    let index = index.to_i64()?;
    if index < 0 {
        length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?)
    } else {
        usize::try_from(index).ok()
    }
}

/// Returns the start and length of a slice. A negative length is the position of the last element, counted from the
/// end; the part before the start is cut off (B27). `None` if the slice is outside of the value.
fn slice(from: &Integer, count: &Integer, length: usize) -> Option<(usize, usize)> {
    let length = i128::try_from(length).ok()?;
    let (from, count) = (i128::from(from.to_i64()?), i128::from(count.to_i64()?));
    let from = if from < 0 { length + from } else { from };
    let count = if count < 0 { length - from + count + 1 } else { count };
    let (from, count) = if from < 0 { (0, count + from) } else { (from, count) };
    if count < 0 || from > length {
        return None;
    }
    Some((usize::try_from(from).ok()?, usize::try_from(count).ok()?))
}
