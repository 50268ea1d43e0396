//! `quoted-boolean`: `'true'` and `'false'` are strings, which are both true.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind};

use super::declared_type::{Kind, Takes, parameter_around, takes_at};
use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::String(text) = &expr.kind else { return };
    if !matches!(text.as_str(), "true" | "false") || style.quote(expr).is_none() {
        return;
    }
    if is_option(style, expr) || is_of_type(style) {
        return;
    }
    let parameter = parameter_around(style, expr);
    let takes = parameter.map_or(Takes::Yes, |it| takes_at(style, it, expr, Kind::Boolean));
    if takes == Takes::No {
        return;
    }
    let finding =
        style.report(rules::QUOTED_BOOLEAN, expr.range, format!("`'{text}'` is a string, not a boolean"));
    finding.fix = (takes == Takes::Yes).then(|| replace(expr.range, text.to_string(), false));
}

/// Whether the current expression is in the parameters of a type, such as `Enum['true', 'false']`, where booleans mean nothing.
fn is_of_type(style: &Style<'_>) -> bool {
    style.around.iter().any(
        |it| matches!(&it.kind, ExprKind::Access(it) if matches!(it.target.kind, ExprKind::Reference(_))),
    )
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
