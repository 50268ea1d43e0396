//! The rules, one file for each. A rule reports nothing about what is unknown.

mod always_false_condition;
mod always_true_condition;
mod argument_count;
mod argument_type;
mod attribute_form;
mod attribute_value;
mod bad_interpolation;
mod catalog_arguments;
mod conversion;
mod dangling_reference;
mod default_value_type;
mod dependency_cycle;
mod deprecated_function;
mod dialect_change;
mod duplicate_attribute;
mod duplicate_case_option;
mod duplicate_declaration;
mod duplicate_definition;
mod foreign_key;
mod impossible_match;
mod inherits_cycle;
pub(crate) mod invalid_data_file;
mod invalid_format_string;
pub(crate) mod invalid_hiera_config;
mod invalid_lookup_options;
mod invalid_regex;
mod invalid_relationship;
mod lambda_parameters;
pub(crate) mod legacy_fact;
mod lookup_values;
mod loose_node_pattern;
pub(crate) mod mismatch;
mod misread_interpolation;
mod missing_option;
mod missing_parameter;
mod not_found;
mod operator_precedence;
mod operator_type;
mod parameter_type;
mod possibly_unset_variable;
mod private_use;
mod reassigned_variable;
mod refused_values;
mod repeated_key;
mod return_type;
mod sensitive_leak;
mod string_format;
mod template_variables;
mod top_scope_fact_shadow;
mod type_arguments;
mod undeclared_module_dependency;
mod unknown_attribute;
mod unknown_class_key;
mod unknown_parameter;
mod unknown_parameter_key;
mod unreachable_code;
mod unreachable_level;
pub(crate) mod unreadable;
mod unresolved_class;
mod unresolved_file;
mod unresolved_function;
mod unresolved_key;
mod unresolved_resource_type;
mod unresolved_template;
mod unresolved_type;
mod unresolved_variable;
mod unused_key;
mod unused_parameter;
mod unused_variable;
mod value_type;
mod wrong_autoload_path;

use marotte_db::Db;
use marotte_db::File;
use marotte_diagnostics::Diagnostic;
use marotte_hir::items;

use crate::context::Context;
use crate::data::DataContext;

/// The rules that examine one item at a time.
const OF_ITEMS: &[fn(&mut Context<'_, '_>)] = &[
    always_false_condition::check,
    always_true_condition::check,
    argument_count::check,
    argument_type::check,
    attribute_value::check,
    catalog_arguments::check,
    conversion::check,
    dangling_reference::check,
    default_value_type::check,
    dependency_cycle::check,
    deprecated_function::check,
    dialect_change::check,
    duplicate_attribute::check,
    duplicate_case_option::check,
    duplicate_declaration::check,
    duplicate_definition::check,
    impossible_match::check,
    inherits_cycle::check,
    invalid_format_string::check,
    invalid_regex::check,
    invalid_relationship::check,
    lambda_parameters::check,
    legacy_fact::check,
    lookup_values::check,
    loose_node_pattern::check,
    misread_interpolation::check,
    missing_option::check,
    missing_parameter::check,
    operator_precedence::check,
    operator_type::check,
    parameter_type::check,
    possibly_unset_variable::check,
    private_use::check,
    reassigned_variable::check,
    refused_values::check,
    return_type::check,
    sensitive_leak::check,
    template_variables::check,
    top_scope_fact_shadow::check,
    type_arguments::check,
    undeclared_module_dependency::check,
    unknown_attribute::check,
    unknown_parameter::check,
    unreachable_code::check,
    unresolved_class::check,
    unresolved_file::check,
    unresolved_function::check,
    unresolved_key::check,
    unresolved_resource_type::check,
    unresolved_template::check,
    unresolved_type::check,
    unresolved_variable::check,
    unused_parameter::check,
    unused_variable::check,
    wrong_autoload_path::check,
];

/// The rules that examine one data file at a time.
const OF_DATA: &[fn(&mut DataContext<'_, '_>)] = &[
    bad_interpolation::check,
    foreign_key::check,
    invalid_lookup_options::check,
    legacy_fact::check_data,
    repeated_key::check,
    unknown_class_key::check,
    unknown_parameter_key::check,
    unused_key::check,
    value_type::check,
];

/// The rules that examine one `hiera.yaml` at a time.
const OF_CONFIGURATIONS: &[fn(&mut DataContext<'_, '_>)] = &[
    bad_interpolation::check_configuration,
    legacy_fact::check_configuration,
    repeated_key::check,
    unreachable_level::check,
];

/// Adds the findings about the meaning of a data file.
pub(crate) fn check_data(context: &mut DataContext<'_, '_>) {
    OF_DATA.iter().for_each(|rule| context.within_effort(rule));
}

/// Adds the findings about the meaning of a `hiera.yaml`.
pub(crate) fn check_configuration(context: &mut DataContext<'_, '_>) {
    OF_CONFIGURATIONS.iter().for_each(|rule| rule(context));
}

/// Adds the findings about the meaning of a code file.
pub(crate) fn check(db: &dyn Db, file: File, findings: &mut Vec<Diagnostic>) {
    for item in items(db, file).iter().filter(|it| !it.is_only_definitions(db)) {
        let mut context = Context::new(db, *item, findings);
        for rule in OF_ITEMS {
            db.unwind_if_revision_cancelled();
            context.within_effort(rule);
        }
    }
}
