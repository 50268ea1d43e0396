use std::fmt;

use num_bigint::{BigInt, Sign};

use super::label::{a_label, label};
use super::{BinaryOperator, Coercion};
use crate::regexp::{MatchError, RegexpError};
use crate::relation::Incomparable;
use crate::semver::SemVerError;
use crate::time::TimeError;
use crate::uri::UriError;
use crate::value::Value;

/// The reason why an operation fails. The messages are those of the reference (H25); for runtime errors, only the detail.
#[derive(Clone, Debug, PartialEq)]
pub enum OperationError {
    /// The operator isn't applicable to its left operand, or to its only one.
    NotApplicable {
        /// The operator that is not applicable.
        operator: &'static str,
        /// The label of the operand in messages.
        left: String,
    },
    /// The operator isn't applicable to these two operands.
    NotApplicableWhen {
        /// The operator that is not applicable.
        operator: &'static str,
        /// The label of the left operand in messages.
        left: String,
        /// The label of the right operand in messages.
        right: String,
    },
    /// The operands can't be ordered.
    NotComparable {
        /// The operator that compares.
        operator: &'static str,
        /// The label of the left operand in messages.
        left: String,
        /// The label of the right operand in messages.
        right: String,
        /// The reason why the values are incomparable.
        cause: Incomparable,
    },
    /// An operand is neither a number nor a string that looks like one.
    NotNumeric {
        /// The operand, as shown in messages.
        shown: String,
    },
    /// An operand is a string, and strings aren't converted to numbers.
    NumericCoercion(Coercion),
    /// A division by zero.
    DivisionByZero,
    /// A float became infinite.
    Infinite {
        /// The operator with the infinite result.
        operator: &'static str,
    },
    /// An integer overflows 64 bits.
    Overflow {
        /// The operator whose result overflows.
        operator: &'static str,
        /// Whether it is below the minimum.
        negative: bool,
        /// The integer; `None` if it is too long to be computed.
        value: Option<BigInt>,
    },
    /// The result would exceed the limit of an operation.
    TooLarge {
        /// The operator whose result is too large.
        operator: &'static str,
    },
    /// Values of these types can't be combined.
    Combination(&'static str, String),
    /// An array to be added to a hash ends with a key without a value.
    OddArray,
    /// An array to be added to a hash has an element that isn't a pair.
    NoPair {
        /// The index of the element.
        index: usize,
        /// The length of the element; `None` if it isn't an array.
        length: Option<usize>,
    },
    /// A time can't be computed.
    Time(TimeError),
    /// Two URIs can't be merged.
    Uri(UriError),
    /// The right operand of a match is neither a regular expression nor a string.
    NoPattern {
        /// The label of the right operand in messages.
        label: &'static str,
    },
    /// The string on the right side of a match isn't a valid regular expression.
    InvalidPattern(RegexpError),
    /// The string to match against a version range isn't a version.
    NoVersion(SemVerError),
    /// The left operand of a match isn't a string.
    NoText {
        /// The label of the left operand in messages.
        left: String,
    },
    /// The regular expression takes too long.
    Match(MatchError),
}

impl OperationError {
    pub(super) fn not_applicable(operator: &'static str, left: &Value) -> OperationError {
        OperationError::NotApplicable { operator, left: a_label(left) }
    }

    pub(super) fn not_applicable_when(
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
    ) -> OperationError {
        let (left, right) = (a_label(left), a_label(right));
        OperationError::NotApplicableWhen { operator: operator.text(), left, right }
    }

    pub(super) fn not_comparable(
        operator: BinaryOperator,
        left: &Value,
        right: &Value,
        cause: Incomparable,
    ) -> OperationError {
        let (left, right) = (label(left), label(right));
        OperationError::NotComparable { operator: operator.text(), left, right, cause }
    }

    pub(super) fn overflow(operator: &'static str, value: BigInt) -> OperationError {
        let negative = value.sign() == Sign::Minus;
        OperationError::Overflow { operator, negative, value: Some(value) }
    }

