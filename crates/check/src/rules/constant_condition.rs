//! `always-true-condition` and `always-false-condition`: what a condition decides is decided already.

use marotte_hir::ExprId;
use marotte_hir::body::Expr;

use super::mismatch::value_of;
use crate::context::{At, Context};
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
    let Some(known) = context.inference.type_of(test) else { return };
    let Some(holds) = truth(known) else { return };
    let is_comparison = !matches!(
        context.body.expr(test),
        Expr::Variable(_) | Expr::Access { .. } | Expr::Call(_) | Expr::MethodCall(_) | Expr::Interpolated(_)
    );
    let what = if is_comparison { String::new() } else { format!(": its value is {}", value_of(known)) };
    let is_text = matches!(known.resolved().kind(), marotte_pcore::types::TypeKind::String(_));
    let finding = if holds {
        context.report("always-true-condition", At::Expr(test), format!("this condition always holds{what}"))
    } else {
        context.report("always-false-condition", At::Expr(test), format!("this condition never holds{what}"))
    };
    if holds && is_text {
        finding
            .notes
            .push("the empty string counts as true as well; compare with `''`, or ask `empty`".to_owned());
    }
}
