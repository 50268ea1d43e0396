//! `unused-variable`: a variable is assigned, and nothing can read it.
//!
//! Only for variables that cannot be read outside of their item: those of functions, of defined types, of lambdas, and of
//! classes outside of modules. The variables of a module's class are an interface: templates, data and other modules read them
//! by their full names. There, only a misspelling is reported: a name that one branch sets instead of another, which all
//! sibling branches set.

use std::collections::BTreeMap;

use foldhash::HashSet;
use marotte_diagnostics::rules;
use marotte_hir::body::{Expr, blocks};
use marotte_hir::{ExprId, ItemKind};
use marotte_text::Str;

use super::possibly_unset_variable;
use crate::analysis::variables::branch_names::{AssignedNames, is_named_in_module, misnamed};
use crate::analysis::variables::usage::{Slips, Usage, is_open, is_read_outside, shows_scope};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let (db, body, item) = (context.db, context.body, context.item);
    if item.kind(db) == ItemKind::Class {
        misspelled(context);
        named_once(context);
    }
    let flow = context.flow();
    let is_class = item.kind(db) == ItemKind::Class;
    let is_open = is_open(db, item)
        || is_class && is_read_outside(db, context.environment, context.file, item.name(db));
    let usage = Usage::new(body);
    // The last statement of a function or lambda is its value, and so may be the last one of a block in it.
    let statements: Vec<(ExprId, bool)> = blocks(body)
        .into_iter()
        .flat_map(|block| block.iter().enumerate().map(|(at, id)| (*id, at + 1 == block.len())))
        .collect();
    let values: HashSet<ExprId> = statements.iter().filter(|it| it.1).map(|it| it.0).collect();
    let mut unused = Vec::new();
    for (id, _) in statements {
        let Expr::Assign { target, .. } = body.expr(id) else { continue };
        let lambda = flow.lambda(id);
        if lambda.is_none() && is_open {
            continue;
        }
        let is_value = (lambda.is_some() || body.frame.is_some()) && values.contains(&id);
        let targets = target.variables();
        let is_used = |name: &str| name.starts_with('_') || usage.may_read(name);
        if !is_value && !targets.iter().any(|(_, name)| is_used(name)) {
            unused.push(targets);
        }
    }
    if unused.is_empty() || shows_scope(context) {
        return;
    }
    let (slips, assigned) = (Slips::new(context), AssignedNames::new(body));
    for targets in unused {
        if targets.iter().any(|(_, name)| slips.may_mean(name)) {
            continue;
        }
        for (at, name) in targets {
            let meant = unset(context, &assigned, name);
            let finding =
                context.report(rules::UNUSED_VARIABLE, At::Expr(at), format!("nothing reads `${name}`"));
            if let Some(meant) = meant {
                finding.label = Some(format!("did you mean `${meant}`?"));
                finding.notes.push(format!("without it, `${meant}` may be unset where it is read"));
                continue;
            }
            finding.label = Some("assigned, and not used".to_owned());
            finding.notes.push(format!("to keep it on purpose, name it `$_{name}`"));
        }
    }
}

/// The variable with a nearly equal name that may be unset where it is read. Its own finding is about the same slip, and is removed.
fn unset<'b>(context: &mut Context<'b, '_>, assigned: &AssignedNames<'b>, name: &str) -> Option<&'b Str> {
    assigned.near(name).find(|it| {
        let message = possibly_unset_variable::message(it);
        context.withdraw_message(rules::POSSIBLY_UNSET_VARIABLE, &message)
    })
}

/// Reports variables of a class that nothing in the module names again, and whose names are nearly those of other ones, which are
/// set several times.
fn named_once(context: &mut Context<'_, '_>) {
    let (db, file, body) = (context.db, context.file, context.body);
    // The places of each variable: the assignments, and the targets in them.
    let mut places: BTreeMap<&Str, Vec<(ExprId, ExprId)>> = BTreeMap::new();
    for (id, expr) in body.exprs() {
        let Expr::Assign { target, .. } = expr else { continue };
        for (at, name) in target.variables() {
            places.entry(name).or_default().push((id, at));
        }
    }
    if places.keys().all(|it| body.times_set(it) < 2) {
        return;
    }
    let (flow, assigned) = (context.flow(), AssignedNames::new(body));
    for (name, own) in &places {
        let [(id, at)] = own[..] else { continue };
        let Some(meant) = assigned.near(name).next().filter(|it| body.times_set(it) > 1) else { continue };
        // Beside the other one, it is another variable.
        let is_beside = || places[meant].iter().any(|(it, _)| flow.of(*it) == flow.of(id));
        let message = format!("nothing reads `${name}`");
        if body.times_set(name) > 1
            || is_beside()
            || is_named_in_module(db, file, Str::clone(name))
            || context.has_reported(rules::UNUSED_VARIABLE, &message)
        {
            continue;
        }
        let finding = context.report(rules::UNUSED_VARIABLE, At::Expr(at), message);
        finding.label = Some(format!("did you mean `${meant}`?"));
        finding
            .notes
            .push(format!("other branches set `${meant}`, and nothing in the module names `${name}`"));
        context.withdraw_message(rules::POSSIBLY_UNSET_VARIABLE, &possibly_unset_variable::message(meant));
    }
}

/// Reports a variable that one branch of a class sets, and nothing reads, while the other branches set one with a similar name.
fn misspelled(context: &mut Context<'_, '_>) {
    let (db, file, body) = (context.db, context.file, context.body);
    for it in misnamed(body) {
        if is_named_in_module(db, file, it.name.into()) {
            continue;
        }
        let message = format!("nothing reads `${}`", it.name);
        let finding = context.report(rules::UNUSED_VARIABLE, At::Expr(it.at), message);
        finding.label = Some(format!("did you mean `${}`?", it.meant));
        finding.notes.push(format!("all other branches set `${}`, and this one does not", it.meant));
        // It may be unset because of the same slip.
        context.withdraw_message(rules::POSSIBLY_UNSET_VARIABLE, &possibly_unset_variable::message(it.meant));
    }
}
