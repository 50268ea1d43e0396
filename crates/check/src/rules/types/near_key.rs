//! `unresolved-variable` for keys of hashes whose keys are not known: a key that the module names nowhere else, and that is nearly
//! one that the same body reads from the same variable.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Variable};
use marotte_resolve::spelling::{Typos, has_swapped_letters, is_inner_slip};
use rapidfuzz::distance::osa;

use crate::analysis::variables::branch_names::is_named_in_module;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    // The keys that are read from each variable, each with its first place.
    let mut read: BTreeMap<&str, BTreeMap<&str, (ExprId, usize)>> = BTreeMap::new();
    for (_, expr) in body.exprs() {
        let Expr::Access { target, keys } = expr else { continue };
        let ([key], Some(variable)) = (&keys[..], variable(body, *target)) else { continue };
        let Expr::String(name) = body.expr(*key) else { continue };
        read.entry(variable).or_default().entry(name).or_insert((*key, 0)).1 += 1;
    }
    let reported = LazyCell::new(|| context.reported_ranges());
    let mut found = Vec::new();
    for (variable, keys) in read.iter().filter(|(_, keys)| keys.len() > 1) {
        let names: Vec<&str> = keys.keys().copied().collect();
        let typos = Typos::new(names.iter().copied());
        for (name, (at, _)) in keys.iter().filter(|(_, (_, times))| *times == 1) {
            let mut near = typos.near(name).into_iter().map(|it| names[it]);
            let Some(meant) = near.find(|it| is_near(name, it)) else { continue };
            if reported.contains(&context.range(At::Expr(*at)))
                || context.inference().is_unreachable(*at)
                || is_named_in_module(context.db, context.file, (*name).into())
            {
                continue;
            }
            found.push((variable, name, *at, meant));
        }
    }
    for (variable, name, at, meant) in found {
        let message = format!("only this place reads the key `{name}` of `${variable}`");
        let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(at), message);
        finding.level = Level::Warning;
        finding.label = Some(format!("did you mean `{meant}`?"));
        finding.notes.push(format!("others read `{meant}`, and nothing in the module names `{name}`"));
    }
}

/// The variable that an expression reads.
fn variable(body: &Body, id: ExprId) -> Option<&str> {
    let Expr::Variable(variable) = body.expr(id) else { return None };
    match &**variable {
        Variable::Local { name, .. } if !matches!(name.as_str(), "facts" | "trusted" | "server_facts") => {
            Some(name)
        }
        _ => None,
    }
}

/// Whether two keys differ by a slip of the pen: not by their ends, and not by a digit.
fn is_near(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 3;
    const SHORTEST_REPLACED: usize = 6;
    let has_digit = |it: &str| it.bytes().any(|it| it.is_ascii_digit());
    let is_replaced = || {
        let ends = |it: &str| (it.chars().next(), it.chars().next_back());
        one.len() == other.len()
            && one.len() >= SHORTEST_REPLACED
            && ends(one) == ends(other)
            && osa::distance(one.chars(), other.chars()) == 1
    };
    one.len() >= SHORTEST
        && !has_digit(one)
        && !has_digit(other)
        && (is_inner_slip(one, other) || has_swapped_letters(one, other) || is_replaced())
}
