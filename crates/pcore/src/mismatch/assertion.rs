use std::fmt;

use super::{Mismatch, PathElement, mismatches, text};
use crate::dialect::Dialect;
use crate::infer::infer_set;
use crate::relation::{assignable, instance_of};
use crate::types::Type;
use crate::value::Value;

/// The error for a type that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeAssertion {
    /// The type that is required.
    pub expected: Type,
    /// The type of the value.
    pub actual: Type,
    /// The differences; each path begins with the subject.
    pub mismatches: Vec<Mismatch>,
    message: String,
}

impl TypeAssertion {
    fn new(dialect: &Dialect, subject: String, expected: &Type, actual: Type) -> TypeAssertion {
        let mismatches = mismatches(dialect, expected, &actual, vec![PathElement::Subject(subject.into())]);
        let message = text::sentences(dialect, &mismatches);
        let message = if mismatches.len() == 1 { message.trim().to_owned() } else { message };
        TypeAssertion { expected: expected.clone(), actual, mismatches, message }
    }
}

impl fmt::Display for TypeAssertion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for TypeAssertion {}

/// Checks that a type accepts a value; the error message describes `subject` as a value of the wrong type (H34).
///
/// # Errors
/// If it doesn't accept the value.
pub fn assert_instance_of(
    dialect: &Dialect,
    subject: &str,
    expected: &Type,
    value: &Value,
) -> Result<(), TypeAssertion> {
    if instance_of(dialect, expected, value) {
        return Ok(());
    }
    let actual = infer_set(dialect, value);
    Err(TypeAssertion::new(dialect, format!("{subject} has wrong type,"), expected, actual))
}

/// Checks that a type accepts another; the error message describes `subject` as incorrect (H34).
///
/// # Errors
/// If it doesn't accept the other type.
pub fn assert_assignable(
    dialect: &Dialect,
    subject: &str,
    expected: &Type,
    actual: &Type,
) -> Result<(), TypeAssertion> {
    if assignable(dialect, expected, actual) {
        return Ok(());
    }
    Err(TypeAssertion::new(dialect, format!("{subject} is incorrect,"), expected, actual.clone()))
}
