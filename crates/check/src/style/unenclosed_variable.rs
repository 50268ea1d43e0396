//! `unenclosed-variable`: a variable in a string isn't enclosed in braces.

use marotte_diagnostics::rules;
use marotte_syntax::ast::{Expr, ExprKind, Segment};

use super::{Style, replace};

pub(super) fn check(style: &mut Style<'_>, expr: &Expr) {
    let ExprKind::Interpolated(segments) = &expr.kind else { return };
    for segment in segments {
        let Segment::Expr(variable) = segment else { continue };
        let written = style.source(variable.range);
        let Some(name) = written.strip_prefix('$') else { continue };
        if style.before(variable.range.start()).ends_with("${") || !is_plain(variable) {
            continue;
        }
        let fix = replace(variable.range, format!("${{{name}}}"), true);
        // Puppet rejects booleans in braces, and reads all other words there as variables.
        let is_boolean = matches!(name.split('[').next(), Some("true" | "false"));
        let finding =
            style.report(rules::UNENCLOSED_VARIABLE, variable.range, format!("`{written}` has no braces"));
        finding.fix = (!is_boolean).then_some(fix);
    }
}

/// Whether an interpolation is a variable or an access to one. In braces, other code may start with a `$`, too, as in `${$a +
/// 1}`.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Access(access) => is_plain(&access.target),
        _ => false,
    }
}
