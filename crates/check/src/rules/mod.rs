//! One file for each rule. A rule says nothing about what is unknown.

mod argument_type;
mod constant_condition;
mod dangling_reference;
mod default_value_type;
mod dependency_cycle;
mod duplicate_attribute;
mod duplicate_case_option;
mod duplicate_declaration;
mod impossible_match;
mod invalid_format_string;
mod invalid_relationship;
mod legacy_fact;
pub mod location;
mod mismatch;
mod operator_type;
mod parameter_type;
mod reassigned_variable;
mod return_type;
mod unreachable_code;
pub(crate) mod unreadable;
mod unresolved_class;
mod unresolved_variable;
mod unused_parameter;
mod unused_variable;

use marotte_db::File;
use marotte_diagnostics::Diagnostic;
use marotte_hir::items;

use crate::Db;
use crate::context::Context;

/// The rules that look at one item at a time.
const OF_ITEMS: &[fn(&mut Context<'_, '_>)] = &[
    argument_type::check,
    constant_condition::check,
    dangling_reference::check,
    default_value_type::check,
    dependency_cycle::check,
    duplicate_attribute::check,
    duplicate_case_option::check,
    duplicate_declaration::check,
    impossible_match::check,
    invalid_format_string::check,
    invalid_relationship::check,
    legacy_fact::check,
    operator_type::check,
    parameter_type::check,
    reassigned_variable::check,
    return_type::check,
    unreachable_code::check,
    unresolved_class::check,
    unresolved_variable::check,
    unused_parameter::check,
    unused_variable::check,
];

/// Adds what is wrong with what a file means.
pub(crate) fn check(db: &dyn Db, file: File, findings: &mut Vec<Diagnostic>) {
    for item in items(db, file) {
        let mut context = Context::new(db, *item, findings);
        for rule in OF_ITEMS {
            rule(&mut context);
        }
    }
}
