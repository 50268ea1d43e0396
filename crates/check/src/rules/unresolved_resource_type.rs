//! `unresolved-resource-type`: a resource is declared whose type exists nowhere.

use marotte_diagnostics::Level;
use marotte_hir::body::Expr;
use marotte_hir::{ExprId, NameKind};

use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::names::{Lookup, absent_module, look_up};
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
    let mut related = None;
    let mut note = None;
    if let Lookup::Found(item) = look_up(db, context.file, environment, NameKind::Class, text) {
        related =
            Some(context.defined(item, "this is a class: `include` it, or declare it with `class { … }`"));
    } else if let Some((name, item)) = nearest_resource_type(db, environment, text) {
        let meant = format!("did you mean `{name}`?");
        match item {
            Some(item) => related = Some(context.defined(item, meant)),
            None => note = Some(meant),
        }
    }
    let absent = absent_module(db, environment, text);
    let message = format!("there is no resource type `{text}`");
    let finding = context.report("unresolved-resource-type", At::Expr(id), message);
    finding.label = Some("not found".to_owned());
    if let Some(module) = absent {
        finding.level = Level::Warning;
        finding.notes.push(format!("there is no module `{module}` here"));
    }
    finding.related.extend(related);
    finding.notes.extend(note);
}
