//! The checks of puppet-lint and of the plugins of Vox Pupuli, and what marotte has for each.

use crate::rules;
use Counterpart::{Format, Refused, Rule};

/// A check of puppet-lint, or of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the check in suppressions and configurations.
    pub name: &'static str,
    /// The counterpart of the check in marotte.
    pub counterpart: Counterpart,
    /// The gem that contains the check.
    pub origin: Origin,
}

/// The counterpart of a check in marotte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// A rule of the same meaning.
    Rule(&'static rules::Rule),
    /// `marotte format` leaves nothing for the check to find.
    Format,
    /// None, for the reason in `docs/puppet-lint.md`.
    Refused,
}

/// The origin of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// puppet-lint has it, and it is on unless it is turned off.
    Core,
    /// puppet-lint has it, and it is off unless it is turned on.
    CoreOff,
    /// A plugin has it.
    Plugin,
}

macro_rules! checks {
    ($($origin:ident { $($name:literal $counterpart:expr,)* })*) => {
        /// All known checks, grouped by their origin.
        pub static CHECKS: &[Check] =
            &[$($(Check { name: $name, counterpart: $counterpart, origin: Origin::$origin },)*)*];
    };
}

checks! {
    Core {
        "140chars" Rule(rules::LONG_LINE),
        "2sp_soft_tabs" Format,
        "arrow_alignment" Format,
        "arrow_on_right_operand_line" Format,
        "autoloader_layout" Rule(rules::ILLEGAL_DEFINITION_LOCATION),
        "case_without_default" Rule(rules::CASE_WITHOUT_DEFAULT),
        "documentation" Rule(rules::MISSING_DOCUMENTATION),
        "double_quoted_strings" Rule(rules::NEEDLESS_DOUBLE_QUOTES),
        "duplicate_params" Rule(rules::DUPLICATE_ATTRIBUTE),
        "ensure_first_param" Rule(rules::ENSURE_NOT_FIRST),
        "ensure_not_symlink_target" Rule(rules::SYMLINK_TARGET_IN_ENSURE),
        "file_mode" Rule(rules::FILE_MODE),
        "hard_tabs" Format,
        "inherits_across_namespaces" Rule(rules::INHERITS_ACROSS_MODULES),
        "legacy_facts" Rule(rules::LEGACY_FACT),
        "names_containing_dash" Rule(rules::ILLEGAL_DEFINITION_NAME),
        "names_containing_uppercase" Rule(rules::ILLEGAL_DEFINITION_NAME),
        "nested_classes_or_defines" Rule(rules::NESTED_DEFINITION),
        "only_variable_string" Rule(rules::ONLY_VARIABLE_STRING),
        "parameter_order" Rule(rules::PARAMETER_ORDER),
        "puppet_url_without_modules" Rule(rules::PUPPET_URL_WITHOUT_MODULES),
        "right_to_left_relationship" Rule(rules::RIGHT_TO_LEFT_ARROW),
        "selector_inside_resource" Rule(rules::SELECTOR_IN_RESOURCE),
        "single_quote_string_with_variables" Rule(rules::SINGLE_QUOTED_VARIABLE),
        "slash_comments" Rule(rules::SYNTAX_ERROR),
        "space_before_arrow" Format,
        "star_comments" Rule(rules::STAR_COMMENT),
        "top_scope_facts" Rule(rules::TOP_SCOPE_FACT),
        "trailing_whitespace" Format,
        "unquoted_file_mode" Rule(rules::UNQUOTED_FILE_MODE),
        "unquoted_node_name" Rule(rules::UNQUOTED_NODE_NAME),
        "unquoted_resource_title" Rule(rules::UNQUOTED_RESOURCE_TITLE),
        "variable_contains_dash" Refused,
        "variable_is_lowercase" Rule(rules::UPPERCASE_VARIABLE),
        "variable_scope" Rule(rules::IMPLICIT_TOP_SCOPE),
        "variables_not_enclosed" Rule(rules::UNENCLOSED_VARIABLE),
    }
    CoreOff {
        "80chars" Refused,
        "class_inherits_from_params_class" Rule(rules::INHERITS_PARAMS_CLASS),
        "code_on_top_scope" Rule(rules::TOP_SCOPE_CODE),
        "quoted_booleans" Rule(rules::QUOTED_BOOLEAN),
    }
    Plugin {
        "anchor_resource" Rule(rules::ANCHOR_RESOURCE),
        "appends" Rule(rules::APPENDS_DELETES_NO_LONGER_SUPPORTED),
        "empty_string_assignment" Rule(rules::EMPTY_STRING_ASSIGNMENT),
        "exec_idempotency" Rule(rules::EXEC_WITHOUT_CONDITION),
        "file_ensure" Rule(rules::FILE_ENSURE_PRESENT),
        "leading_zero" Rule(rules::LEADING_ZERO),
        "lookup_in_parameter" Rule(rules::LOOKUP_IN_PARAMETER),
        "manifest_whitespace_arrows_single_space_after" Format,
        "manifest_whitespace_class_name_single_space_after" Format,
        "manifest_whitespace_class_name_single_space_before" Format,
        "manifest_whitespace_closing_brace_after" Format,
        "manifest_whitespace_closing_brace_before" Format,
        "manifest_whitespace_closing_bracket_after" Format,
        "manifest_whitespace_closing_bracket_before" Format,
        "manifest_whitespace_double_newline_end_of_file" Format,
        "manifest_whitespace_inherits_name_single_space_before" Format,
        "manifest_whitespace_missing_newline_end_of_file" Format,
        "manifest_whitespace_newline_beginning_of_file" Format,
        "manifest_whitespace_opening_brace_after" Format,
        "manifest_whitespace_opening_brace_before" Format,
        "manifest_whitespace_opening_bracket_after" Format,
        "manifest_whitespace_opening_bracket_before" Format,
        "manifest_whitespace_two_empty_lines" Format,
        "optional_default" Rule(rules::OPTIONAL_WITH_DEFAULT),
        "package_ensure" Rule(rules::PACKAGE_ENSURE_LATEST),
        "parameter_documentation" Rule(rules::PARAMETER_DOCUMENTATION),
        "parameter_types" Rule(rules::UNTYPED_PARAMETER),
        "params_empty_string_assignment" Rule(rules::EMPTY_STRING_DEFAULT),
        "params_not_optional_with_undef" Rule(rules::DEFAULT_VALUE_TYPE),
        "reference_on_declaration_outside_of_class" Refused,
        "reference_on_foreign_class" Refused,
        "relative_classname_inclusion" Rule(rules::ABSOLUTE_CLASS_NAME),
        "relative_classname_reference" Rule(rules::ABSOLUTE_CLASS_NAME),
        "resource_reference_chain_without_whitespace" Rule(rules::SYNTAX_ERROR),
        "resource_reference_with_unquoted_title" Rule(rules::UNQUOTED_REFERENCE_TITLE),
        "resource_reference_without_title_capital" Rule(rules::CAPITALIZED_REFERENCE_TITLE),
        "resource_reference_without_whitespace" Rule(rules::SYNTAX_ERROR),
        "spaceship_operator_without_tag" Rule(rules::COLLECTOR_WITHOUT_QUERY),
        "strict_indent" Format,
        "topscope_variable" Rule(rules::ABSOLUTE_VARIABLE_NAME),
        "trailing_comma" Format,
        "undef_in_function" Refused,
        "unquoted_string_in_case" Rule(rules::UNQUOTED_OPTION),
        "unquoted_string_in_selector" Rule(rules::UNQUOTED_OPTION),
        "variable_contains_upcase" Rule(rules::UPPERCASE_VARIABLE),
        "version_comparison" Rule(rules::VERSION_AS_NUMBER),
    }
}

