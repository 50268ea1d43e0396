//! `needless-double-quotes`: a string in double quotes contains nothing that requires them.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    if !matches!(expr.kind, ExprKind::String(_)) || style.quote(expr) != Some('"') {
        return;
    }
    let written = style.source(expr.range);
    let Some(inner) = written.strip_prefix('"').and_then(|it| it.strip_suffix('"')) else { return };
    if inner.contains(['\\', '\'', '"', '\n', '\r', '\t']) {
        return;
    }
    let finding = style.report(
        rules::NEEDLESS_DOUBLE_QUOTES,
        expr.range,
        "a string in double quotes has no interpolation",
    );
    finding.fix = Some(replace(expr.range, format!("'{inner}'"), true));
}
