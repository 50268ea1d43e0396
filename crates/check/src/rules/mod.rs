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
mod hiera_backends;
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
mod task_parameters;
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
mod unresolved_task;
mod unresolved_template;
mod unresolved_type;
mod unresolved_variable;
mod unused_key;
mod unused_parameter;
mod unused_variable;
mod value_type;
mod wrong_autoload_path;

use marotte_db::Db;
use marotte_db::{File, Settings};
use marotte_diagnostics::rules::{RULES, Rule, Subject};
use marotte_diagnostics::{Diagnostic, RuleSet};
use marotte_hir::items;

use crate::context::Context;
use crate::data::DataContext;

/// A function that examines something, and the names of the rules that it reports. It runs only if one of them is requested, so that
/// the queries that nobody else needs don't run, either.
type Check<F> = (F, &'static [&'static str]);

/// The rules that examine one item at a time.
const OF_ITEMS: &[Check<fn(&mut Context<'_, '_>)>] = &[
    (always_false_condition::check, &["always-false-condition"]),
    (always_true_condition::check, &["always-true-condition"]),
    (argument_count::check, &["argument-count"]),
    (argument_type::check, &["argument-type"]),
    (attribute_value::check, &["attribute-value"]),
    (catalog_arguments::check, &["argument-type"]),
    (conversion::check, &["argument-count", "argument-type"]),
    (dangling_reference::check, &["dangling-reference"]),
    (default_value_type::check, &["default-value-type"]),
    (dependency_cycle::check, &["dependency-cycle"]),
    (deprecated_function::check, &["deprecated-function"]),
    (dialect_change::check, &["dialect-change"]),
    (duplicate_attribute::check, &["duplicate-attribute"]),
    (duplicate_case_option::check, &["duplicate-case-option"]),
    (duplicate_declaration::check, &["duplicate-declaration"]),
    (duplicate_definition::check, &["duplicate-definition"]),
    (impossible_match::check, &["impossible-match"]),
    (inherits_cycle::check, &["inherits-cycle"]),
    (invalid_format_string::check, &["invalid-format-string"]),
    (invalid_regex::check, &["invalid-regex"]),
    (invalid_relationship::check, &["invalid-relationship"]),
    (lambda_parameters::check, &["argument-count", "argument-type"]),
    (legacy_fact::check, &["legacy-fact"]),
    (lookup_values::check, &["argument-type", "default-value-type", "value-type"]),
    (loose_node_pattern::check, &["loose-node-pattern"]),
    (misread_interpolation::check, &["misread-interpolation"]),
    (missing_option::check, &["missing-option"]),
    (missing_parameter::check, &["missing-parameter"]),
    (operator_precedence::check, &["operator-precedence"]),
    (operator_type::check, &["operator-type"]),
    (parameter_type::check, &["parameter-type"]),
    (possibly_unset_variable::check, &["possibly-unset-variable"]),
    (private_use::check, &["private-use"]),
    (reassigned_variable::check, &["reassigned-variable"]),
    (refused_values::check, &["argument-type"]),
    (return_type::check, &["return-type"]),
    (sensitive_leak::check, &["sensitive-leak"]),
    (task_parameters::check, &["missing-parameter", "parameter-type", "unknown-parameter"]),
    (template_variables::check, &["unresolved-variable"]),
    (top_scope_fact_shadow::check, &["top-scope-fact-shadow"]),
    (type_arguments::check, &["argument-count", "argument-type", "invalid-regex"]),
    (undeclared_module_dependency::check, &["undeclared-module-dependency"]),
    (unknown_attribute::check, &["unknown-attribute"]),
    (unknown_parameter::check, &["unknown-parameter"]),
    (unreachable_code::check, &["unreachable-code"]),
    (unresolved_class::check, &["unresolved-class"]),
    (unresolved_file::check, &["unresolved-file"]),
    (unresolved_function::check, &["unresolved-function"]),
    (unresolved_key::check, &["unresolved-key"]),
    (unresolved_resource_type::check, &["unresolved-resource-type"]),
    (unresolved_template::check, &["unresolved-template"]),
    (unresolved_task::check, &["unresolved-task"]),
    (unresolved_type::check, &["unresolved-type"]),
    (unresolved_variable::check, &["unresolved-variable"]),
    (unused_parameter::check, &["unused-parameter"]),
    (unused_variable::check, &["unused-variable"]),
    (wrong_autoload_path::check, &["wrong-autoload-path"]),
];

