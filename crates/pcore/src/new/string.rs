//! `String(value, formats)` (D67).

use super::NewError;
use crate::dialect::Dialect;
use crate::format::string_new;
use crate::value::Value;

/// Formats a value with the given formats.
pub(super) fn string(dialect: &Dialect, value: &Value, formats: Option<&Value>) -> Result<Value, NewError> {
    Ok(Value::String(string_new(dialect, value, formats)?.into()))
}
