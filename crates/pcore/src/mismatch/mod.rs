//! The reasons why a type doesn't accept another: first as data with paths, then as the sentences of messages (H33–H36).

mod assertion;
mod describe;
mod merge;
mod names;
mod parameters;
mod path;
mod signature;
#[cfg(test)]
mod tests;
mod text;

pub use assertion::{TypeAssertion, assert_assignable, assert_instance_of};
pub use describe::mismatches;
pub use parameters::{
    ParameterMismatches, describe_struct_signature, validate_default_parameter, validate_parameters,
};
pub use path::PathElement;
pub use signature::{Callee, Rejection, Signature, describe_signatures, reject};

use marotte_text::Str;

use crate::dialect::Dialect;
use crate::types::{Size, Type};

/// A mismatch, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mismatch {
    /// The path to the place, from the outside in.
    pub path: Vec<PathElement>,
    /// The kind of the mismatch.
    pub kind: MismatchKind,
}

/// The kind of a mismatch (H33). Types are in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MismatchKind {
    /// A value of a different type.
    Type {
        /// The expected type; a `Variant` if several alternatives failed.
        expected: Type,
        /// The type of the value.
        actual: Type,
    },
    /// A string that isn't among those of an `Enum` or `Pattern`, or another value.
    Pattern {
        /// The `Enum` or `Pattern`, possibly optional or aliased.
        expected: Type,
        /// The type of the value.
        actual: Type,
    },
    /// A collection of a different size.
    Size {
        /// The expected range of sizes.
        expected: Size,
        /// The size of the value.
        actual: Size,
    },
    /// A different number of arguments.
    Count {
        /// The expected range of numbers.
        expected: Size,
        /// The number of arguments.
        actual: Size,
    },
    /// A required key of a `Struct` is missing.
    MissingKey(Str),
    /// A required parameter is missing.
    MissingParameter(Str),
    /// A key isn't in the `Struct`.
    ExtraneousKey(Str),
    /// A parameter doesn't exist.
    InvalidParameter(Str),
    /// A block is given, but not accepted.
    UnexpectedBlock,
    /// A required block is missing.
    MissingRequiredBlock,
    /// The expected type contains a reference to an unknown type.
    UnresolvedReference(Str),
}

/// Describes why `expected` doesn't accept `actual`, in one sentence for each mismatch (H33 to H36). Empty if it is accepted.
///
/// `subject` is the beginning of each sentence: `Parameter x`, or, with a comma, `The value of x has wrong type,`.
pub fn describe_mismatch(dialect: &Dialect, subject: &str, expected: &Type, actual: &Type) -> String {
    let found = mismatches(dialect, expected, actual, vec![PathElement::Subject(subject.into())]);
    match &found[..] {
        [only] => only.text(dialect).trim().to_owned(),
        _ => text::sentences(dialect, &found),
    }
}
