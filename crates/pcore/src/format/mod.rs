//! Values as text: in strings with interpolation, by `String.new` and by `sprintf`.
//!
//! `String.new` chooses a format by the type of each value (`selection`), and each family of values has a file that says
//! what its letters mean. Most of them hand the format on to `sprintf`, flags and all, so what a format says wrongly is
//! said where the reference says it.

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

/// The greatest width and precision that a format may ask for, in characters.
pub const WIDTH_LIMIT: u32 = 1 << 20;
/// The longest text, in bytes, that formats may produce before it is given up.
pub const TEXT_LIMIT: usize = 64 << 20;

/// A value as the reference's platform writes it, which is not the language's own form: a string is itself, `undef` nothing,
/// a hash `{"a"=>1}`. That is what `%s` shows of most (D78).
///
/// # Errors
/// If it is nested too deeply.
pub fn plain_text(dialect: &Dialect, value: &Value) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    inspect::text(&mut out, dialect, value)?;
    Ok(out)
}

/// A value as the reference's platform shows it to who looks for mistakes: as [`plain_text`], but strings stand in quotes, and
/// `undef` is `nil`. Messages have it, which are the same in all dialects.
///
/// # Errors
/// If it is nested too deeply.
pub fn inspected(value: &Value) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    inspect::inspect(&mut out, Dialect::puppet8(), value)?;
    Ok(out)
}

/// A value as text, by default or under formats: a format for the value itself, or a map from types to formats (D67,
/// D78 to D84). `default` stands for no formats.
///
/// # Errors
/// If a format is none, or the value does not know its letter, or the text would be too long.
pub fn string_new(dialect: &Dialect, value: &Value, formats: Option<&Value>) -> Result<String, FormatError> {
    value.extent().check_nesting()?;
    let mut out = String::new();
    let writer = Writer::new(dialect);
    match formats {
        None | Some(Value::Default) => {
            writer.write(&mut out, value, Formats::by_default(dialect), Indentation::default())?;
        }
        // Nothing is more special than the type of the value itself: no other format can be meant.
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
