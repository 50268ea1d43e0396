//! `return-type`: the result of a function isn't of its declared type. Values of `return` aren't checked by the reference, nor
//! here.

use marotte_diagnostics::rules;
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::declared::declared;
use marotte_infer::disjoint::disjoint;
use marotte_infer::literal::outcomes;
use marotte_pcore::types::Type;

use super::mismatch::{blame, explain};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    if context.item.kind(context.db) != ItemKind::Function {
        return;
    }
    let Some(expected) = declared(context.db, context.item).returns.clone() else { return };
    let Some(last) = context.body.statements.last() else {
        if disjoint(&Type::undef(), &expected) {
            let subject = "the result of this function, which has no statements,";
            let message = explain(subject, &expected, &Type::undef());
            context.report(rules::RETURN_TYPE, At::Name, message);
        }
        return;
    };
    let is_wrong = |it: &ExprId| context.inference().type_of(*it).is_some_and(|it| disjoint(it, &expected));
    let wrong: Vec<ExprId> = outcomes(context.body, *last).into_iter().filter(is_wrong).collect();
    let Some((first, others)) = wrong.split_first() else { return };
    let Some(given) = context.inference().type_of(*first).cloned() else { return };
    let mut related = vec![context.related(At::Name, "the function declares its type here")];
    // If several results are wrong, the declared type probably is.
    let others = others.iter().map(|it| blame(context, *it, &expected));
    related.extend(others.map(|(at, label)| context.related(At::Expr(at), label)));
    let (at, label) = blame(context, *first, &expected);
    let message = explain("the result of this function", &expected, &given);
    let finding = context.report(rules::RETURN_TYPE, At::Expr(at), message);
    finding.label = Some(label);
    finding.related.extend(related);
}
