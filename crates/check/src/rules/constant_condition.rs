//! `always-true-condition` and `always-false-condition`: what a condition decides is decided already.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Expr};

use super::mismatch::value_of;
use crate::context::{At, Context};
use crate::disjoint::never_equal;
use crate::infer::truth;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let (Expr::If(choice) | Expr::Unless(choice)) = expr else { continue };
        for arm in &choice.arms {
            condition(context, arm.test);
        }
    }
}

fn condition(context: &mut Context<'_, '_>, test: ExprId) {
    // `if false { … }` is written on purpose, and what is assigned may be all that matters.
    if matches!(context.body.expr(test), Expr::Boolean(_) | Expr::Undef | Expr::Assign { .. }) {
        return;
    }
    let Some(holds) = context.inference.type_of(test).and_then(truth) else { return };
    let test = decisive(context, test, holds);
    let Some(known) = context.inference.type_of(test) else { return };
    let is_comparison = !matches!(
        context.body.expr(test),
        Expr::Variable(_) | Expr::Access { .. } | Expr::Call(_) | Expr::MethodCall(_) | Expr::Interpolated(_)
    );
    let what = if is_comparison { String::new() } else { format!(": its value is {}", value_of(known)) };
    let compared = match context.body.expr(test) {
        Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
            context.inference.type_of(it.left).zip(context.inference.type_of(it.right))
        }
        _ => None,
    };
    let unequal = compared
        .filter(|(left, right)| never_equal(left, right))
        .map(|(left, right)| format!("{} never equals {}", value_of(left), value_of(right)));
    let is_text = matches!(known.resolved().kind(), marotte_pcore::types::TypeKind::String(_));
    let finding = if holds {
        context.report("always-true-condition", At::Expr(test), format!("this condition always holds{what}"))
    } else {
        context.report("always-false-condition", At::Expr(test), format!("this condition never holds{what}"))
    };
    finding.label = unequal;
    if holds && is_text {
        finding
            .notes
            .push("the empty string counts as true as well; compare with `''`, or ask `empty`".to_owned());
    }
}

/// The part of a condition that decides it: of `and` the one that never holds, of `or` the one that always does.
fn decisive(context: &Context<'_, '_>, test: ExprId, holds: bool) -> ExprId {
    // As deep as the operators of the text.
    let (Expr::And(left, right) | Expr::Or(left, right)) = context.body.expr(test) else { return test };
    let decides = matches!(context.body.expr(test), Expr::Or(..)) == holds;
    let is_it = |it: &&ExprId| context.inference.type_of(**it).and_then(truth) == Some(holds);
    match [left, right].into_iter().find(is_it) {
        Some(part) if decides => decisive(context, *part, holds),
        _ => test,
    }
}
