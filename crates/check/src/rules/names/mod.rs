//! Rules about names: of definitions, variables, templates and files.

mod computed_path;
pub(in crate::rules) mod duplicate_definition;
pub(in crate::rules) mod epp_variables;
pub(in crate::rules) mod inherits_cycle;
pub(in crate::rules) mod inline_epp;
pub(in crate::rules) mod match_variables;
pub(in crate::rules) mod not_found;
pub(in crate::rules) mod possibly_unset_variable;
pub(in crate::rules) mod private_use;
pub(in crate::rules) mod reassigned_variable;
pub(crate) mod template_locals;
pub(in crate::rules) mod template_variables;
pub(in crate::rules) mod top_scope_fact_shadow;
pub(in crate::rules) mod undeclared_module_dependency;
pub(in crate::rules) mod unresolved_class;
pub(in crate::rules) mod unresolved_file;
pub(in crate::rules) mod unresolved_function;
pub(in crate::rules) mod unresolved_resource_type;
pub(in crate::rules) mod unresolved_task;
pub(in crate::rules) mod unresolved_template;
pub(in crate::rules) mod unresolved_type;
pub(in crate::rules) mod unresolved_variable;
pub(in crate::rules) mod unused_parameter;
pub(in crate::rules) mod unused_variable;
pub(in crate::rules) mod wrong_autoload_path;

use marotte_diagnostics::rules;

use super::ItemCheck;

/// The rules that examine one item at a time.
pub(super) const OF_ITEMS: &[ItemCheck] = &[
    (duplicate_definition::check, &[rules::DUPLICATE_DEFINITION]),
    (epp_variables::check, &[rules::UNRESOLVED_VARIABLE]),
    (inherits_cycle::check, &[rules::INHERITS_CYCLE]),
    (inline_epp::check, &[rules::UNRESOLVED_VARIABLE]),
    (match_variables::check, &[rules::UNRESOLVED_VARIABLE]),
    (possibly_unset_variable::check, &[rules::POSSIBLY_UNSET_VARIABLE]),
    (private_use::check, &[rules::PRIVATE_USE]),
    (reassigned_variable::check, &[rules::REASSIGNED_VARIABLE]),
    (template_locals::check, &[rules::UNRESOLVED_VARIABLE, rules::UNRESOLVED_FUNCTION]),
    (template_variables::check, &[rules::UNRESOLVED_VARIABLE]),
    (top_scope_fact_shadow::check, &[rules::TOP_SCOPE_FACT_SHADOW]),
    (undeclared_module_dependency::check, &[rules::UNDECLARED_MODULE_DEPENDENCY]),
    (unresolved_class::check, &[rules::UNRESOLVED_CLASS]),
    (unresolved_file::check, &[rules::UNRESOLVED_FILE]),
    (unresolved_function::check, &[rules::UNRESOLVED_FUNCTION]),
    (unresolved_resource_type::check, &[rules::UNRESOLVED_RESOURCE_TYPE]),
    (unresolved_template::check, &[rules::UNRESOLVED_TEMPLATE]),
    (unresolved_task::check, &[rules::UNRESOLVED_TASK]),
    (unresolved_type::check, &[rules::UNRESOLVED_TYPE]),
    (unresolved_variable::check, &[rules::UNRESOLVED_VARIABLE]),
    (unused_parameter::check, &[rules::UNUSED_PARAMETER]),
    (unused_variable::check, &[rules::UNUSED_VARIABLE]),
    (wrong_autoload_path::check, &[rules::WRONG_AUTOLOAD_PATH]),
];
