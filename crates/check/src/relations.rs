//! What a class contains, and in which order, as others see it: on no condition, and by titles that are written out.

use marotte_db::Db;
use marotte_hir::Item;
use marotte_hir::body::{AttributeName, Expr};
use marotte_infer::flow::Flow;
use marotte_infer::literal::{Reference, references, strings, type_name};
use marotte_syntax::ast::{RelationshipOp, ResourceForm};

use crate::classes::{Including, Inclusion};

/// What a class contains, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relations {
    /// The resources that it declares, and the classes that it contains.
    pub(crate) contains: Vec<Reference>,
    /// What comes before what.
    pub(crate) order: Vec<(Reference, Reference)>,
}

/// What a class contains, and in which order. Nothing of one that may be left before its end.
#[salsa::tracked(returns(ref))]
pub(crate) fn relations<'db>(db: &'db dyn Db, class: Item<'db>) -> Relations {
    let body = &**class.body(db);
    let flow = Flow::new(body);
    let mut found = Relations::default();
    let Some(root) = body.statements.first().map(|it| flow.of(*it)).filter(|_| !flow.may_leave()) else {
        return found;
    };
    let this = Reference::new("class", class.name(db));
    for (_, expr) in body.exprs().filter(|(id, _)| flow.of(*id) == root) {
        match expr {
            Expr::Resource(it) if it.form == ResourceForm::Regular => {
                let Some(type_name) = type_name(body, it).filter(|it| it != "class") else { continue };
                for resource in &it.bodies {
                    for (_, title) in strings(body, resource.title).0 {
                        let inner = Reference::new(&type_name, title);
                        for attribute in &resource.attributes {
                            let AttributeName::Name(name) = &attribute.name else { continue };
                            let others = references(body, attribute.value).0.into_iter().map(|it| it.1);
                            match name.as_str() {
                                "require" | "subscribe" => {
                                    found.order.extend(others.map(|it| (it, inner.clone())));
                                }
                                "before" | "notify" => {
                                    found.order.extend(others.map(|it| (inner.clone(), it)));
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
                    Expr::Access { .. } | Expr::Array(_) => references(body, id).0,
                    _ => Vec::new(),
                };
                for (_, one) in side(*left) {
                    for (_, other) in side(*right) {
                        found.order.push(match op {
                            RelationshipOp::Before | RelationshipOp::Notify => (one.clone(), other),
                            RelationshipOp::After | RelationshipOp::Subscribe => (other, one.clone()),
                        });
                    }
                }
            }
            _ => {
                let Some(inclusion) = Inclusion::of(body, expr) else { continue };
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
