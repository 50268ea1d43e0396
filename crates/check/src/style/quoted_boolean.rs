//! `quoted-boolean`: `'true'` and `'false'` are strings, and both are true.

use marotte_syntax::ast::{Expr, ExprKind};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::String(text) = &expr.kind else { return };
    if matches!(text.as_str(), "true" | "false") && style.quote(expr).is_some() {
        let finding =
            style.report("quoted-boolean", expr.range, format!("`'{text}'` is a string, not a boolean"));
        finding.fix = Some(replace(expr.range, text.to_string(), false));
    }
}
