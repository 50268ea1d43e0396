//! `top-scope-fact-shadow`: a variable hides the fact of the same name.
//!
//! In the main manifest, facts are variables of the same scope: setting one again fails on each node that has it. If every node
//! has it, `reassigned-variable` reports that. A node definition hides the fact from everything that is evaluated for the node;
//! other scopes hide it from themselves. Nothing is reported about facts that are plain strings, such as `path`, whose names
//! many variables in these scopes share for good reasons, about parameters, which are named after their meaning, and about
//! variables computed from the fact itself, which hide nothing that is needed.

use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Expr, Variable, When, parts};
use marotte_hir::{ExprId, ItemKind};
use marotte_pcore::types::TypeKind;
use marotte_resolve::globals::core_fact_type;
use marotte_ruby::core;

use super::reassigned_variable::{OF_NODES, RESERVED};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let flow = context.flow();
    let kind = context.item.kind(context.db);
    let body = context.body;
    // Variables set in a lambda are only visible there.
    let assignments = body.exprs().filter_map(|(id, expr)| match expr {
        Expr::Assign { target, value, .. } if flow.lambda(id).is_none() => Some((target, *value)),
        _ => None,
    });
    let variables =
        assignments.flat_map(|(target, value)| target.variables().into_iter().map(move |it| (it, value)));
    for ((at, name), value) in variables {
        let is_fact = core::facts().iter().any(|it| !it.legacy && it.name == *name);
        if !is_fact || RESERVED.contains(&name.as_str()) {
            continue;
        }
        let message = match kind {
            ItemKind::Program if OF_NODES.contains(&name.as_str()) => continue,
            ItemKind::Program => {
                format!("`${name}` is a fact: on nodes that have it, it cannot be set again")
            }
            ItemKind::Node(_) => format!("`${name}` hides the fact of this name"),
            _ if is_structure(name) && !is_made_of_facts(body, value) => {
                format!("`${name}` hides the fact of this name")
            }
            _ => continue,
        };
        let finding = context.report(rules::TOP_SCOPE_FACT_SHADOW, At::Expr(at), message);
        finding.label = Some("the name of a fact".to_owned());
        finding.notes.push(format!("the fact is still found as `$facts['{name}']`"));
    }
}

/// Whether a fact is structured, so that code reads its parts as `$os['family']`.
fn is_structure(name: &str) -> bool {
    core_fact_type(name)
        .is_some_and(|it| matches!(it.kind(), TypeKind::Hash(..) | TypeKind::Struct(_) | TypeKind::Array(..)))
}

/// Whether an expression reads facts: `$facts['os']`, or a variable of the top scope.
fn is_made_of_facts(body: &Body, id: ExprId) -> bool {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let expr = body.expr(id);
        if let Expr::Variable(variable) = expr
            && match &**variable {
                Variable::Top(_) => true,
                Variable::Local { name, .. } => name == "facts",
                Variable::Qualified { .. } | Variable::Group(_) => false,
            }
        {
            return true;
        }
        parts(body, expr, &mut |part, _: When| open.push(part));
    }
    false
}
