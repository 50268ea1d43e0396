//! Rules about resources, their attributes and parameters, and relationships.

pub(in crate::rules) mod attribute_form;
pub(in crate::rules) mod attribute_value;
pub(in crate::rules) mod dangling_reference;
pub(in crate::rules) mod dependency_cycle;
pub(in crate::rules) mod duplicate_across_classes;
pub(in crate::rules) mod duplicate_attribute;
pub(in crate::rules) mod duplicate_declaration;
pub(in crate::rules) mod fragment_target;
pub(in crate::rules) mod invalid_relationship;
pub(in crate::rules) mod loose_node_pattern;
pub(in crate::rules) mod missing_parameter;
pub(in crate::rules) mod parameter_type;
pub(in crate::rules) mod task_parameters;
pub(in crate::rules) mod title_type;
pub(in crate::rules) mod unknown_attribute;
pub(in crate::rules) mod unknown_parameter;
pub(in crate::rules) mod unqualified_command;

use marotte_diagnostics::rules;

use super::ItemCheck;
use super::types::misread_interpolation;

/// The rules that examine one item at a time.
pub(super) const OF_ITEMS: &[ItemCheck] = &[
    (attribute_value::check, &[rules::ATTRIBUTE_VALUE]),
    (dangling_reference::check, &[rules::DANGLING_REFERENCE]),
    (dependency_cycle::check, &[rules::DEPENDENCY_CYCLE]),
    (duplicate_across_classes::check, &[rules::DUPLICATE_DECLARATION]),
    (duplicate_attribute::check, &[rules::DUPLICATE_ATTRIBUTE]),
    (duplicate_declaration::check, &[rules::DUPLICATE_DECLARATION]),
    (fragment_target::check, &[rules::DANGLING_REFERENCE]),
    (invalid_relationship::check, &[rules::INVALID_RELATIONSHIP]),
    (loose_node_pattern::check, &[rules::LOOSE_NODE_PATTERN]),
    (missing_parameter::check, &[rules::MISSING_PARAMETER]),
    (parameter_type::check, &[rules::PARAMETER_TYPE]),
    (task_parameters::check, &[rules::MISSING_PARAMETER, rules::PARAMETER_TYPE, rules::UNKNOWN_PARAMETER]),
    (title_type::check, &[rules::OPERATOR_TYPE, rules::PARAMETER_TYPE]),
    (unknown_attribute::check, &[rules::UNKNOWN_ATTRIBUTE]),
    (unknown_parameter::check, &[rules::UNKNOWN_PARAMETER]),
    (unqualified_command::check, &[rules::ATTRIBUTE_VALUE]),
    // After the rules that report a wrong value.
    (misread_interpolation::check_words, &[rules::MISREAD_INTERPOLATION]),
];
