//! `duplicate-declaration`: a resource, or a class, is declared twice in the same compile (the reference's
//! `DuplicateResourceError`, and `DUPLICATE_TITLE` within one expression).

use std::collections::HashMap;

use marotte_hir::body::Expr;
use marotte_hir::{ExprId, ItemKind};

use crate::classes::Inclusion;
use crate::context::{At, Context};
use crate::functions::asks_what_is_declared;
use crate::literal::{Reference, strings, type_name};

/// A declaration that was met.
#[derive(Clone, Copy)]
struct Declaration {
    /// The title.
    at: At,
    /// The expression that declares. None for what is declared before the body is evaluated.
    expr: Option<ExprId>,
    /// By a function, which leaves a class alone that is declared already.
    is_inclusion: bool,
}

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let mut declared: HashMap<Reference, Vec<Declaration>> = HashMap::new();
    if context.item.kind(context.db) == ItemKind::Class {
        let own = Declaration { at: At::Name, expr: None, is_inclusion: true };
        declared.insert(Reference::new("class", context.item.name(context.db)), vec![own]);
        if let Some(parent) = &context.item.signature(context.db).parent {
            let parent_is = Declaration { at: At::Parent, expr: None, is_inclusion: true };
            declared.insert(Reference::new("class", parent), vec![parent_is]);
        }
    }
    // Conditions tell declarations apart.
    let asks = asks_what_is_declared(body);
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Resource(resource) => {
                let Some(type_name) = type_name(body, resource) else { continue };
                for (at, title) in resource.bodies.iter().flat_map(|it| strings(body, it.title).0) {
                    let name = Reference::new(&type_name, title);
                    let this = Declaration { at: At::Expr(at), expr: Some(id), is_inclusion: false };
                    let earlier = declared.entry(name.clone()).or_default();
                    earlier.push(this);
                    let earlier = &earlier[..earlier.len() - 1];
                    if let Some(other) = earlier.iter().find(|it| clash(context, **it, id, asks)).copied() {
                        report(context, &name, other, this);
                    }
                }
            }
            // These need not be the first to declare a class.
            _ => {
                for (at, class) in Inclusion::of(body, expr).into_iter().flat_map(|it| it.classes) {
                    let declaration = Declaration { at: At::Expr(at), expr: Some(id), is_inclusion: true };
                    declared.entry(Reference::new("class", class)).or_default().push(declaration);
                }
            }
        }
    }
}

/// Whether a resource expression declares what was declared in the same compile.
fn clash(context: &Context<'_, '_>, earlier: Declaration, later: ExprId, asks: bool) -> bool {
    let flow = context.flow();
    match earlier.expr {
        None => !asks,
        Some(earlier) if asks => flow.of(earlier) == flow.of(later),
        Some(earlier) => flow.meet(earlier, later),
    }
}

fn report(context: &mut Context<'_, '_>, name: &Reference, other: Declaration, this: Declaration) {
    let first = match other.at {
        At::Name => "the class is declared by the time its body is evaluated".to_owned(),
        At::Parent => "inherited, and so declared, here".to_owned(),
        _ if other.is_inclusion => "included here".to_owned(),
        _ => "declared here".to_owned(),
    };
    let related = context.related(other.at, first);
    let message = if other.expr == this.expr {
        format!("the title `{}` stands twice in this resource expression", name.title)
    } else {
        format!("`{name}` is declared already")
    };
    let finding = context.report("duplicate-declaration", this.at, message);
    finding.label = Some("declared again".to_owned());
    finding.related.push(related);
    if other.is_inclusion {
        finding.notes.push(
            "a class that is declared like a resource must not be declared before; put this first, or use `include`"
                .to_owned(),
        );
    }
}