    /// The issue code of the reference, in kebab case.
    pub fn issue(&self) -> &'static str {
        match self {
            OperationError::NotApplicable { .. } => "operator-not-applicable",
            OperationError::NotApplicableWhen { .. } => "operator-not-applicable-when",
            OperationError::NotComparable { .. } => "comparison-not-possible",
            OperationError::NotNumeric { .. } => "not-numeric",
            OperationError::NumericCoercion(coercion) => coercion.issue(),
            OperationError::DivisionByZero => "div-by-zero",
            OperationError::Infinite { .. } => "result-is-infinity",
            OperationError::Overflow { .. } => "numeric-overflow",
            OperationError::NoPattern { .. } | OperationError::InvalidPattern(_) => "match-not-regexp",
            OperationError::NoText { .. } | OperationError::NoVersion(_) => "match-not-string",
            OperationError::TooLarge { .. }
            | OperationError::Combination(..)
            | OperationError::OddArray
            | OperationError::NoPair { .. }
            | OperationError::Time(_)
            | OperationError::Uri(_)
            | OperationError::Match(_) => "runtime-error",
        }
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperationError::NotApplicable { operator, left } => {
                write!(out, "Operator '{operator}' is not applicable to {left}.")
            }
            OperationError::NotApplicableWhen { operator, left, right } => {
                write!(out, "Operator '{operator}' is not applicable to {left} when right side is {right}.")
            }
            OperationError::NotComparable { operator, left, right, cause } => {
                write!(out, "Comparison of: {left} {operator} {right}, is not possible. Caused by '{cause}'.")
            }
            OperationError::NotNumeric { shown } => {
                write!(out, "The value '{shown}' cannot be converted to Numeric.")
            }
            OperationError::NumericCoercion(coercion) => write!(out, "{coercion}"),
            OperationError::DivisionByZero => out.write_str("Division by 0"),
            OperationError::Infinite { operator } => {
                write!(out, "The result of the {operator} expression is Infinity")
            }
            OperationError::Overflow { operator, negative, value } => {
                let bound = if *negative { "min" } else { "max" };
                write!(
                    out,
                    "A '{operator}' expression resulted in a value outside of Puppet Integer {bound} range"
                )?;
                match value {
                    Some(value) => write!(out, ", got '{value:+#x}'"),
                    None => Ok(()),
                }
            }
            OperationError::TooLarge { operator } => {
                write!(out, "The result of the '{operator}' expression is too large")
            }
            OperationError::Combination(what, label) => out.write_str(&what.replace("{}", label)),
            OperationError::OddArray => out.write_str("odd number of arguments for Hash"),
            OperationError::NoPair { index, length: Some(length) } => {
                write!(out, "wrong array length at {index} (expected 2, was {length})")
            }
            OperationError::NoPair { index, length: None } => {
                write!(out, "wrong element type at {index} (expected array)")
            }
            OperationError::Time(error) => write!(out, "{error}"),
            OperationError::Uri(error) => write!(out, "{error}"),
            OperationError::NoPattern { label } => write!(
                out,
                "Can not convert right match operand to a regular expression. Caused by 'no implicit conversion of {label} into String'."
            ),
            OperationError::InvalidPattern(error) => write!(
                out,
                "Can not convert right match operand to a regular expression. Caused by '{error}'."
            ),
            OperationError::NoText { left } => {
                write!(out, "Left match operand must result in a String value. Got {left}.")
            }
            OperationError::NoVersion(error) => write!(out, "Left match operand must be a version. {error}"),
            OperationError::Match(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for OperationError {}

impl From<TimeError> for OperationError {
    fn from(error: TimeError) -> OperationError {
        match error {
            TimeError::DivisionByZero => OperationError::DivisionByZero,
            other => OperationError::Time(other),
        }
    }
}

impl From<MatchError> for OperationError {
    fn from(error: MatchError) -> OperationError {
        OperationError::Match(error)
    }
}
