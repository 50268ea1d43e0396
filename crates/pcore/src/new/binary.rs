//! `Binary` (D74, X66).

use super::NewError;
use crate::binary::{Binary, BinaryFormat};
use crate::value::Value;

/// Creates bytes from a text and its format, or from an array of bytes; both also in a hash.
pub(super) fn binary(arguments: &[Value]) -> Result<Value, NewError> {
    let (value, format) = match arguments {
        [Value::Hash(named)] => (named.get_str("value"), named.get_str("format")),
        _ => (arguments.first(), arguments.get(1)),
    };
    let binary = match value {
        Some(Value::Array(bytes)) => {
            let byte = |it: &Value| match it {
                Value::Integer(number) => number.to_i64().and_then(|it| u8::try_from(it).ok()),
                _ => None,
            };
            Binary::from(&bytes.iter().filter_map(byte).collect::<Vec<u8>>()[..])
        }
        text => {
            let format = format.and_then(Value::as_str).and_then(BinaryFormat::parse).unwrap_or_default();
            Binary::decode(text.and_then(Value::as_str).unwrap_or_default(), format)?
        }
    };
    Ok(Value::Binary(binary))
}
