//! `unresolved-resource-type`: a resource is declared whose type exists nowhere.

use marotte_hir::body::Expr;
use marotte_hir::{ExprId, NameKind};

use super::not_found::{self, Hint};
use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::names::known;
use crate::resource_types::{ResourceTypeName, nearest_resource_type, resource_type};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(resource) => name(context, resource.type_name),
            _ => {
                if let Some(call) = NamedCall::of(expr)
                    && call.plain_name() == "create_resources"
                    && let Some(first) = call.arguments().next()
                {
                    name(context, first);
                }
            }
        }
    }
}

fn name(context: &mut Context<'_, '_>, id: ExprId) {
    let Expr::String(text) = context.body.expr(id) else { return };
    let (db, environment) = (context.db, context.environment);
    if text.trim_start_matches("::").eq_ignore_ascii_case("class")
        || !matches!(resource_type(db, context.file, environment, text), ResourceTypeName::Missing)
    {
        return;
    }
    let hint = if let Some(item) = known(db, context.file, NameKind::Class, text) {
        Some(Hint::other("this is a class: `include` it, or declare it with `class { … }`", item))
    } else {
        nearest_resource_type(db, environment, text).map(|(name, item)| Hint::meant(&name, item))
    };
    let message = format!("there is no resource type `{text}`");
    not_found::report(context, "unresolved-resource-type", At::Expr(id), message, text, hint);
}
