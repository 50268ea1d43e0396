//! `parameter-type`: a class or a defined type is given a value that is not of its parameter's type.

use marotte_hir::body::{AttributeName, Expr};

use super::mismatch::{blame, explain};
use crate::context::{At, Context};
use crate::declared::declared;
use crate::disjoint::refused;
use crate::parameters::{Given, given};
use marotte_pcore::types::{Type, TypeKind};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let Expr::Resource(resource) = expr else { continue };
        for Given { item, body, .. } in given(context, resource) {
            let types = declared(context.db, item);
            for attribute in &body.attributes {
                let AttributeName::Name(name) = &attribute.name else { continue };
                let parameters = &item.signature(context.db).parameters;
                let Some(index) = parameters.iter().position(|it| it.name == *name) else { continue };
                let (Some(Some(expected)), Some(value)) =
                    (types.parameters.get(index), context.inference.type_of(attribute.value))
                else {
                    continue;
                };
                // `undef` is no value: the default counts, or the parameter is missing (C40).
                if matches!(value.kind(), TypeKind::Undef) || !refused(value, expected) {
                    continue;
                }
                let (value, expected): (Type, Type) = (value.clone(), expected.clone());
                let subject = format!("parameter `{name}` of `{}`", item.name(context.db));
                let related = context.parameter(item, name, "the parameter is declared here");
                let (at, label) = blame(context, attribute.value, &expected);
                let finding =
                    context.report("parameter-type", At::Expr(at), explain(&subject, &expected, &value));
                finding.label = Some(label);
                finding.related.extend(related);
            }
        }
    }
}
