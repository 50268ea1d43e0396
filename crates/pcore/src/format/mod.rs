//! Text forms of values: in interpolated strings, by `String.new` and by `sprintf`.
//!
//! `String.new` selects a format by the type of each value (`selection`), and each family of values has a file that
//! interprets the letters. Most of them pass the format on to `sprintf`, including the flags, so errors in a format are
//! reported in the same place as in the reference.

mod array;
mod binary;
mod boolean;
mod directive;
mod error;
mod float;
mod hash;
mod inspect;
mod integer;
mod interpolate;
mod number;
mod object;
mod rounding;
mod selection;
mod sprintf;
mod string;
#[cfg(test)]
mod tests;
mod time;
mod types;
mod undef;
mod write;

pub use error::{DirectiveError, FormatError};
pub use inspect::{quoted, quoted_bytes};
pub use interpolate::{interpolate, interpolated};
pub use number::{parse_float, parse_integer};
pub use sprintf::{Arguments, sprintf, sprintf_with};

use directive::Directive;
use selection::Formats;
use write::{Indentation, Writer};

use crate::dialect::Dialect;
use crate::value::Value;

/// The maximum width and precision of a format, in characters.
pub const WIDTH_LIMIT: u32 = 1 << 20;
/// The maximum length, in bytes, of a text produced by formats.
pub const TEXT_LIMIT: usize = 64 << 20;

/// Formats a value like the reference's platform, which differs from the language's own form: a string is itself,
/// `undef` is empty, a hash is `{"a"=>1}`. It is the output of `%s` for most values (D78).
///
/// # Errors
/// If it is nested too deeply.
pub fn plain_text(dialect: &Dialect, value: &Value) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    inspect::text(&mut out, dialect, value)?;
    Ok(out)
}

/// Formats a value like the reference's platform does for debugging: like [`plain_text`], but strings are quoted, and
/// `undef` is `nil`. It is used in messages, which are the same in all dialects.
///
/// # Errors
/// If it is nested too deeply.
pub fn inspected(value: &Value) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    inspect::inspect(&mut out, Dialect::puppet8(), value)?;
    Ok(out)
}

/// Formats a value by default or with formats: a format for the value itself, or a map from types to formats (D67, D78
/// to D84). `default` means the default formats.
///
/// # Errors
/// If a format is invalid, if the value doesn't support its letter, or if the text would be too long.
pub fn string_new(dialect: &Dialect, value: &Value, formats: Option<&Value>) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    let writer = Writer::new(dialect);
    match formats {
        None | Some(Value::Default) => {
            writer.write(&mut out, value, Formats::by_default(dialect), Indentation::default())?;
        }
        // Nothing is more specific than the type of the value itself, so no other format can apply.
        Some(Value::String(text)) if !is_container(value) => {
            writer.write_single(&mut out, value, &Directive::parse(text)?, Indentation::default())?;
        }
        Some(given) => {
            let formats = Formats::given(dialect, value, given)?;
            writer.write(&mut out, value, &formats, Indentation::default())?;
        }
    }
    Ok(out)
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_) | Value::Iterator(_))
}
