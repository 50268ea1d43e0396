//! Issues that only evaluation can find: reported in the same form as rules, but never selected or silenced.

use crate::rules::{self, Rule, rules};

rules! {
    /// All issues of evaluation whose names aren't rules.
    ISSUES in "issues":
    Evaluation Evaluation {
        UNKNOWN_VARIABLE = "unknown-variable", Error, Some("UNKNOWN_VARIABLE"), "A variable is read that is never set";
        UNKNOWN_FUNCTION = "unknown-function", Error, Some("UNKNOWN_FUNCTION"), "A function is called that does not exist";
        UNKNOWN_RESOURCE_TYPE = "unknown-resource-type", Error, Some("UNKNOWN_RESOURCE_TYPE"), "A type is named that does not exist";
        OPERATOR_NOT_APPLICABLE = "operator-not-applicable", Error, Some("OPERATOR_NOT_APPLICABLE"), "An operator does not work on the value to its left";
        OPERATOR_NOT_APPLICABLE_WHEN = "operator-not-applicable-when", Error, Some("OPERATOR_NOT_APPLICABLE_WHEN"), "An operator does not work on these two values together";
        COMPARISON_NOT_POSSIBLE = "comparison-not-possible", Error, Some("COMPARISON_NOT_POSSIBLE"), "Two values have no order";
        NOT_NUMERIC = "not-numeric", Error, Some("NOT_NUMERIC"), "A text is used as a number, and is none";
        NUMERIC_COERCION = "numeric-coercion", Error, Some("NUMERIC_COERCION"), "A text is used as a number";
        DIV_BY_ZERO = "div-by-zero", Error, Some("DIV_BY_ZERO"), "A number is divided by zero";
        RESULT_IS_INFINITY = "result-is-infinity", Error, Some("RESULT_IS_INFINITY"), "A result is too large for a floating-point number";
        MATCH_NOT_REGEXP = "match-not-regexp", Error, Some("MATCH_NOT_REGEXP"), "What a text is matched with is not a regular expression";
        MATCH_NOT_STRING = "match-not-string", Error, Some("MATCH_NOT_STRING"), "Something else than a text is matched with a regular expression";
        ILLEGAL_REASSIGNMENT = "illegal-reassignment", Error, Some("ILLEGAL_REASSIGNMENT"), "A variable is assigned for the second time";
        ILLEGAL_RESERVED_ASSIGNMENT = "illegal-reserved-assignment", Error, Some("ILLEGAL_RESERVED_ASSIGNMENT"), "A variable of the language itself is assigned";
        ILLEGAL_MULTI_ASSIGNMENT_SIZE = "illegal-multi-assignment-size", Error, Some("ILLEGAL_MULTI_ASSIGNMENT_SIZE"), "An array of variables and the array assigned to it differ in size";
        MISSING_MULTI_ASSIGNMENT_KEY = "missing-multi-assignment-key", Error, Some("MISSING_MULTI_ASSIGNMENT_KEY"), "A hash that variables are assigned from lacks a key";
        UNMATCHED_SELECTOR = "unmatched-selector", Error, Some("UNMATCHED_SELECTOR"), "No option of a selector matches, and there is no default";
        TYPE_MISMATCH = "type-mismatch", Error, Some("TYPE_MISMATCH"), "A value appears where a type is needed";
        BAD_ARRAY_SLICE_ARITY = "bad-array-slice-arity", Error, Some("BAD_ARRAY_SLICE_ARITY"), "An array is accessed with too few or too many keys";
        BAD_STRING_SLICE_ARITY = "bad-string-slice-arity", Error, Some("BAD_STRING_SLICE_ARITY"), "A text is accessed with too few or too many keys";
        BAD_HASH_SLICE_ARITY = "bad-hash-slice-arity", Error, Some("BAD_HASH_SLICE_ARITY"), "A hash is accessed without a key";
        BAD_SLICE_KEY_TYPE = "bad-slice-key-type", Error, Some("BAD_SLICE_KEY_TYPE"), "An array is accessed with something else than an index";
        BAD_STRING_SLICE_KEY_TYPE = "bad-string-slice-key-type", Error, Some("BAD_STRING_SLICE_KEY_TYPE"), "A text is accessed with something else than an index";
        REQUIRED_PARAMETER_AFTER_OPTIONAL = "required-parameter-after-optional", Error, Some("REQUIRED_PARAMETER_AFTER_OPTIONAL"), "A parameter without a default follows one with a default";
        MISSING_REQUIRED_PARAMETER = "missing-required-parameter", Error, Some("MISSING_REQUIRED_PARAMETER"), "A parameter has no value";
        CATALOG_OPERATION_NOT_SUPPORTED = "catalog-operation-not-supported", Error, Some("CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING"), "A resource, relationship or collector is evaluated where there is no catalog";
        RUNTIME_ERROR = "runtime-error", Error, Some("RUNTIME_ERROR"), "A function or conversion fails";
        LOOKUP_ERROR = "lookup-error", Error, None, "A lookup of data ends without a value";
        HIERA_UNSUPPORTED_VERSION = "hiera-unsupported-version", Error, Some("HIERA_UNSUPPORTED_VERSION"), "A `hiera.yaml` has a version that does not exist";
        HIERA_VERSION_3_NOT_GLOBAL = "hiera-version-3-not-global", Error, Some("HIERA_VERSION_3_NOT_GLOBAL"), "A `hiera.yaml` of version 3 appears in an environment or a module";
        HIERA_UNSUPPORTED_VERSION_IN_GLOBAL = "hiera-unsupported-version-in-global", Error, Some("HIERA_UNSUPPORTED_VERSION_IN_GLOBAL"), "A `hiera.yaml` of version 4 appears in the global layer";
        HIERA_UNDEFINED_VARIABLE = "hiera-undefined-variable", Error, Some("HIERA_UNDEFINED_VARIABLE"), "A `hiera.yaml` interpolates a variable that does not exist";
        HIERA_BACKEND_MULTIPLY_DEFINED = "hiera-backend-multiply-defined", Error, Some("HIERA_BACKEND_MULTIPLY_DEFINED"), "A `hiera.yaml` of version 3 names a back end twice";
        HIERA_NO_PROVIDER_FOR_BACKEND = "hiera-no-provider-for-backend", Error, Some("HIERA_NO_PROVIDER_FOR_BACKEND"), "A `hiera.yaml` of version 4 names an unknown back end";
        HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED = "hiera-hierarchy-name-multiply-defined", Error, Some("HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED"), "Two levels of a hierarchy have one name";
        HIERA_V3_BACKEND_NOT_GLOBAL = "hiera-v3-backend-not-global", Error, Some("HIERA_V3_BACKEND_NOT_GLOBAL"), "A back end of Hiera 3 is used outside of the global layer";
        HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE = "hiera-default-hierarchy-not-in-module", Error, Some("HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE"), "`default_hierarchy` stands outside of a module";
        HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH = "hiera-v3-backend-replaced-by-data-hash", Error, Some("HIERA_V3_BACKEND_REPLACED_BY_DATA_HASH"), "A back end of Hiera 3 is named that is a function now";
        HIERA_MISSING_DATA_PROVIDER_FUNCTION = "hiera-missing-data-provider-function", Error, Some("HIERA_MISSING_DATA_PROVIDER_FUNCTION"), "A level names no function";
        HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS = "hiera-multiple-data-provider-functions", Error, Some("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS"), "A level names several functions";
        HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT = "hiera-multiple-data-provider-functions-in-default", Error, Some("HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT"), "The defaults name several functions";
        HIERA_MULTIPLE_LOCATION_SPECS = "hiera-multiple-location-specs", Error, Some("HIERA_MULTIPLE_LOCATION_SPECS"), "A level says in several ways where its data is";
        HIERA_OPTION_RESERVED_BY_PUPPET = "hiera-option-reserved-by-puppet", Error, Some("HIERA_OPTION_RESERVED_BY_PUPPET"), "An option of a level has a name that Hiera uses";
        HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET = "hiera-default-option-reserved-by-puppet", Error, Some("HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET"), "An option of the defaults has a name that Hiera uses";
        HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND = "hiera-data-provider-function-not-found", Error, Some("HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND"), "A level names a function that does not exist";
        HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING = "hiera-interpolation-alias-not-entire-string", Error, Some("HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING"), "`alias` is only a part of a text";
        HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD = "hiera-interpolation-unknown-interpolation-method", Error, Some("HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD"), "An interpolation calls an unknown function";
        HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED = "hiera-interpolation-method-syntax-not-allowed", Error, Some("HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED"), "An interpolation calls a function where only variables may appear";
        INVALID_HEREDOC_TEXT = "invalid-heredoc-text", Error, None, "A heredoc's text does not comply with the syntax that its header declares";
        CALL_DEPTH_LIMIT = "call-depth-limit", Error, None, "Calls are nested too deeply";
        ITERATION_LIMIT = "iteration-limit", Error, None, "Lambdas are called too often";
        STRING_SIZE_LIMIT = "string-size-limit", Error, None, "A text becomes too long";
        COLLECTION_SIZE_LIMIT = "collection-size-limit", Error, None, "A collection becomes too large";
        VALUE_SIZE_LIMIT = "value-size-limit", Error, None, "A value becomes too large, with all that is in it";
        VALUE_NESTING_LIMIT = "value-nesting-limit", Error, None, "A value is nested too deeply";
        COPY_LIMIT = "copy-limit", Error, None, "Collections and texts are made without end";
        STEP_LIMIT = "step-limit", Error, None, "A program takes too many steps";
        MEMORY_LIMIT = "memory-limit", Error, None, "The values of a program take too much memory";
        TIME_LIMIT = "time-limit", Error, None, "A program takes too long";
        RUBY_LIMIT = "ruby-limit", Error, None, "A function or template in Ruby takes too much";
        UNSUPPORTED_OPERATOR = "unsupported-operator", Error, Some("UNSUPPORTED_OPERATOR"), "An operator has no meaning here";
        LEGACY_STRFTIME = "legacy-strftime", Warning, None, "`strftime` is called with a format alone";
        ABS_FUNCTION_NUMERIC_COERCE_STRING = "abs-function-numeric-coerce-string", Warning, None, "`abs` converts a text to a number";
        CEILING_FUNCTION_NUMERIC_COERCE_STRING = "ceiling-function-numeric-coerce-string", Warning, None, "`ceiling` converts a text to a number";
        FLOOR_FUNCTION_NUMERIC_COERCE_STRING = "floor-function-numeric-coerce-string", Warning, None, "`floor` converts a text to a number";
        REDEFINITION = "redefinition", Error, None, "A definition has the name of another one";
        ILLEGAL_RESOURCE_TYPE = "illegal-resource-type", Error, Some("ILLEGAL_RESOURCE_TYPE"), "A resource is declared, or given defaults, of something that is not a resource type";
        MISSING_TITLE = "missing-title", Error, Some("MISSING_TITLE"), "The title of a resource is `undef`";
        MISSING_TITLE_AT = "missing-title-at", Error, Some("MISSING_TITLE_AT"), "One of several titles of a resource is `undef`";
        EMPTY_STRING_TITLE_AT = "empty-string-title-at", Error, Some("EMPTY_STRING_TITLE_AT"), "The title of a resource is the empty string";
        ILLEGAL_TITLE_TYPE_AT = "illegal-title-type-at", Error, Some("ILLEGAL_TITLE_TYPE_AT"), "The title of a resource is not a string";
        DUPLICATE_TITLE = "duplicate-title", Error, Some("DUPLICATE_TITLE"), "A title appears twice in one resource expression";
        UNKNOWN_RESOURCE = "unknown-resource", Error, Some("UNKNOWN_RESOURCE"), "An attribute or a variable of a resource that does not exist is accessed";
        UNKNOWN_RESOURCE_PARAMETER = "unknown-resource-parameter", Error, Some("UNKNOWN_RESOURCE_PARAMETER"), "An attribute that a resource does not have is accessed";
        MISSING_MULTI_ASSIGNMENT_VARIABLE = "missing-multi-assignment-variable", Error, Some("MISSING_MULTI_ASSIGNMENT_VARIABLE"), "A class lacks a variable that is assigned from it";
        DEFAULT_ALREADY_DEFINED = "default-already-defined", Error, None, "The default of an attribute is set twice in one scope";
        ILLEGAL_OVERRIDDEN_TYPE = "illegal-overridden-type", Error, Some("ILLEGAL_OVERRIDDEN_TYPE"), "Something that is not a resource is overridden";
        OVERRIDE_FROM_ELSEWHERE = "override-from-elsewhere", Error, None, "An attribute is overridden by code that may not override it";
        OVERRIDE_OF_EVALUATED_RESOURCE = "override-of-evaluated-resource", Error, None, "A resource of a defined type is overridden after its body was evaluated";
        PARAMETER_ALREADY_SET = "parameter-already-set", Error, None, "An attribute that is set already is set again";
        MISSING_OVERRIDDEN_RESOURCE = "missing-overridden-resource", Error, None, "A resource that is overridden is declared nowhere";
        MISSING_REALIZED_RESOURCE = "missing-realized-resource", Error, None, "A virtual resource that is realized is declared nowhere";
        INVALID_REFERENCE = "invalid-reference", Error, None, "A value is not a reference to a resource";
        MISSING_RELATIONSHIP_END = "missing-relationship-end", Error, None, "A relationship refers to a resource that the catalog does not contain";
        ILLEGAL_RELATIONSHIP_OPERAND_TYPE = "illegal-relationship-operand-type", Error, Some("ILLEGAL_RELATIONSHIP_OPERAND_TYPE"), "An operand of a relationship is not a reference";
        NOT_CATALOG_TYPE = "not-catalog-type", Error, Some("NOT_CATALOG_TYPE"), "An operand of a relationship is a type that is not a resource or class";
        UNMATCHED_NODE = "unmatched-node", Error, None, "No node definition matches the node";
        TOO_MANY_ROUNDS = "too-many-rounds", Error, None, "Collectors and defined types create resources without end";
        UNKNOWN_VALUE = "unknown-value", Error, None, "Something cannot be evaluated without a value that is not known";
        METAPARAMETER_INHERITS = "metaparameter-inherits", Warning, None, "A parameter has the name of a metaparameter";
        RT_NO_STORECONFIGS = "rt-no-storeconfigs", Warning, Some("RT_NO_STORECONFIGS"), "Exported resources are collected, and there is no PuppetDB that has them";
        RT_NO_STORECONFIGS_EXPORT = "rt-no-storeconfigs-export", Warning, Some("RT_NO_STORECONFIGS_EXPORT"), "A resource is exported, and there is no PuppetDB that stores it";
        NUMERIC_EMPTY = "numeric-empty", Warning, None, "`empty` is called with a number";
        RUBY_WORKER = "ruby-worker", Warning, None, "A worker process of Ruby failed";
        FOLLOWS_FROM_ANOTHER_ERROR = "follows-from-another-error", Error, None, "A variable has no value because of an earlier error";
        MAX_FUNCTION_NUMERIC_COERCE_STRING = "max-function-numeric-coerce-string", Warning, None, "`max` converts a text to a number";
        MAX_FUNCTION_STRING_COERCE_ANY = "max-function-string-coerce-any", Warning, None, "`max` compares values as texts";
        MIN_FUNCTION_NUMERIC_COERCE_STRING = "min-function-numeric-coerce-string", Warning, None, "`min` converts a text to a number";
        MIN_FUNCTION_STRING_COERCE_ANY = "min-function-string-coerce-any", Warning, None, "`min` compares values as texts";
        BAD_TYPE_SLICE_ARITY = "bad-type-slice-arity", Error, Some("BAD_TYPE_SLICE_ARITY"), "A type is given too few or too many arguments";
        BAD_INTEGER_SLICE_ARITY = "bad-integer-slice-arity", Error, Some("BAD_INTEGER_SLICE_ARITY"), "A range is given too few or too many bounds";
        BAD_INTEGER_SLICE_TYPE = "bad-integer-slice-type", Error, Some("BAD_INTEGER_SLICE_TYPE"), "A bound of a range is not a number";
        BAD_COLLECTION_SLICE_TYPE = "bad-collection-slice-type", Error, Some("BAD_COLLECTION_SLICE_TYPE"), "A size of a collection is not an integer";
        BAD_TYPE_SLICE_TYPE = "bad-type-slice-type", Error, Some("BAD_TYPE_SLICE_TYPE"), "An argument of a type is not a type";
        BAD_NOT_UNDEF_SLICE_TYPE = "bad-not-undef-slice-type", Error, Some("BAD_NOT_UNDEF_SLICE_TYPE"), "The argument of `NotUndef` is neither a type nor a string";
        BAD_TYPE_SPECIALIZATION = "bad-type-specialization", Error, Some("BAD_TYPE_SPECIALIZATION"), "An argument of a type has a value that the type does not take";
        ILLEGAL_RESOURCE_SPECIALIZATION = "illegal-resource-specialization", Error, Some("ILLEGAL_RESOURCE_SPECIALIZATION"), "The first argument of `Resource` is not the name of a resource type";
        ILLEGAL_HOSTCLASS_NAME = "illegal-hostclass-name", Error, Some("ILLEGAL_HOSTCLASS_NAME"), "The name of a class is not a string";
        ILLEGAL_NAME = "illegal-name", Error, Some("ILLEGAL_NAME"), "The name of a class is not acceptable";
        REGSUBST_FUNCTION_ENCODING = "regsubst-function-encoding", Warning, None, "`regsubst` is given an encoding";
    }
}

/// The issue with this name.
pub fn issue(name: &str) -> Option<&'static Rule> {
    ISSUES.iter().find(|issue| issue.name == name).copied()
}

/// The rule or issue with a name that comes from a crate below this one, whose errors only have names: those of `pcore` and
/// `hiera`. A test compares all their names with the registry.
pub fn declared(name: &str) -> &'static Rule {
    rules::rule(name).or_else(|| issue(name)).unwrap_or(RUNTIME_ERROR)
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
