//! Issues that only evaluation can find: reported in the same form as rules, but never selected or silenced.

use crate::Level;
use crate::rules::{Rule, rules};

rules! {
    /// All issues of evaluation whose names aren't rules.
    ISSUES in "issues":
    Evaluation {
        "unknown-variable", Error, Some("UNKNOWN_VARIABLE"), "A variable is read that nobody has set";
        "unknown-function", Error, Some("UNKNOWN_FUNCTION"), "A function is called that does not exist";
        "unknown-resource-type", Error, Some("UNKNOWN_RESOURCE_TYPE"), "A type is named that does not exist";
        "operator-not-applicable", Error, Some("OPERATOR_NOT_APPLICABLE"), "An operator does not work on the value to its left";
        "operator-not-applicable-when", Error, Some("OPERATOR_NOT_APPLICABLE_WHEN"), "An operator does not work on these two values together";
        "comparison-not-possible", Error, Some("COMPARISON_NOT_POSSIBLE"), "Two values have no order";
        "not-numeric", Error, Some("NOT_NUMERIC"), "A text is used as a number, and is none";
        "numeric-coercion", Error, Some("NUMERIC_COERCION"), "A text is used as a number";
        "div-by-zero", Error, Some("DIV_BY_ZERO"), "A number is divided by zero";
        "result-is-infinity", Error, Some("RESULT_IS_INFINITY"), "A result is too large for a floating-point number";
        "match-not-regexp", Error, Some("MATCH_NOT_REGEXP"), "What a text is matched with is not a regular expression";
        "match-not-string", Error, Some("MATCH_NOT_STRING"), "Something else than a text is matched with a regular expression";
        "illegal-reassignment", Error, Some("ILLEGAL_REASSIGNMENT"), "A variable is assigned for the second time";
        "illegal-reserved-assignment", Error, Some("ILLEGAL_RESERVED_ASSIGNMENT"), "A variable of the language itself is assigned";
        "illegal-multi-assignment-size", Error, Some("ILLEGAL_MULTI_ASSIGNMENT_SIZE"), "An array of variables and the array assigned to it differ in size";
        "missing-multi-assignment-key", Error, Some("MISSING_MULTI_ASSIGNMENT_KEY"), "A hash that variables are assigned from lacks a key";
        "unmatched-selector", Error, Some("UNMATCHED_SELECTOR"), "No option of a selector matches, and there is no default";
        "type-mismatch", Error, Some("TYPE_MISMATCH"), "A value appears where a type is needed";
        "bad-array-slice-arity", Error, Some("BAD_ARRAY_SLICE_ARITY"), "An array is accessed with too few or too many keys";
        "bad-string-slice-arity", Error, Some("BAD_STRING_SLICE_ARITY"), "A text is accessed with too few or too many keys";
        "bad-hash-slice-arity", Error, Some("BAD_HASH_SLICE_ARITY"), "A hash is accessed without a key";
        "bad-slice-key-type", Error, Some("BAD_SLICE_KEY_TYPE"), "An array is accessed with something else than an index";
        "bad-string-slice-key-type", Error, Some("BAD_STRING_SLICE_KEY_TYPE"), "A text is accessed with something else than an index";
        "required-parameter-after-optional", Error, Some("REQUIRED_PARAMETER_AFTER_OPTIONAL"), "A parameter without a default follows one with a default";
        "missing-required-parameter", Error, Some("MISSING_REQUIRED_PARAMETER"), "A parameter has no value";
        "catalog-operation-not-supported", Error, Some("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING"), "A resource, relationship or collector is evaluated where there is no catalog";
        "runtime-error", Error, Some("RUNTIME_ERROR"), "A function or conversion fails";
        "lookup-error", Error, None, "A lookup of data ends without a value";
        "hiera-unsupported-version", Error, Some("HIERA_UNSUPPORTED_VERSION"), "A `hiera.yaml` has a version that does not exist";
        "hiera-version-3-not-global", Error, Some("HIERA_VERSION_3_NOT_GLOBAL"), "A `hiera.yaml` of version 3 appears in an environment or a module";
        "hiera-unsupported-version-in-global", Error, Some("HIERA_UNSUPPORTED_VERSION_IN_GLOBAL"), "A `hiera.yaml` of version 4 appears in the global layer";
        "hiera-undefined-variable", Error, Some("HIERA_UNDEFINED_VARIABLE"), "A `hiera.yaml` interpolates a variable that does not exist";
        "hiera-backend-multiply-defined", Error, Some("HIERA_BACKEND_MULTIPLY_DEFINED"), "A `hiera.yaml` of version 3 names a back end twice";
        "hiera-no-provider-for-backend", Error, Some("HIERA_NO_PROVIDER_FOR_BACKEND"), "A `hiera.yaml` of version 4 names an unknown back end";
        "hiera-hierarchy-name-multiply-defined", Error, Some("HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED"), "Two levels of a hierarchy have one name";
        "hiera-v3-backend-not-global", Error, Some("HIERA_V3_BACKEND_NOT_GLOBAL"), "A back end of Hiera 3 is used outside of the global layer";
        "hiera-default-hierarchy-not-in-module", Error, Some("HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE"), "`default_hierarchy` stands outside of a module";
        "hiera-v3-backend-replaced-by-data-hash", Error, Some("HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH"), "A back end of Hiera 3 is named that is a function now";
        "hiera-missing-data-provider-function", Error, Some("HIERA_MISSING_DATA_PROVIDER_FUNCTION"), "A level names no function";
        "hiera-multiple-data-provider-functions", Error, Some("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS"), "A level names several functions";
        "hiera-multiple-data-provider-functions-in-default", Error, Some("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT"), "The defaults name several functions";
        "hiera-multiple-location-specs", Error, Some("HIERA_MULTIPLE_LOCATION_SPECS"), "A level says in several ways where its data is";
        "hiera-option-reserved-by-puppet", Error, Some("HIERA_OPTION_RESERVED_BY_PUPPET"), "An option of a level has a name that Hiera uses";
        "hiera-default-option-reserved-by-puppet", Error, Some("HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET"), "An option of the defaults has a name that Hiera uses";
        "hiera-data-provider-function-not-found", Error, Some("HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND"), "A level names a function that does not exist";
        "hiera-interpolation-alias-not-entire-string", Error, Some("HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING"), "`alias` is only a part of a text";
        "hiera-interpolation-unknown-interpolation-method", Error, Some("HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD"), "An interpolation calls an unknown function";
        "hiera-interpolation-method-syntax-not-allowed", Error, Some("HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED"), "An interpolation calls a function where only variables may appear";
        "invalid-heredoc-text", Error, None, "A heredoc's text does not comply with the syntax that its header declares";
        "call-depth-limit", Error, None, "Calls are nested too deeply";
        "iteration-limit", Error, None, "Lambdas are called too often";
        "string-size-limit", Error, None, "A text becomes too long";
        "collection-size-limit", Error, None, "A collection becomes too large";
        "value-size-limit", Error, None, "A value becomes too large, with all that is in it";
        "value-nesting-limit", Error, None, "A value is nested too deeply";
        "copy-limit", Error, None, "Collections and texts are made without end";
        "step-limit", Error, None, "A program takes too many steps";
        "memory-limit", Error, None, "The values of a program take too much memory";
        "time-limit", Error, None, "A program takes too long";
        "ruby-limit", Error, None, "A function or template in Ruby takes too much";
        "unsupported-operator", Error, Some("UNSUPPORTED_OPERATOR"), "An operator has no meaning here";
        "legacy-strftime", Warning, None, "`strftime` is called with a format alone";
        "abs-function-numeric-coerce-string", Warning, None, "`abs` converts a text to a number";
        "ceiling-function-numeric-coerce-string", Warning, None, "`ceiling` converts a text to a number";
        "floor-function-numeric-coerce-string", Warning, None, "`floor` converts a text to a number";
        "regsubst-function-encoding", Warning, None, "`regsubst` is given an encoding";
    }
}

/// The issue with this name.
pub fn issue(name: &str) -> Option<&'static Rule> {
    ISSUES.iter().find(|issue| issue.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rule;

    #[test]
    fn issues_have_names_of_their_own_and_pages_headed_by_them() {
        for (at, issue) in ISSUES.iter().enumerate() {
            assert!(rule(issue.name).is_none(), "{} is a rule", issue.name);
            assert!(ISSUES[..at].iter().all(|earlier| earlier.name != issue.name), "{} twice", issue.name);
            assert_eq!(issue.page.lines().next(), Some(format!("# {}", issue.name).as_str()));
        }
    }
}
