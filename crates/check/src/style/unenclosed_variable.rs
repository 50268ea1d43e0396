//! `unenclosed-variable`: a variable in a string has no braces around it.

use marotte_syntax::ast::{Expr, ExprKind, Segment};

use super::{Style, replace};

/// What means something else in braces.
const WORDS: [&str; 21] = [
    "and",
    "case",
    "class",
    "default",
    "define",
    "else",
    "elsif",
    "false",
    "function",
    "if",
    "in",
    "inherits",
    "node",
    "or",
    "true",
    "undef",
    "unless",
    "type",
    "attr",
    "private",
    "application",
];

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
        let is_word = WORDS.contains(&name);
        let finding =
            style.report("unenclosed-variable", variable.range, format!("`{written}` has no braces"));
        finding.fix = (!is_word).then_some(fix);
    }
}

/// In braces, code may start with a `$`, too: `${$a + 1}`.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Access(access) => is_plain(&access.target),
        _ => false,
    }
}
