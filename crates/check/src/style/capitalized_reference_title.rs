//! `capitalized-reference-title`: `File[Motd]` has a type in the place of a title.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Access, ExprKind};

use super::Style;
use super::unquoted_reference_title::is_relationship;

pub(super) fn check(style: &mut Style<'_>, access: &Access) {
    if !is_relationship(style, access) {
        return;
    }
    for key in &access.keys {
        if matches!(key.kind, ExprKind::Reference(_)) {
            let finding = style.report(
                rules::CAPITALIZED_REFERENCE_TITLE,
                key.range,
                "a type is used as the title of a resource",
            );
            finding.label = Some("a title is a string".to_owned());
        }
    }
}
