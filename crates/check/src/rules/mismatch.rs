//! How mismatches of types are told.

use marotte_pcore::infer::generalize;
use marotte_pcore::mismatch::describe_mismatch;
use marotte_pcore::types::{Type, TypeKind};

use crate::declared::dialect;
use crate::infer::constant;

/// One sentence: what is expected, what is found, and where inside of a collection.
pub(crate) fn explain(subject: &str, expected: &Type, given: &Type) -> String {
    describe_mismatch(dialect(), subject, expected, given)
}

/// What messages call a value of a type: `the string 'a'`, `an Integer`.
pub(super) fn value_of(it: &Type) -> String {
    match constant(it) {
        Some(value) if !matches!(it.kind(), TypeKind::Tuple(_) | TypeKind::Struct(_)) => {
            format!("`{}`", marotte_pcore::print::literal(&value))
        }
        _ => {
            let name = generalize(it).to_string();
            let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
            format!("{article} {name}")
        }
    }
}
