//! Attributes by which collectors may search for resources: those that a module sets on virtual or exported resources, and
//! those in the queries of its collectors.

use std::collections::BTreeSet;

use marotte_db::Db;
use marotte_db::Environment;
use marotte_hir::body::{AttributeName, Body, Collector, Expr, Query, QueryKind, Resource};
use marotte_hir::{ExprId, module_definitions};
use marotte_infer::literal::type_name;
use marotte_syntax::ast::ResourceForm;
use marotte_text::{Str, normalized};

/// Whether resources of a type may be searched by an attribute, according to a module. Callers depend on this attribute only.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_be_looked_for(
    db: &dyn Db,
    environment: Environment,
    module: Str,
    type_name: Str,
    attribute: Str,
) -> bool {
    attributes(db, environment, module).contains(&(type_name, attribute))
}

/// The types in lower case, with the attributes.
#[salsa::tracked(returns(ref))]
fn attributes(db: &dyn Db, environment: Environment, module: Str) -> BTreeSet<(Str, Str)> {
    let mut found = BTreeSet::new();
    for item in module_definitions(db, environment, module).values() {
        found.extend(attributes_of(item.body(db)));
    }
    found
}

/// The types in lower case, with the attributes that a body sets or searches for.
pub(crate) fn attributes_of(body: &Body) -> BTreeSet<(Str, Str)> {
    let mut found = BTreeSet::new();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Resource(it) if it.form != ResourceForm::Regular => given(body, it, &mut found),
            Expr::Collector(it) => asked_for(body, it, &mut found),
            _ => {}
        }
    }
    found
}

fn given(body: &Body, resource: &Resource, found: &mut BTreeSet<(Str, Str)>) {
    let Some(type_name) = type_name(body, resource) else { return };
    for attribute in resource.bodies.iter().flat_map(|it| &it.attributes) {
        if let AttributeName::Name(name) = &attribute.name {
            found.insert((type_name.clone(), name.clone()));
        }
    }
}

fn asked_for(body: &Body, collector: &Collector, found: &mut BTreeSet<(Str, Str)>) {
    let Expr::Reference(type_name) = body.expr(collector.type_ref) else { return };
    let type_name = normalized(type_name);
    let mut insert = |attribute: ExprId| {
        if let Expr::String(name) = body.expr(attribute) {
            found.insert((type_name.clone(), name.clone()));
        }
    };
    // An explicit stack: the recursion would be as deep as the operators in the source.
    let mut open: Vec<&Query> = collector.query.iter().map(|it| &**it).collect();
    while let Some(query) = open.pop() {
        match &query.kind {
            QueryKind::Equal(attribute, _) | QueryKind::NotEqual(attribute, _) => insert(*attribute),
            QueryKind::And(left, right) | QueryKind::Or(left, right) => open.extend([&**left, &**right]),
            QueryKind::Other(_) => {}
        }
    }
}