/// Checks of plugins that other people wrote. Nothing is known of them but that they exist.
const OTHERS: [&str; 48] = [
    "absolute_template_path",
    "alias_checks",
    "check_unsafe_interpolations",
    "class_alignment_equals",
    "class_alignment_params",
    "class_equals_alignment",
    "class_params_alignment",
    "class_params_newline",
    "class_parameter",
    "concatenated_template_files",
    "contained_classes",
    "cron_quoted_time",
    "duplicate_class_parameters",
    "ec2_facts",
    "empty_lines_around_body",
    "empty_trailing_lines",
    "explicit_hiera_class_param_lookup",
    "file_line_match",
    "file_source_rights",
    "fileserver",
    "global_definition",
    "global_function",
    "global_resource",
    "hardcoded_secret",
    "hiera",
    "hiera_functions",
    "metrics",
    "no_cron_resources",
    "no_erb_template",
    "no_file_path_attribute",
    "no_symbolic_file_modes",
    "non_erb_template_filename",
    "racism_terminology",
    "relative",
    "resource_outside_class",
    "roles_and_profiles",
    "security_password_in_code",
    "source_without_rights",
    "space_after_comma",
    "suspicious_comment",
    "template_file_extension",
    "uncuddled_else",
    "use_ensure_packages",
    "use_http_without_tls",
    "validate_function_parens",
    "wmf_styleguide",
    "world_writable_files",
    "yumrepo_gpgcheck_enabled",
];

/// The check of this name.
pub fn check(name: &str) -> Option<&'static Check> {
    CHECKS.iter().find(|it| it.name == name)
}

/// The names of all known checks, including those of other people's plugins.
pub fn names() -> impl Iterator<Item = &'static str> {
    CHECKS.iter().map(|it| it.name).chain(OTHERS)
}

/// The rule that has the meaning of a check.
pub fn rule_of(check: &str) -> Option<&'static rules::Rule> {
    match self::check(check)?.counterpart {
        Rule(rule) => Some(rule),
        Format | Refused => None,
    }
}

/// Returns the rule that finds some of the same places as the counterpart of a check, with more certainty: a comment that
/// silences the check also silences this rule.
pub fn narrower(counterpart: &rules::Rule) -> Option<&'static rules::Rule> {
    if counterpart == rules::CASE_WITHOUT_DEFAULT {
        Some(rules::MISSING_OPTION)
    } else if counterpart == rules::SINGLE_QUOTED_VARIABLE {
        Some(rules::MISREAD_INTERPOLATION)
    } else {
        None
    }
}

/// Whether puppet-lint, or a plugin of it that is known, has a check of this name.
pub fn is_check(name: &str) -> bool {
    check(name).is_some()
        || OTHERS.contains(&name)
        || name.starts_with("ghostbuster_")
        || name.starts_with("security_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_named_once() {
        for (at, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[..at].iter().all(|it| it.name != check.name), "{} twice", check.name);
        }
    }

    #[test]
    fn all_forty_checks_of_puppet_lint_are_there() {
        assert_eq!(CHECKS.iter().filter(|it| it.origin != Origin::Plugin).count(), 40);
    }
}
