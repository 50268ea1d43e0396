//! Validation of values for the parameters of classes, defined types and functions that are passed by name.

use std::fmt;

use marotte_text::Str;

use super::{Mismatch, MismatchKind, PathElement, mismatches};
use crate::dialect::Dialect;
use crate::infer::{generalize, infer_set};
use crate::relation::{assignable, instance_of};
use crate::types::{DEFERRED, StructElement, Type};
use crate::value::{Hash, Object, Value};

/// The error for parameters with wrong types, missing parameters, and parameters that don't exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterMismatches {
    /// The owner of the parameters.
    pub subject: Str,
    /// The mismatches: never empty.
    pub mismatches: Vec<Mismatch>,
    message: String,
}

impl fmt::Display for ParameterMismatches {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for ParameterMismatches {}

/// Checks values against parameters, which are described as the entries of a `Struct`.
///
/// `returned` yields the declared return type of the function of a `Deferred` value, if there is one: a deferred value
/// is accepted if the generalized parameter type accepts the generalized return type (H37). `missing_ok` permits missing
/// required parameters.
///
/// # Errors
/// All mismatches.
pub fn validate_parameters(
    dialect: &Dialect,
    subject: impl fmt::Display,
    parameters: &[StructElement],
    given: &Hash,
    missing_ok: bool,
    returned: &dyn Fn(&Object) -> Option<Type>,
) -> Result<(), ParameterMismatches> {
    checked(dialect, subject, describe_struct_signature(dialect, parameters, given, missing_ok, returned))
}

/// Checks the default value of a parameter; the message only mentions its generalized type.
///
/// # Errors
/// If the parameter's type doesn't accept it.
pub fn validate_default_parameter(
    dialect: &Dialect,
    subject: impl fmt::Display,
    parameter: &str,
    parameter_type: &Type,
    value: &Value,
) -> Result<(), ParameterMismatches> {
    if instance_of(dialect, parameter_type, value) {
        return Ok(());
    }
    let actual = generalize(&infer_set(dialect, value));
    let path = vec![PathElement::Parameter(parameter.into())];
    checked(dialect, subject, mismatches(dialect, parameter_type, &actual, path))
}

/// Describes all mismatches of values for parameters: first the parameters that don't exist, then each parameter in
/// order. The arguments are those of [`validate_parameters`].
pub fn describe_struct_signature(
    dialect: &Dialect,
    parameters: &[StructElement],
    given: &Hash,
    missing_ok: bool,
    returned: &dyn Fn(&Object) -> Option<Type>,
) -> Vec<Mismatch> {
    let (mut found, mut known) = (Vec::new(), 0);
    for it in parameters {
        match given.get_str(&it.name) {
            Some(value) => {
                known += 1;
                found.extend(value_mismatches(dialect, it, value, returned));
            }
            None if missing_ok || it.optional => {}
            None => found.push(at_root(MismatchKind::MissingParameter(it.name.clone()))),
        }
    }
    if known < given.len() {
        let names = given.keys().filter_map(Value::as_str);
        let unknown = names.filter(|name| parameters.iter().all(|it| it.name != **name));
        let unknown = unknown.map(|name| at_root(MismatchKind::InvalidParameter(name.into())));
        found.splice(..0, unknown);
    }
    found
}

fn value_mismatches(
    dialect: &Dialect,
    parameter: &StructElement,
    value: &Value,
    returned: &dyn Fn(&Object) -> Option<Type>,
) -> Vec<Mismatch> {
    let wanted = &parameter.value;
    let describe = |actual: &Type| {
        mismatches(dialect, wanted, actual, vec![PathElement::Parameter(parameter.name.clone())])
    };
    match value {
        Value::Object(object) if object.object_type == *DEFERRED => match returned(object) {
            Some(actual) if !assignable(dialect, &generalize(wanted), &generalize(&actual)) => {
                describe(&actual)
            }
            _ => Vec::new(),
        },
        _ if instance_of(dialect, wanted, value) => Vec::new(),
        _ => describe(&infer_set(dialect, value)),
    }
}

fn at_root(kind: MismatchKind) -> Mismatch {
    Mismatch { path: Vec::new(), kind }
}

fn checked(
    dialect: &Dialect,
    subject: impl fmt::Display,
    found: Vec<Mismatch>,
) -> Result<(), ParameterMismatches> {
    if found.is_empty() {
        return Ok(());
    }
    let sentences: Vec<String> = found.iter().map(|it| it.text(dialect)).collect();
    let message = match &sentences[..] {
        [only] => format!("{subject}:{only}"),
        several => format!("{subject}:\n {}", several.join("\n ")),
    };
    Err(ParameterMismatches { subject: subject.to_string().into(), mismatches: found, message })
}
