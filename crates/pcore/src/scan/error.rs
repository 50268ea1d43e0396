use std::fmt;

use super::{DIGIT_LIMIT, WIDTH_LIMIT};
use crate::regexp::{MatchError, RegexpError};

/// The reason why a scan fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanError {
    /// A conversion whose width is too small for any match.
    NarrowWidth(String),
    /// A conversion whose width exceeds [`WIDTH_LIMIT`].
    WideWidth(String),
    /// The brackets of a conversion don't contain a valid set of characters.
    Set {
        /// The set in brackets.
        set: String,
        /// The error of the regular expression.
        error: RegexpError,
    },
    /// The match of a set was aborted.
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
