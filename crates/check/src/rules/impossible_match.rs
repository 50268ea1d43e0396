//! `impossible-match`: a value is compared with a type, or with an option, that it can never match.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Expr};
use marotte_pcore::types::{Type, TypeKind};

use super::mismatch::value_of;
use crate::context::{At, Context};
use crate::disjoint::disjoint;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Binary(binary) if matches!(binary.op, BinaryOp::Match | BinaryOp::NoMatch) => {
                option(context, binary.left, binary.right);
            }
            Expr::Case(case) => {
                for value in case.options.iter().flat_map(|it| it.values.iter()) {
                    option(context, case.test, *value);
                }
            }
            Expr::Selector(selector) => {
                for (key, _) in &selector.entries {
                    option(context, selector.test, *key);
                }
            }
            _ => {}
        }
    }
}

fn option(context: &mut Context<'_, '_>, value: ExprId, option: ExprId) {
    // A literal is compared with something to say so on purpose: `case true { … }`.
    if is_literal(context, value) {
        return;
    }
    let inference = context.inference;
    let (Some(value), Some(option_type)) = (inference.type_of(value).cloned(), inference.type_of(option))
    else {
        return;
    };
    let message = match option_type.kind() {
        TypeKind::Type(Some(wanted)) if disjoint(&value, wanted) && !is_type(&value) => {
            format!("{} is never an instance of {wanted}", value_of(&value))
        }
        _ => return,
    };
    context.report("impossible-match", At::Expr(option), message);
}

fn is_type(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Type(_))
}

fn is_literal(context: &Context<'_, '_>, id: ExprId) -> bool {
    !matches!(
        context.body.expr(id),
        Expr::Variable(_) | Expr::Access { .. } | Expr::Call(_) | Expr::MethodCall(_) | Expr::Interpolated(_)
    )
}
