//! `default-value-type`: the default value of a parameter is not of the parameter's own type.

use super::mismatch::{blame, explain};
use crate::context::{At, Context};
use crate::declared::declared;
use crate::disjoint::disjoint;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let types = declared(context.db, context.item);
    for (parameter, expected) in context.body.parameters.iter().zip(&types.parameters) {
        let (Some(default), Some(expected)) = (parameter.default, expected) else { continue };
        let Some(given) = context.inference.type_of(default).cloned() else { continue };
        if parameter.captures_rest || !disjoint(&given, expected) {
            continue;
        }
        let subject = format!("the default value of `${}`", parameter.name);
        let related =
            parameter.type_expr.map(|it| context.related(At::Expr(it), "the type is declared here"));
        let (at, label) = blame(context, default, expected);
        let finding = context.report("default-value-type", At::Expr(at), explain(&subject, expected, &given));
        finding.label = Some(label);
        finding.related.extend(related);
    }
}
