//! Why a type does not accept another: first as data with paths into it, then as the sentences of messages (H33–H36).

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

/// What does not fit, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mismatch {
    /// The way there, from the outside in.
    pub path: Vec<PathElement>,
    /// What is wrong there.
    pub kind: MismatchKind,
}

/// What does not fit (H33). Types are in normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MismatchKind {
    /// A value of another type.
    Type {
        /// What is asked for; a `Variant` where several alternatives failed.
        expected: Type,
        /// What is there.
        actual: Type,
    },
    /// A string that is not among those of an `Enum` or `Pattern`, or no string at all.
    Pattern {
        /// The `Enum` or `Pattern`, perhaps optional or behind an alias.
        expected: Type,
        /// What is there.
        actual: Type,
    },
    /// A collection of another size.
    Size {
        /// The sizes that are asked for.
        expected: Size,
        /// The size.
        actual: Size,
    },
    /// Another number of arguments.
    Count {
        /// The numbers that are asked for.
        expected: Size,
        /// The number.
        actual: Size,
    },
    /// A key of a `Struct` has no value.
    MissingKey(Str),
    /// A parameter has no value.
    MissingParameter(Str),
    /// A `Struct` has no such key.
    ExtraneousKey(Str),
    /// There is no such parameter.
    InvalidParameter(Str),
    /// A block where none is taken.
    UnexpectedBlock,
    /// No block where one is needed.
    MissingRequiredBlock,
    /// The expected type names a type that is not known.
    UnresolvedReference(Str),
}

/// Says why `expected` does not accept `actual`, in one sentence for each mismatch (H33 to H36). Empty if it does accept it.
///
/// `subject` opens each sentence: `Parameter x`, or, with a comma, `The value of x has wrong type,`.
pub fn describe_mismatch(dialect: &Dialect, subject: &str, expected: &Type, actual: &Type) -> String {
    let found = mismatches(dialect, expected, actual, vec![PathElement::Subject(subject.into())]);
    match &found[..] {
        [only] => only.text(dialect).trim().to_owned(),
        _ => text::sentences(dialect, &found),
    }
}
