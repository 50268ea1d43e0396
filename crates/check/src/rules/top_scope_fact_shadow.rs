//! `top-scope-fact-shadow`: a variable hides the fact of the same name.
//!
//! In the main manifest, facts are variables of the same scope: setting one again is refused on each node that has it. Where
//! that is every node, `reassigned-variable` says so. A node definition hides the fact from all that is evaluated for
//! the node; other scopes hide it from themselves. Facts that are plain text, such as `path`, have names that many
//! variables there have for good reasons, and parameters are named after what they stand for: nothing is said about those.

use marotte_hir::ItemKind;
use marotte_pcore::types::TypeKind;
use marotte_ruby::core;

use super::reassigned_variable::{OF_NODES, RESERVED};
use crate::context::{At, Context};
use crate::globals::core_fact_type;
use crate::usage::assigned;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let flow = context.flow();
    let kind = context.item.kind(context.db);
    for (at, name) in assigned(context.body) {
        let is_fact = core::facts().iter().any(|it| !it.legacy && it.name == *name);
        if !is_fact || RESERVED.contains(&name.as_str()) {
            continue;
        }
        // Lambdas have scopes of their own, also in what is evaluated at the top.
        let is_in_lambda = flow.lambda(at).is_some();
        let message = match kind {
            ItemKind::Program if !is_in_lambda && OF_NODES.contains(&name.as_str()) => continue,
            ItemKind::Program if !is_in_lambda => {
                format!("`${name}` is a fact: on nodes that have it, it cannot be set again")
            }
            ItemKind::Node(_) if !is_in_lambda => format!("`${name}` hides the fact of this name"),
            _ if is_structure(name) => format!("`${name}` hides the fact of this name"),
            _ => continue,
        };
        let finding = context.report("top-scope-fact-shadow", At::Expr(at), message);
        finding.label = Some("the name of a fact".to_owned());
        finding.notes.push(format!("the fact is still found as `$facts['{name}']`"));
    }
}

/// Whether a fact has parts, which code reads as `$os['family']`.
fn is_structure(name: &str) -> bool {
    core_fact_type(name)
        .is_some_and(|it| matches!(it.kind(), TypeKind::Hash(..) | TypeKind::Struct(_) | TypeKind::Array(..)))
}
