//! The checks of puppet-lint and of the plugins of Vox Pupuli, and what marotte has for each.

use Counterpart::{Format, Refused, Rule};

/// A check of puppet-lint, or of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// As suppressions and configurations name it.
    pub name: &'static str,
    /// What marotte has for it.
    pub counterpart: Counterpart,
    /// Where it is from.
    pub origin: Origin,
}

/// What marotte has for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// A rule of the same meaning, by its name.
    Rule(&'static str),
    /// `marotte format` leaves nothing for the check to find.
    Format,
    /// Nothing, for the reason that `docs/puppet-lint.md` gives.
    Refused,
}

/// Where a check is from.
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
        /// All checks that are known, by where they are from.
        pub static CHECKS: &[Check] =
            &[$($(Check { name: $name, counterpart: $counterpart, origin: Origin::$origin },)*)*];
    };
}

checks! {
    Core {
        "140chars" Rule("long-line"),
        "2sp_soft_tabs" Format,
        "arrow_alignment" Format,
        "arrow_on_right_operand_line" Format,
        "autoloader_layout" Rule("illegal-definition-location"),
        "case_without_default" Rule("case-without-default"),
        "documentation" Rule("missing-documentation"),
        "double_quoted_strings" Rule("needless-double-quotes"),
        "duplicate_params" Rule("duplicate-attribute"),
        "ensure_first_param" Rule("ensure-not-first"),
        "ensure_not_symlink_target" Rule("symlink-target-in-ensure"),
        "file_mode" Rule("file-mode"),
        "hard_tabs" Format,
        "inherits_across_namespaces" Rule("inherits-across-modules"),
        "legacy_facts" Rule("legacy-fact"),
        "names_containing_dash" Rule("illegal-definition-name"),
        "names_containing_uppercase" Rule("illegal-definition-name"),
        "nested_classes_or_defines" Rule("nested-definition"),
        "only_variable_string" Rule("only-variable-string"),
        "parameter_order" Rule("parameter-order"),
        "puppet_url_without_modules" Rule("puppet-url-without-modules"),
        "right_to_left_relationship" Rule("right-to-left-arrow"),
        "selector_inside_resource" Rule("selector-in-resource"),
        "single_quote_string_with_variables" Rule("single-quoted-variable"),
        "slash_comments" Rule("syntax-error"),
        "space_before_arrow" Format,
        "star_comments" Rule("star-comment"),
        "top_scope_facts" Rule("top-scope-fact"),
        "trailing_whitespace" Format,
        "unquoted_file_mode" Rule("unquoted-file-mode"),
        "unquoted_node_name" Rule("unquoted-node-name"),
        "unquoted_resource_title" Rule("unquoted-resource-title"),
        "variable_contains_dash" Refused,
        "variable_is_lowercase" Rule("uppercase-variable"),
        "variable_scope" Rule("implicit-top-scope"),
        "variables_not_enclosed" Rule("unenclosed-variable"),
    }
    CoreOff {
        "80chars" Refused,
        "class_inherits_from_params_class" Rule("inherits-params-class"),
        "code_on_top_scope" Rule("top-scope-code"),
        "quoted_booleans" Rule("quoted-boolean"),
    }
    Plugin {
        "anchor_resource" Rule("anchor-resource"),
        "appends" Rule("appends-deletes-no-longer-supported"),
        "empty_string_assignment" Rule("empty-string-assignment"),
        "exec_idempotency" Rule("exec-without-condition"),
        "file_ensure" Rule("file-ensure-present"),
        "leading_zero" Rule("leading-zero"),
        "lookup_in_parameter" Rule("lookup-in-parameter"),
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
        "optional_default" Rule("optional-with-default"),
        "package_ensure" Rule("package-ensure-latest"),
        "parameter_documentation" Rule("parameter-documentation"),
        "parameter_types" Rule("untyped-parameter"),
        "params_empty_string_assignment" Rule("empty-string-default"),
        "params_not_optional_with_undef" Rule("default-value-type"),
        "reference_on_declaration_outside_of_class" Refused,
        "reference_on_foreign_class" Refused,
        "relative_classname_inclusion" Rule("absolute-class-name"),
        "relative_classname_reference" Rule("absolute-class-name"),
        "resource_reference_chain_without_whitespace" Rule("syntax-error"),
        "resource_reference_with_unquoted_title" Rule("unquoted-reference-title"),
        "resource_reference_without_title_capital" Rule("capitalized-reference-title"),
        "resource_reference_without_whitespace" Rule("syntax-error"),
        "spaceship_operator_without_tag" Rule("collector-without-query"),
        "strict_indent" Format,
        "topscope_variable" Rule("absolute-variable-name"),
        "trailing_comma" Format,
        "undef_in_function" Refused,
        "unquoted_string_in_case" Rule("unquoted-option"),
        "unquoted_string_in_selector" Rule("unquoted-option"),
        "variable_contains_upcase" Rule("uppercase-variable"),
        "version_comparison" Rule("version-as-number"),
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

/// The rule that has the meaning of a check.
pub fn rule_of(check: &str) -> Option<&'static str> {
    match self::check(check)?.counterpart {
        Rule(name) => Some(name),
        Format | Refused => None,
    }
}

/// Returns the rule that finds some of the same places as the counterpart of a check, with more certainty: a comment that
/// silences the check also silences this rule.
pub fn narrower(counterpart: &str) -> Option<&'static str> {
    match counterpart {
        "case-without-default" => Some("missing-option"),
        "single-quoted-variable" => Some("misread-interpolation"),
        _ => None,
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
    use crate::rules::rule;

    #[test]
    fn checks_are_named_once_and_their_rules_exist() {
        for (at, check) in CHECKS.iter().enumerate() {
            assert!(CHECKS[..at].iter().all(|it| it.name != check.name), "{} twice", check.name);
            if let Rule(name) = check.counterpart {
                assert!(rule(name).is_some(), "{}: there is no rule `{name}`", check.name);
            }
        }
    }

    #[test]
    fn all_forty_checks_of_puppet_lint_are_there() {
        assert_eq!(CHECKS.iter().filter(|it| it.origin != Origin::Plugin).count(), 40);
    }
}
