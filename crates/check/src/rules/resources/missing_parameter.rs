//! `missing-parameter`: a required parameter of a class, a defined type, a template or a plan isn't passed.

use std::collections::VecDeque;

use foldhash::HashSet;
use marotte_diagnostics::{Diagnostic, Level, rules};
use marotte_hir::{ExprId, Item, ItemKind, Signature};
use marotte_resolve::call::NamedCall;
use marotte_resolve::resource_types::is_altered_elsewhere;
use marotte_resolve::spelling::nearest;

use crate::analysis::resources::parameters::{
    Given, PassedByCall, given, may_have_data, passed_by_call, recipient, renamed,
};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for declaration in context.declarations().iter() {
        for target in given(context, declaration) {
            declared(context, &target);
        }
    }
    for (id, expr) in context.body.exprs() {
        if let Some(call) = NamedCall::of(expr)
            && let Some(passed) = passed_by_call(context, &call)
        {
            called(context, id, &passed);
        }
    }
}

fn declared(context: &mut Context<'_, '_>, given: &Given<'_, '_>) {
    let (db, item) = (context.db, given.item);
    let Some(title) = given.title else { return };
    let Some(names) = given.names() else { return };
    let mut missing = missing(item.signature(db), &names);
    missing.retain(|it| match item.kind(db) {
        ItemKind::Class => !may_have_data(db, context.file, context.environment, item, it),
        _ => !is_altered_elsewhere(db, context.environment, context.file, item.name(db), it),
    });
    if missing.is_empty() {
        return;
    }
    if item.kind(db) == ItemKind::Class {
        // The server's layer of data may set it.
        let finding = report(context, item, At::Expr(title), &missing);
        finding.level = Level::Warning;
        finding.notes.push("no data here has a value; only the server's own could have one".to_owned());
    } else {
        report(context, item, At::Expr(title), &missing);
    }
}

fn called(context: &mut Context<'_, '_>, id: ExprId, passed: &PassedByCall<'_>) {
    let names: Vec<&str> = passed.given.iter().map(|it| it.name.as_str()).collect();
    let missing = missing(passed.item.signature(context.db), &names);
    if passed.is_complete && !missing.is_empty() {
        report(context, passed.item, At::Callee(id), &missing);
    }
}

/// The required parameters that aren't among the given names. Leaves out those that a given name is a misspelling of, or that is given
/// instead: `unknown-parameter` reports these.
fn missing<'s>(signature: &'s Signature, given: &[&str]) -> Vec<&'s str> {
    if renamed(signature, given).is_some() {
        return Vec::new();
    }
    let parameters = signature.parameters.iter();
    let required = parameters.filter(|it| !it.is_optional).map(|it| it.name.as_str());
    let known: HashSet<&str> = given.iter().copied().collect();
    // What is removed is among the first that are compared.
    let mut missing: VecDeque<&str> = required.filter(|it| !known.contains(it)).collect();
    for name in given.iter().filter(|it| signature.parameter(it).is_none()) {
        let meant = nearest(name, missing.iter().copied());
        if let Some(meant) = meant.and_then(|it| missing.iter().position(|other| *other == it)) {
            missing.remove(meant);
        }
    }
    missing.into()
}

fn report<'f>(
    context: &'f mut Context<'_, '_>,
    item: Item<'_>,
    at: At,
    missing: &[&str],
) -> &'f mut Diagnostic {
    let db = context.db;
    let of = recipient(db, item);
    /// Of more parameters, only the names are listed.
    const SHOWN: usize = 50;
    let names: Vec<String> = missing.iter().map(|it| format!("`{it}`")).collect();
    let plural = if names.len() > 1 { "s" } else { "" };
    let related: Vec<_> = missing
        .iter()
        .take(SHOWN)
        .filter_map(|it| context.parameter(item, it, "has no default value"))
        .collect();
    let message = format!("{of} needs a value for parameter{plural} {}", names.join(", "));
    // A parameter of the same name that nothing uses was to be passed on.
    for name in missing {
        if let Some(own) = context.body.parameters.iter().find(|it| it.name == *name) {
            context.withdraw(rules::UNUSED_PARAMETER, At::Expr(own.at));
        }
    }
    let finding = context.report(rules::MISSING_PARAMETER, at, message);
    finding.label = Some(format!("without {}", names.join(", ")));
    finding.related.extend(related);
    finding
}
