//! `unquoted-file-mode`: a mode is a number, and the type `file` takes strings.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{ExprKind, Resource, ResourceBody};

use super::{Style, attribute, type_name};

pub(super) fn check(style: &mut Style<'_>, resource: &Resource, body: &ResourceBody) {
    if !matches!(type_name(resource), Some("file" | "concat")) {
        return;
    }
    let Some(value) = attribute(body, "mode").map(|it| &it.value) else { return };
    if matches!(value.kind, ExprKind::Integer { .. } | ExprKind::Name(_)) {
        let fix = style.quoted(value.range, true);
        let finding = style.report(rules::UNQUOTED_FILE_MODE, value.range, "a mode has no quotes");
        finding.fix = Some(fix);
    }
}
