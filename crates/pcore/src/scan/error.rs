use std::fmt;

use super::{DIGIT_LIMIT, WIDTH_LIMIT};
use crate::regexp::{MatchError, RegexpError};

/// A scan could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanError {
    /// A conversion, with its width, for which nothing could ever match.
    NarrowWidth(String),
    /// A conversion whose width is beyond [`WIDTH_LIMIT`].
    WideWidth(String),
    /// What stands in the brackets of a conversion is no set of characters.
    Set {
        /// The brackets.
        set: String,
        /// What regular expressions say about it.
        error: RegexpError,
    },
    /// A set was given up.
    Match(MatchError),
    /// A number has more than [`DIGIT_LIMIT`] digits.
    LongNumber,
}

impl fmt::Display for ScanError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScanError::NarrowWidth(step) => write!(out, "the width in '{step}' is too small"),
            ScanError::WideWidth(step) => {
                write!(out, "the width in '{step}' is too large, the greatest is {WIDTH_LIMIT}")
            }
            ScanError::Set { set, error } => write!(out, "{} in '%[{set}]'", error.message),
            ScanError::Match(error) => error.fmt(out),
            ScanError::LongNumber => write!(out, "an integer has more than {DIGIT_LIMIT} digits"),
        }
    }
}

impl std::error::Error for ScanError {}

impl From<MatchError> for ScanError {
    fn from(error: MatchError) -> ScanError {
        ScanError::Match(error)
    }
}
