//! `quoted-boolean`: `'true'` and `'false'` are strings, which are both true.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::String(text) = &expr.kind else { return };
    if is_option(style, expr) {
        return;
    }
    if matches!(text.as_str(), "true" | "false") && style.quote(expr).is_some() {
        let finding =
            style.report(rules::QUOTED_BOOLEAN, expr.range, format!("`'{text}'` is a string, not a boolean"));
        finding.fix = Some(replace(expr.range, text.to_string(), false));
    }
}

/// Whether an expression is an option of a `case` or a selector, which is compared with values that may be strings: the rule
/// `impossible-match` examines whether they can be equal.
fn is_option(style: &Style<'_>, expr: &Expr) -> bool {
    match style.parent().map(|it| &it.kind) {
        Some(ExprKind::Case(case)) => {
            case.options.iter().flat_map(|it| &it.values).any(|it| it.range == expr.range)
        }
        Some(ExprKind::Selector(selector)) => selector.entries.iter().any(|it| it.key.range == expr.range),
        _ => false,
    }
}
