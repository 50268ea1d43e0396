//! `in` (B42, X105).

use super::{Matched, OperationError, option_matches};
use crate::binary::Binary;
use crate::dialect::{Dialect, StringsInCollections};
use crate::regexp::Regexp;
use crate::relation::{equal, instance_of, matches};
use crate::value::Value;

/// Whether a value is in another. False if the other isn't a container.
pub(super) fn contains(
    dialect: &Dialect,
    container: &Value,
    value: &Value,
) -> Result<Matched, OperationError> {
    let found = match (container, value) {
        (Value::String(text), Value::Regexp(regexp)) => return Matched::by(regexp, text),
        (Value::String(text), Value::String(part)) => text.to_lowercase().contains(&*part.to_lowercase()),
        (Value::Array(elements), Value::Regexp(regexp)) => return first_match(elements.iter(), regexp),
        (Value::Array(elements), _) => return in_elements(dialect, elements.iter(), value),
        (Value::Hash(hash), Value::Regexp(regexp)) => return first_match(hash.keys(), regexp),
        (Value::Hash(hash), _) => return in_elements(dialect, hash.keys(), value),
        (Value::SemVerRange(_), _) => matches(dialect, value, container),
        (Value::Binary(bytes), _) => in_bytes(dialect, bytes, value),
        _ => false,
    };
    Ok(found.into())
}

/// The first string that matches sets the variables.
fn first_match<'v>(
    elements: impl IntoIterator<Item = &'v Value>,
    regexp: &Regexp,
) -> Result<Matched, OperationError> {
    for element in elements {
        let Value::String(text) = element else { continue };
        let matched = Matched::by(regexp, text)?;
        if matched.matches {
            return Ok(matched);
        }
    }
    Ok(false.into())
}

/// Strings and versions are matched against the elements as against the options of a `case`; a type is in an array that
/// contains an instance of it.
fn in_elements<'v>(
    dialect: &Dialect,
    mut elements: impl Iterator<Item = &'v Value>,
    value: &Value,
) -> Result<Matched, OperationError> {
    let found = match value {
        Value::String(_) | Value::SemVer(_)
            if dialect.operators.strings_in_collections == StringsInCollections::Match =>
        {
            let mut last = Matched::from(false);
            for element in elements {
                let matched = option_matches(dialect, value, element)?;
                // If an element is an array, it can match partly before it fails.
                last = Matched { matches: matched.matches, variables: matched.variables.or(last.variables) };
                if last.matches {
                    break;
                }
            }
            return Ok(last);
        }
        Value::Type(it) => elements.any(|element| instance_of(dialect, it, element)),
        _ => elements.any(|element| equal(dialect, element, value)),
    };
    Ok(found.into())
}

fn in_bytes(dialect: &Dialect, bytes: &Binary, value: &Value) -> bool {
    match value {
        Value::Binary(part) => bytes.contains(part),
        Value::String(part) => bytes.contains(&Binary::from(part.as_bytes())),
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) => {
            bytes.bytes().iter().any(|byte| equal(dialect, &i64::from(*byte).into(), value))
        }
        _ => false,
    }
}
