//! `unresolved-class`: a class that is included, declared or inherited from exists nowhere.

use marotte_hir::NameKind;
use marotte_hir::body::{Callee, Expr};

use crate::context::{At, Context};
use crate::names::{Lookup, look_up, nearest_definition};

/// Functions whose arguments are names of classes.
const INCLUDING: [&str; 3] = ["include", "require", "contain"];

pub(super) fn check(context: &mut Context<'_, '_>) {
    if let Some(parent) = context.item.signature(context.db).parent.clone()
        && parent != "default"
    {
        name(context, At::Parent, &parent);
    }
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Call(call) => {
                if let Callee::Function(function) = &call.callee
                    && INCLUDING.contains(&function.trim_start_matches("::"))
                {
                    call.arguments.iter().for_each(|it| names(context, *it));
                }
            }
            Expr::Resource(resource) => {
                if matches!(body.expr(resource.type_name), Expr::String(name) if name == "class") {
                    resource.bodies.iter().for_each(|it| names(context, it.title));
                }
            }
            _ => {}
        }
    }
}

/// The classes that an expression names, as far as it is literal.
fn names(context: &mut Context<'_, '_>, id: marotte_hir::ExprId) {
    match context.body.expr(id) {
        Expr::String(text) => name(context, At::Expr(id), text),
        Expr::Array(elements) => elements.iter().for_each(|it| names(context, *it)),
        Expr::Access { target, keys } => {
            if matches!(context.body.expr(*target), Expr::Reference(it) if it.eq_ignore_ascii_case("class")) {
                keys.iter().for_each(|it| names(context, *it));
            }
        }
        _ => {}
    }
}

fn name(context: &mut Context<'_, '_>, at: At, text: &str) {
    let (db, environment) = (context.db, context.environment);
    if look_up(db, context.file, environment, NameKind::Class, text) != Lookup::Missing {
        return;
    }
    let defined = match look_up(db, context.file, environment, NameKind::Define, text) {
        Lookup::Found(item) => Some(context.defined(item, "this is a defined type: declare it with a title")),
        _ => nearest_definition(db, environment, NameKind::Class, text)
            .map(|item| context.defined(item, format!("did you mean `{}`?", item.name(db)))),
    };
    let finding = context.report("unresolved-class", at, format!("there is no class `{text}`"));
    finding.label = Some("not found".to_owned());
    finding.related.extend(defined);
}
