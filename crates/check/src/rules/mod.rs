//! One file for each rule. A rule says nothing about what is unknown.

mod argument_count;
mod argument_type;
mod attribute_value;
mod constant_condition;
mod dangling_reference;
mod default_value_type;
mod dependency_cycle;
mod duplicate_attribute;
mod duplicate_case_option;
mod duplicate_declaration;
mod impossible_match;
mod inherits_cycle;
mod invalid_format_string;
mod invalid_relationship;
mod legacy_fact;
pub mod location;
mod mismatch;
mod missing_parameter;
mod operator_type;
mod parameter_type;
mod private_use;
mod reassigned_variable;
mod return_type;
mod undeclared_module_dependency;
mod unknown_attribute;
mod unknown_parameter;
mod unreachable_code;
pub(crate) mod unreadable;
mod unresolved_class;
mod unresolved_file;
mod unresolved_function;
mod unresolved_resource_type;
mod unresolved_template;
mod unresolved_type;
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
    argument_count::check,
    argument_type::check,
    attribute_value::check,
    constant_condition::check,
    dangling_reference::check,
    default_value_type::check,
    dependency_cycle::check,
    duplicate_attribute::check,
    duplicate_case_option::check,
    duplicate_declaration::check,
    impossible_match::check,
    inherits_cycle::check,
    invalid_format_string::check,
    invalid_relationship::check,
    legacy_fact::check,
    missing_parameter::check,
    operator_type::check,
    parameter_type::check,
    private_use::check,
    reassigned_variable::check,
    return_type::check,
    undeclared_module_dependency::check,
    unknown_attribute::check,
    unknown_parameter::check,
    unreachable_code::check,
    unresolved_class::check,
    unresolved_file::check,
    unresolved_function::check,
    unresolved_resource_type::check,
    unresolved_template::check,
    unresolved_type::check,
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
