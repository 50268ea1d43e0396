//! The classes that an item names.

use marotte_hir::body::{Callee, Expr};
use marotte_text::Str;

use crate::context::{At, Context};
use crate::literal::class_names;

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
    let named = |id, found: &mut Vec<(At, Str)>| {
        let names = class_names(body, id).0.into_iter();
        found.extend(names.map(|(at, name)| (At::Expr(at), Str::from(name))));
    };
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Call(call) => {
                if let Callee::Function(function) = &call.callee
                    && INCLUDING.contains(&function.trim_start_matches("::"))
                {
                    call.arguments.iter().for_each(|it| named(*it, &mut found));
                }
            }
            Expr::Resource(resource) => {
                if matches!(body.expr(resource.type_name), Expr::String(name) if name == "class") {
                    resource.bodies.iter().for_each(|it| named(it.title, &mut found));
                }
            }
            _ => {}
        }
    }
    found
}
