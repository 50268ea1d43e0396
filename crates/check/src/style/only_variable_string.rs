//! `only-variable-string`: a string holds one variable and nothing else.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Segment};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::Interpolated(segments) = &expr.kind else { return };
    let [Segment::Expr(variable)] = &segments[..] else { return };
    if style.quote(expr) != Some('"') || !is_variable(variable) || is_key(style, expr) {
        return;
    }
    let written = style.source(variable.range);
    let text = if written.starts_with('$') { written.to_owned() } else { format!("${written}") };
    let finding = style.report(rules::ONLY_VARIABLE_STRING, expr.range, "a string holds one variable only");
    finding.label = Some(format!("use `{text}`, unless it is to be made a string"));
    finding.fix = Some(replace(expr.range, text, false));
}

/// Whether an expression is a variable, or an access to a part of one.
fn is_variable(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Access(access) => is_variable(&access.target),
        _ => false,
    }
}

/// Whether a string is the operand before an arrow: keys and options are usually strings.
fn is_key(style: &Style<'_>, expr: &Expr) -> bool {
    style.from(expr.range.end()).trim_start().starts_with("=>")
}
