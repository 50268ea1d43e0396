//! `duplicate-declaration`: a resource, or a class, is declared twice in the same compilation (the reference's
//! `DuplicateResourceError`, and `DUPLICATE_TITLE` within one expression).

use foldhash::HashMap;
use marotte_diagnostics::rules;
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{Body, ExprId, ItemKind};
use marotte_infer::declarations::{Declaration as Resources, Part};
use marotte_infer::known_values::text_of;
use marotte_infer::literal::Reference;
use marotte_resolve::call::queries_catalog;

use crate::classes::Inclusion;
use crate::context::{At, Context};
use crate::written::written;

/// The number of declarations of one resource that a later one is compared with. Only alternatives are that many.
const MOST: usize = 200;

/// A declaration found so far.
#[derive(Clone, Copy)]
struct Declaration {
    /// The title.
    at: At,
    /// The declaring expression. None for declarations that precede the evaluation of the body.
    expr: Option<ExprId>,
    /// Declared by a function that skips classes which are already declared.
    is_inclusion: bool,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    let mut declared: HashMap<Reference, Vec<Declaration>> = HashMap::default();
    if context.item.kind(context.db) == ItemKind::Class {
        let own = Declaration { at: At::Name, expr: None, is_inclusion: true };
        declared.insert(Reference::new("class", context.item.name(context.db)), vec![own]);
        if let Some(parent) = &context.item.signature(context.db).parent {
            let parent_is = Declaration { at: At::Parent, expr: None, is_inclusion: true };
            declared.insert(Reference::new("class", parent), vec![parent_is]);
        }
    }
    // Conditions distinguish declarations.
    let queries_catalog = queries_catalog(body);
    let resources = context.declarations();
    let mut resources = resources.iter().peekable();
    for (id, expr) in body.exprs() {
        if let Some(resource) = resources.next_if(|it| it.by == id) {
            let named: Vec<_> = resource.parts.iter().flat_map(|it| names(context, resource, it)).collect();
            for (name, at) in named {
                let this = Declaration { at: At::Expr(at), expr: Some(id), is_inclusion: false };
                let earlier = declared.entry(name.clone()).or_default();
                earlier.push(this);
                let earlier = &earlier[..earlier.len() - 1];
                if let Some(other) =
                    earlier.iter().take(MOST).find(|it| clash(context, **it, id, queries_catalog)).copied()
                    && !resource.unless_declared
                {
                    report(context, &name, other, this);
                }
            }
            continue;
        }
        // These needn't be the first to declare a class.
        for (at, class) in Inclusion::of(body, expr).into_iter().flat_map(|it| it.classes) {
            let declaration = Declaration { at: At::Expr(at), expr: Some(id), is_inclusion: true };
            declared.entry(Reference::new("class", class)).or_default().push(declaration);
        }
    }
}

/// The names of a part's resources, as far as they distinguish resources: their titles, and for files also their paths.
fn names(context: &Context<'_, '_>, of: &Resources, part: &Part) -> Vec<(Reference, ExprId)> {
    let type_name = of.type_name.as_str();
    let named = |id: ExprId| Some((Reference::new(type_name, &spelled(context, id)?), id));
    let mut found: Vec<(Reference, ExprId)> =
        part.title.iter().flat_map(|it| elements(context.body, *it)).filter_map(named).collect();
    if type_name == "file" {
        let is_path = |it: &&Attribute| matches!(&it.name, AttributeName::Name(name) if name == "path");
        let path = part.attributes.iter().find(is_path).and_then(|it| named(it.value));
        found.extend(path.filter(|(path, _)| found.iter().all(|(title, _)| title != path)));
    }
    found
}

/// The elements of an array, flattened, or the expression itself.
fn elements(body: &Body, id: ExprId) -> Vec<ExprId> {
    match body.expr(id) {
        Expr::Array(all) => all.iter().flat_map(|it| elements(body, *it)).collect(),
        _ => vec![id],
    }
}

/// The constant value of an expression, or its source form, if equal source means equal values.
pub(in crate::rules) fn spelled(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    match context.body.expr(id) {
        Expr::String(text) => Some(text.to_string()),
        _ => text_of(context.typed(), id).or_else(|| written(context.body, id, None)),
    }
}

/// Whether a resource expression declares what an earlier declaration, evaluated in the same compilation, already did.
fn clash(context: &Context<'_, '_>, earlier: Declaration, later: ExprId, queries_catalog: bool) -> bool {
    let flow = context.flow();
    match earlier.expr {
        None => !queries_catalog,
        Some(earlier) if queries_catalog => flow.of(earlier) == flow.of(later),
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
        format!("the title `{}` appears twice in this resource expression", name.title)
    } else {
        format!("`{name}` is declared already")
    };
    let finding = context.report(rules::DUPLICATE_DECLARATION, this.at, message);
    finding.label = Some("declared again".to_owned());
    finding.related.push(related);
    if other.is_inclusion {
        finding.notes.push(
            "a class that is declared like a resource must not be declared before; put this first, or use `include`"
                .to_owned(),
        );
    }
}
