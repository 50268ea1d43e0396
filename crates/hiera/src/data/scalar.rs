//! The interpretation of plain scalars in data documents, in which times and dates aren't permitted.

use marotte_pcore::value::Value;
use marotte_pcore::yaml::{self, Scalar as Resolved, ScalarError};

use super::DataErrorKind;

/// The value of an interpreted scalar.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Value(Value),
    Symbol(String),
}

impl From<ScalarError> for DataErrorKind {
    fn from(error: ScalarError) -> DataErrorKind {
        match error {
            ScalarError::Number(text, class) => DataErrorKind::Number(text, class),
            ScalarError::NotANumber(class) => DataErrorKind::NotANumber(class),
            ScalarError::Digits => DataErrorKind::Digits,
        }
    }
}

/// Interprets a plain scalar without a tag.
pub(super) fn resolve(text: &str) -> Result<Scalar, DataErrorKind> {
    if is_integral(text) {
        super::check_digits(text)?;
    }
    match yaml::resolve(text)? {
        Resolved::Value(value) => Ok(Scalar::Value(value)),
        Resolved::Symbol(name) => Ok(Scalar::Symbol(name)),
        Resolved::Time => Err(DataErrorKind::Class("Time".to_owned())),
        Resolved::Date => Err(DataErrorKind::Class("Date".to_owned())),
    }
}

/// Whether the characters of a text permit an integer: in hexadecimal, another radix, or sexagesimal notation.
fn is_integral(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_filler = |it: u8| matches!(it, b'_' | b',');
    match unsigned.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|it| it.is_ascii_hexdigit() || is_filler(it)),
        None => {
            let digits = unsigned.strip_prefix("0b").unwrap_or(unsigned);
            digits.bytes().all(|it| it.is_ascii_digit() || it == b':' || is_filler(it))
                && digits.bytes().filter(|it| *it == b':').count() <= 2
        }
    }
}

/// Returns the number of a scalar with a tag for floats.
pub(super) fn tagged_float(text: &str) -> Result<f64, DataErrorKind> {
    // A time or date is reported as such, rather than as an invalid number.
    resolve(text)?;
    Ok(yaml::tagged_float(text)?)
}
