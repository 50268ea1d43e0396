//! `capitalized-reference-title`: `File[Motd]` has a type where a title belongs.

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
                "capitalized-reference-title",
                key.range,
                "a type is used as the title of a resource",
            );
            finding.label = Some("a title is a string".to_owned());
        }
    }
}
