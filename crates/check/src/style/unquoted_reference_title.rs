//! `unquoted-reference-title`: the title in a reference has no quotes.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Access, AttributeName, ExprKind};

use super::Style;

/// The metaparameters that take references.
const RELATIONSHIPS: [&str; 6] = ["require", "subscribe", "notify", "before", "consume", "export"];

pub(super) fn check(style: &mut Style<'_>, access: &Access) {
    if !is_relationship(style, access) {
        return;
    }
    for key in &access.keys {
        if style.is_word(key) {
            let fix = style.quoted(key.range, true);
            let finding = style.report(rules::UNQUOTED_REFERENCE_TITLE, key.range, "a title has no quotes");
            finding.fix = Some(fix);
        }
    }
}

/// Whether a reference is given to an attribute that relates resources.
pub(super) fn is_relationship(style: &Style<'_>, access: &Access) -> bool {
    if !matches!(&access.target.kind, ExprKind::Reference(name) if name != "Class") {
        return false;
    }
    let at = access.target.range.start();
    let resource = style.around.iter().rev().find_map(|it| match &it.kind {
        ExprKind::Resource(resource) => Some(resource),
        _ => None,
    });
    let mut attributes = resource.into_iter().flat_map(|it| &it.bodies).flat_map(|it| &it.attributes);
    attributes.any(|it| {
        it.range.contains(at)
            && matches!(&it.name, AttributeName::Name(name) if RELATIONSHIPS.contains(&name.as_str()))
    })
}
