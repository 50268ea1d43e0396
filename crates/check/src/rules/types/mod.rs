//! Rules about the types and values of expressions.

pub(in crate::rules) mod always_false_condition;
pub(in crate::rules) mod always_true_condition;
pub(in crate::rules) mod argument_count;
pub(in crate::rules) mod argument_type;
pub(in crate::rules) mod catalog_arguments;
pub(in crate::rules) mod conversion;
pub(in crate::rules) mod default_value_type;
pub(in crate::rules) mod destructuring;
pub(in crate::rules) mod duplicate_case_option;
pub(in crate::rules) mod fact_value;
pub(in crate::rules) mod impossible_match;
pub(in crate::rules) mod invalid_format_string;
pub(in crate::rules) mod invalid_regex;
pub(in crate::rules) mod lambda_parameters;
mod match_operands;
pub(crate) mod mismatch;
pub(in crate::rules) mod misread_interpolation;
pub(in crate::rules) mod missing_option;
pub(in crate::rules) mod near_key;
pub(crate) mod operand_kinds;
pub(in crate::rules) mod operator_precedence;
pub(in crate::rules) mod operator_type;
pub(in crate::rules) mod refused_values;
pub(in crate::rules) mod return_type;
pub(in crate::rules) mod sensitive_leak;
pub(in crate::rules) mod string_format;
pub(in crate::rules) mod type_arguments;
mod undef_operand;
pub(in crate::rules) mod unknown_struct_key;
pub(in crate::rules) mod unreachable_code;

use marotte_diagnostics::rules;

use super::ItemCheck;

/// The rules that examine one item at a time.
pub(super) const OF_ITEMS: &[ItemCheck] = &[
    (always_false_condition::check, &[rules::ALWAYS_FALSE_CONDITION]),
    (always_true_condition::check, &[rules::ALWAYS_TRUE_CONDITION]),
    (argument_count::check, &[rules::ARGUMENT_COUNT]),
    (argument_type::check, &[rules::ARGUMENT_TYPE]),
    (catalog_arguments::check, &[rules::ARGUMENT_TYPE]),
    (conversion::check, &[rules::ARGUMENT_COUNT, rules::ARGUMENT_TYPE]),
    (default_value_type::check, &[rules::DEFAULT_VALUE_TYPE]),
    (destructuring::check, &[rules::OPERATOR_TYPE]),
    (duplicate_case_option::check, &[rules::DUPLICATE_CASE_OPTION]),
    (fact_value::check, &[rules::IMPOSSIBLE_MATCH]),
    (impossible_match::check, &[rules::IMPOSSIBLE_MATCH]),
    (invalid_format_string::check, &[rules::INVALID_FORMAT_STRING]),
    (invalid_regex::check, &[rules::INVALID_REGEX]),
    (lambda_parameters::check, &[rules::ARGUMENT_COUNT, rules::ARGUMENT_TYPE]),
    (misread_interpolation::check, &[rules::MISREAD_INTERPOLATION]),
    (missing_option::check, &[rules::MISSING_OPTION]),
    (operator_precedence::check, &[rules::OPERATOR_PRECEDENCE]),
    (operator_type::check, &[rules::OPERATOR_TYPE]),
    (refused_values::check, &[rules::ARGUMENT_TYPE]),
    (return_type::check, &[rules::RETURN_TYPE]),
    (sensitive_leak::check, &[rules::SENSITIVE_LEAK]),
    (type_arguments::check, &[rules::ARGUMENT_COUNT, rules::ARGUMENT_TYPE, rules::INVALID_REGEX]),
    (unknown_struct_key::check, &[rules::UNRESOLVED_VARIABLE]),
    (near_key::check, &[rules::UNRESOLVED_VARIABLE]),
    (unreachable_code::check, &[rules::UNREACHABLE_CODE]),
];
