//! The classes that an item names.

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Callee, Expr};
use marotte_text::Str;

use crate::context::{At, Context};

/// Functions whose arguments are names of classes.
const INCLUDING: [&str; 3] = ["include", "require", "contain"];

/// The names of the classes that an item inherits from, includes, or declares as resources, as far as they are literal.
pub(crate) fn named_classes(context: &Context<'_, '_>) -> Vec<(At, Str)> {
    let mut found = Vec::new();
    if let Some(parent) = context.item.signature(context.db).parent.clone()
        && parent != "default"
    {
        found.push((At::Parent, parent));
    }
    let body = context.body;
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Call(call) => {
                if let Callee::Function(function) = &call.callee
                    && INCLUDING.contains(&function.trim_start_matches("::"))
                {
                    call.arguments.iter().for_each(|it| names(body, *it, &mut found));
                }
            }
            Expr::Resource(resource) => {
                if matches!(body.expr(resource.type_name), Expr::String(name) if name == "class") {
                    resource.bodies.iter().for_each(|it| names(body, it.title, &mut found));
                }
            }
            _ => {}
        }
    }
    found
}

fn names(body: &Body, id: ExprId, found: &mut Vec<(At, Str)>) {
    match body.expr(id) {
        Expr::String(text) => found.push((At::Expr(id), text.clone())),
        Expr::Array(elements) => elements.iter().for_each(|it| names(body, *it, found)),
        Expr::Access { target, keys } => {
            if matches!(body.expr(*target), Expr::Reference(it) if it.eq_ignore_ascii_case("class")) {
                keys.iter().for_each(|it| names(body, *it, found));
            }
        }
        _ => {}
    }
}
