//! The contents of a class and their order, for other files: only unconditional declarations, with titles that are literal, or
//! computed from variables that others can name.

use marotte_db::Db;
use marotte_eval::functions::Leaves;
use marotte_hir::body::{AttributeName, Body, Expr};
use marotte_hir::{ExprId, Item};
use marotte_infer::flow::{Flow, leaving_call};
use marotte_infer::literal::{Reference, references, strings, type_name};
use marotte_resolve::call::queries_catalog;
use marotte_syntax::ast::{RelationshipOp, ResourceForm};
use marotte_text::{Str, normalized};

use crate::analysis::names::classes::{Including, Inclusion};
use crate::analysis::titles::written::written;

/// The contents of a class, and their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// The resources that the class declares, and the classes that it contains.
    pub(crate) contains: Vec<Reference>,
    /// Pairs of resources of which the first is applied before the second.
    pub(crate) order: Vec<(Reference, Reference)>,
    /// The classes that it declares: includes, contains, requires, or inherits from.
    pub(crate) includes: Vec<Str>,
    /// Whether it asks what is declared.
    pub(crate) queries_catalog: bool,
}

impl Relations {
    /// Whether two are equal but for the classes that they declare.
    pub(crate) fn is_alike(&self, other: &Relations) -> bool {
        self.contains == other.contains
            && self.order == other.order
            && self.queries_catalog == other.queries_catalog
    }
}

/// Whether the rest of a class may not be evaluated, although the catalog is compiled: it isn't after `fail`.
fn may_end_early(body: &Body) -> bool {
    body.calls().any(|(_, expr)| leaving_call(expr).is_some_and(|(_, leaves)| leaves != Leaves::Program))
}

/// The titles of a resource expression in a class: literal ones, and those that are computed from variables, which are named by the
/// class that they are in.
pub(crate) fn titles(body: &Body, class: &str, id: ExprId) -> Vec<(ExprId, String)> {
    match body.expr(id) {
        // As deep as the brackets of the text.
        Expr::Array(elements) => elements.iter().flat_map(|it| titles(body, class, *it)).collect(),
        Expr::Variable(_) | Expr::Interpolated(_) | Expr::Access { .. } => {
            written(body, id, Some(class)).map(|it| (id, it)).into_iter().collect()
        }
        _ => strings(body, id).0.into_iter().map(|(at, title)| (at, title.to_owned())).collect(),
    }
}

/// The resources that an expression refers to: by literal titles, and by those that `titles` finds for a title that is computed.
pub(crate) fn referred(
    body: &Body,
    id: ExprId,
    titles: &dyn Fn(ExprId) -> Vec<(ExprId, String)>,
) -> Vec<(ExprId, Reference)> {
    let mut found = references(body, id).0;
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        match body.expr(id) {
            Expr::Array(elements) => open.extend(elements),
            Expr::Access { target, keys } => {
                let Expr::Reference(name) = body.expr(*target) else { continue };
                let is_computed =
                    |it: &&ExprId| matches!(body.expr(**it), Expr::Variable(_) | Expr::Interpolated(_));
                let computed = keys.iter().filter(is_computed).flat_map(|it| titles(*it));
                found.extend(computed.map(|(at, title)| (at, Reference::new(name, &title))));
            }
            _ => {}
        }
    }
    found
}

/// Returns the contents of a class and their order: empty for a class whose evaluation may end early.
#[salsa::tracked(returns(ref))]
pub(crate) fn relations<'db>(db: &'db dyn Db, class: Item<'db>) -> Relations {
    let body = &**class.body(db);
    let flow = Flow::new(body);
    let mut found = Relations::default();
    found.includes.extend(class.signature(db).parent.as_deref().map(normalized));
    let Some(root) = body.statements.first().map(|it| flow.of(*it)).filter(|_| !may_end_early(body)) else {
        return found;
    };
    let this = Reference::new("class", class.name(db));
    found.queries_catalog = queries_catalog(body);
    let references = |id| {
        let found = referred(body, id, &|it| titles(body, class.name(db), it));
        found.into_iter().map(|it| it.1).collect::<Vec<_>>()
    };
    for (_, expr) in body.exprs().filter(|(id, _)| flow.of(*id) == root) {
        match expr {
            Expr::Resource(it) if it.form == ResourceForm::Regular => {
                let Some(type_name) = type_name(body, it) else { continue };
                if type_name == "class" {
                    let names = it.bodies.iter().flat_map(|it| strings(body, it.title).0);
                    found.includes.extend(names.map(|(_, name)| normalized(name)));
                    continue;
                }
                for resource in &it.bodies {
                    for (_, title) in titles(body, class.name(db), resource.title) {
                        let inner = Reference::new(&type_name, &title);
                        for attribute in &resource.attributes {
                            let AttributeName::Name(name) = &attribute.name else { continue };
                            let others = || references(attribute.value).into_iter();
                            match name.as_str() {
                                "require" | "subscribe" => {
                                    found.order.extend(others().map(|it| (it, inner.clone())));
                                }
                                "before" | "notify" => {
                                    found.order.extend(others().map(|it| (inner.clone(), it)));
                                }
                                _ => {}
                            }
                        }
                        found.contains.push(inner);
                    }
                }
            }
            Expr::Relationship { op, left, right } => {
                let side = |id| match body.expr(id) {
                    Expr::Access { .. } | Expr::Array(_) => references(id),
                    _ => Vec::new(),
                };
                for one in side(*left) {
                    for other in side(*right) {
                        found.order.push(match op {
                            RelationshipOp::Before | RelationshipOp::Notify => (one.clone(), other),
                            RelationshipOp::After | RelationshipOp::Subscribe => (other, one.clone()),
                        });
                    }
                }
            }
            _ => {
                let Some(inclusion) = Inclusion::of(body, expr) else { continue };
                found.includes.extend(inclusion.classes.iter().map(|(_, name)| normalized(name)));
                let classes = inclusion.classes.into_iter().map(|(_, name)| Reference::new("class", name));
                match inclusion.by {
                    Including::Contain => found.contains.extend(classes),
                    Including::Require => found.order.extend(classes.map(|it| (it, this.clone()))),
                    Including::Include => {}
                }
            }
        }
    }
    found
}
