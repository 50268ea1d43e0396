//! Rules that find unnecessary or deprecated code: editors display these differently.

use lsp_types::DiagnosticTag;
use marotte_diagnostics::{Rule, rules};

const UNNECESSARY: [&Rule; 8] = [
    rules::DUPLICATE_CASE_OPTION,
    rules::IDEM_EXPRESSION_NOT_LAST,
    rules::UNREACHABLE_CODE,
    rules::UNREACHABLE_LEVEL,
    rules::UNUSED_KEY,
    rules::UNUSED_PARAMETER,
    rules::UNUSED_SUPPRESSION,
    rules::UNUSED_VARIABLE,
];

const DEPRECATED: [&Rule; 3] = [rules::DEPRECATED_FUNCTION, rules::DISCONTINUED_IMPORT, rules::LEGACY_FACT];

/// The tag of a rule's diagnostics.
pub(super) fn tag(rule: &Rule) -> Option<DiagnosticTag> {
    if UNNECESSARY.contains(&rule) {
        Some(DiagnosticTag::Unnecessary)
    } else if DEPRECATED.contains(&rule) {
        Some(DiagnosticTag::Deprecated)
    } else {
        None
    }
}
