//! Rules that find unnecessary or deprecated code: editors display these differently.

use lsp_types::DiagnosticTag;

const UNNECESSARY: [&str; 8] = [
    "duplicate-case-option",
    "idem-expression-not-last",
    "unreachable-code",
    "unreachable-level",
    "unused-key",
    "unused-parameter",
    "unused-suppression",
    "unused-variable",
];

const DEPRECATED: [&str; 3] = ["deprecated-function", "discontinued-import", "legacy-fact"];

/// The tag of a rule's diagnostics.
pub(super) fn tag(rule: &str) -> Option<DiagnosticTag> {
    if UNNECESSARY.contains(&rule) {
        Some(DiagnosticTag::Unnecessary)
    } else if DEPRECATED.contains(&rule) {
        Some(DiagnosticTag::Deprecated)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use marotte_diagnostics::rules::rule;

    use super::*;

    #[test]
    fn only_rules_that_exist_have_tags() {
        for name in UNNECESSARY.iter().chain(&DEPRECATED) {
            assert!(rule(name).is_some(), "{name}");
        }
    }
}
