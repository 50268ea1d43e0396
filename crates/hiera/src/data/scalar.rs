//! The meaning of plain scalars in documents of data, where neither times nor dates may be.

use marotte_pcore::value::Value;
use marotte_pcore::yaml::{self, Scalar as Resolved, ScalarError};

use super::DataErrorKind;

/// The meaning of a scalar.
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

/// The meaning of a plain scalar without a tag.
pub(super) fn resolve(text: &str) -> Result<Scalar, DataErrorKind> {
    match yaml::resolve(text)? {
        Resolved::Value(value) => Ok(Scalar::Value(value)),
        Resolved::Symbol(name) => Ok(Scalar::Symbol(name)),
        Resolved::Time => Err(DataErrorKind::Class("Time".to_owned())),
        Resolved::Date => Err(DataErrorKind::Class("Date".to_owned())),
    }
}

/// The number of a scalar with a tag for floats.
pub(super) fn tagged_float(text: &str) -> Result<f64, DataErrorKind> {
    // A time or date is refused as such, before it is no number.
    resolve(text)?;
    Ok(yaml::tagged_float(text)?)
}