/// The rules that examine one data file at a time.
const OF_DATA: &[Check<fn(&mut DataContext<'_, '_>)>] = &[
    (bad_interpolation::check, &["bad-interpolation"]),
    (foreign_key::check, &["foreign-key"]),
    (invalid_lookup_options::check, &["invalid-lookup-options"]),
    (legacy_fact::check_data, &["legacy-fact"]),
    (repeated_key::check, &["duplicate-key"]),
    (unknown_class_key::check, &["unknown-class-key"]),
    (unknown_parameter_key::check, &["unknown-parameter-key"]),
    (unused_key::check, &["unused-key"]),
    (value_type::check, &["value-type"]),
];

/// The rules that examine one `hiera.yaml` at a time.
const OF_CONFIGURATIONS: &[Check<fn(&mut DataContext<'_, '_>)>] = &[
    (bad_interpolation::check_configuration, &["bad-interpolation"]),
    (hiera_backends::check, &["invalid-hiera-config"]),
    (legacy_fact::check_configuration, &["legacy-fact"]),
    (repeated_key::check, &["duplicate-key"]),
    (unreachable_level::check, &["unreachable-level"]),
];

/// The rules about a document as a whole, which says whether the other rules can run.
const OF_DOCUMENTS: &[&str] = &["invalid-data-file", "invalid-hiera-config"];

/// The rules about the comments that silence rules.
const OF_COMMENTS: &[&str] = &["unused-suppression", "unknown-suppression"];

/// The parts of a tree that the requested rules read in addition to the texts of the files that they examine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Only these texts.
    Text,
    /// The custom facts of modules.
    Facts,
    /// All definitions and files of the tree.
    Tree,
}

/// Returns what the requested rules read in addition to the texts of the files that they examine.
pub fn needs(rules: RuleSet) -> Needs {
    let is_wanted = |it: &&Rule| rules.contains(it.name);
    let needs = RULES.iter().filter(is_wanted).map(|it| match (it.subject, it.name) {
        (Subject::Meaning, "duplicate-attribute" | "invalid-data-file" | "invalid-hiera-config") => {
            Needs::Text
        }
        (Subject::Meaning, "legacy-fact") => Needs::Facts,
        (Subject::Meaning | Subject::Tree, _) | (Subject::File, "invalid-ruby") => Needs::Tree,
        (Subject::Text | Subject::Style | Subject::File | Subject::Evaluation, _) => Needs::Text,
    });
    needs.max().unwrap_or(Needs::Text)
}

/// The checks that report a requested rule.
fn wanted<F>(db: &dyn Db, checks: &'static [Check<F>]) -> impl Iterator<Item = &'static Check<F>> {
    let rules = Settings::get(db).rules(db);
    checks.iter().filter(move |(_, reports)| rules.contains_any(reports))
}

/// Whether a requested rule looks at data files or at a `hiera.yaml`, or at what code looks up in them.
pub(crate) fn reads_data(rules: RuleSet) -> bool {
    if needs(rules) == Needs::Tree {
        return true;
    }
    let reports = OF_DATA.iter().chain(OF_CONFIGURATIONS).map(|(_, reports)| *reports);
    reports.chain([OF_DOCUMENTS, OF_COMMENTS]).any(|it| rules.contains_any(it))
}

/// Adds the findings about the meaning of a data file.
pub(crate) fn check_data(context: &mut DataContext<'_, '_>) {
    wanted(context.db, OF_DATA).for_each(|(check, _)| context.within_effort(check));
}

/// Adds the findings about the meaning of a `hiera.yaml`.
pub(crate) fn check_configuration(context: &mut DataContext<'_, '_>) {
    wanted(context.db, OF_CONFIGURATIONS).for_each(|(check, _)| check(context));
}

/// Adds the findings about the meaning of a code file.
pub(crate) fn check(db: &dyn Db, file: File, findings: &mut Vec<Diagnostic>) {
    let checks: Vec<_> = wanted(db, OF_ITEMS).collect();
    if checks.is_empty() {
        return;
    }
    for item in items(db, file).iter().filter(|it| !it.is_only_definitions(db)) {
        let mut context = Context::new(db, *item, findings);
        for (check, _) in &checks {
            db.unwind_if_revision_cancelled();
            context.within_effort(check);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Otherwise, a rule that is selected would report nothing.
    #[test]
    fn every_rule_about_meaning_is_reported_by_a_check() {
        let of_items = OF_ITEMS.iter().map(|(_, reports)| *reports);
        let of_data = OF_DATA.iter().chain(OF_CONFIGURATIONS).map(|(_, reports)| *reports);
        let reported: Vec<&str> = of_items.chain(of_data).flatten().copied().collect();
        for rule in RULES.iter().filter(|it| it.subject == Subject::Meaning) {
            assert!(reported.contains(&rule.name) || OF_DOCUMENTS.contains(&rule.name), "{}", rule.name);
        }
        assert!(reported.iter().all(|it| RULES.iter().any(|rule| rule.name == *it)));
    }
}
