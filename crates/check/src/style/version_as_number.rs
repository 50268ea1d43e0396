//! `version-as-number`: a version is compared as a number, or character by character.

use marotte_diagnostics::{Fix, rules};
use marotte_syntax::ast::{Binary, BinaryOp, Expr, ExprKind};
use marotte_text::TextRange;

use super::{Style, literal, replace};

pub(super) fn check(style: &mut Style<'_>, binary: &Binary) {
    let ExprKind::Variable(name) = &binary.left.kind else { return };
    if !(name.ends_with("version") || name.ends_with("release")) || !is_comparison(binary) {
        return;
    }
    let fix = with_versioncmp(style, binary);
    let finding =
        style.report(rules::VERSION_AS_NUMBER, binary.left.range, "a version is compared as a number");
    finding.label = Some("use `versioncmp`".to_owned());
    finding.fix = fix;
}

fn is_comparison(binary: &Binary) -> bool {
    match binary.op {
        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => true,
        BinaryOp::Equal | BinaryOp::NotEqual => is_number(&binary.right),
        _ => false,
    }
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Integer { .. } | ExprKind::Float(_))
}

/// Returns a fix that compares with `versioncmp`. It is unsafe, because a variable of this name may hold a number.
fn with_versioncmp(style: &Style<'_>, binary: &Binary) -> Option<Fix> {
    let right = match (literal(&binary.right), is_number(&binary.right)) {
        (Some(text), _) => format!("'{text}'"),
        (None, true) => format!("'{}'", style.source(binary.right.range)),
        (None, false) => return None,
    };
    let left = style.source(binary.left.range);
    let operator = style.source(binary.op_range);
    let range = TextRange::new(binary.left.range.start(), binary.right.range.end());
    left.starts_with('$').then(|| replace(range, format!("versioncmp({left}, {right}) {operator} 0"), false))
}
