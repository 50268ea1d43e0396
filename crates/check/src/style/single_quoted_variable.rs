//! `single-quoted-variable`: single quotes do not interpolate `${…}`.

use marotte_syntax::ast::{Expr, ExprKind};

use super::Style;

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::String(text) = &expr.kind else { return };
    if style.quote(expr) != Some('\'') || !text.contains("${") || is_template(style) {
        return;
    }
    let finding =
        style.report("single-quoted-variable", expr.range, "a string in single quotes has a variable in it");
    finding.label = Some("written as it is: nothing is interpolated".to_owned());
}

/// Whether a string is a template, which is interpolated later.
fn is_template(style: &Style<'_>) -> bool {
    let Some(ExprKind::Call(call)) = style.parent().map(|it| &it.kind) else { return false };
    matches!(&call.callee.kind, ExprKind::Name(name) if matches!(name.as_str(), "inline_epp" | "inline_template"))
}
