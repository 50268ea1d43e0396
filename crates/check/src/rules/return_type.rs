//! `return-type`: what a function gives is not of the type that it declares. What `return` gives is not compared by the
//! reference, and not here.

use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind};
use marotte_pcore::types::Type;

use super::mismatch::{blame, explain};
use crate::context::{At, Context};
use crate::declared::declared;
use crate::disjoint::disjoint;

pub(super) fn check(context: &mut Context<'_, '_>) {
    if context.item.kind(context.db) != ItemKind::Function {
        return;
    }
    let Some(expected) = declared(context.db, context.item).returns.clone() else { return };
    let body = context.body;
    match body.statements.last() {
        Some(last) => results(context, *last, &expected),
        None => {
            if disjoint(&Type::undef(), &expected) {
                let message = explain(
                    "the result of this function, which has no statements,",
                    &expected,
                    &Type::undef(),
                );
                context.report("return-type", At::Name, message);
            }
        }
    }
}

/// The expressions whose values a statement may give: in the branches of conditions, their last ones.
fn results(context: &mut Context<'_, '_>, id: ExprId, expected: &Type) {
    let body = context.body;
    let block = |context: &mut Context<'_, '_>, block: &[ExprId]| {
        if let Some(last) = block.last() {
            results(context, *last, expected);
        }
    };
    match body.expr(id) {
        Expr::If(choice) | Expr::Unless(choice) => {
            choice.arms.iter().for_each(|it| block(context, &it.body));
            if let Some(otherwise) = &choice.otherwise {
                block(context, otherwise);
            }
        }
        Expr::Case(case) => case.options.iter().for_each(|it| block(context, &it.body)),
        _ => one(context, id, expected),
    }
}

fn one(context: &mut Context<'_, '_>, id: ExprId, expected: &Type) {
    let Some(given) = context.inference.type_of(id).cloned() else { return };
    if disjoint(&given, expected) {
        let related = context.related(At::Name, "the function declares its type here");
        let (at, label) = blame(context, id, expected);
        let finding = context.report(
            "return-type",
            At::Expr(at),
            explain("the result of this function", expected, &given),
        );
        finding.label = Some(label);
        finding.related.push(related);
    }
}
