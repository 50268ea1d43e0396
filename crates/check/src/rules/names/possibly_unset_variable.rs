//! `possibly-unset-variable`: a variable that is read, but set on only some of the paths to the read.
//!
//! Conditions may be related: nothing is reported where a condition that decides whether the variable is set may also decide whether
//! it is read, or whether evaluation reaches the read.

use marotte_diagnostics::{Rule, rules};
use std::collections::BTreeSet;

use foldhash::{HashMap, HashSet};
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::flow::{Branch, Flow, leaving_call};
use marotte_infer::inference::{outline, truth};
use marotte_resolve::call::NamedCall;
use marotte_resolve::globals::is_global;
use marotte_resolve::names::{AncestorsEnd, ancestors};
use marotte_text::Str;

use crate::context::{At, Context};
use crate::tested::{read_in, tested};
use crate::variable_tests::VariableTest;

const RULE: &Rule = rules::POSSIBLY_UNSET_VARIABLE;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    // Functions may end a plan in ways that aren't known here.
    if context.item.kind(context.db) == ItemKind::Plan {
        return;
    }
    if context.inference().perhaps_unset().is_empty() {
        return;
    }
    let flow = context.flow();
    let facts = Facts::new(body, &flow);
    let read_unset: HashSet<&Str> =
        context.inference().unset().iter().filter_map(|it| local_name(body, *it)).collect();
    for id in context.inference().perhaps_unset() {
        let Expr::Variable(variable) = body.expr(*id) else { continue };
        let Variable::Local { name, .. } = &**variable else { continue };
        // `unresolved-variable` reports that it is read before it is set.
        if context.inference().is_unreachable(*id)
            || read_unset.contains(name)
            || may_be_elsewhere(context, name)
        {
            continue;
        }
        let is_decided = |it: &ExprId| flow.choices(*it).iter().any(|it| is_decided(context, *it));
        let Some(set) = facts
            .set_at(name)
            .filter(|it| !it.iter().any(is_decided))
            .filter(|it| !belong_together(&facts, it, *id))
        else {
            continue;
        };
        let message = format!("`${name}` may be unset here");
        if context.add_place(RULE, &message, At::Expr(*id), "it is read here, too") {
            continue;
        }
        let related = set.iter().map(|it| context.related(At::Expr(*it), "set here, on some ways only"));
        let related = related.collect();
        let finding = context.report(RULE, At::Expr(*id), message);
        finding.label = Some("not every way that leads here sets it".to_owned());
        finding.related = related;
        finding.notes.push("Puppet 8 fails where a variable is read that is not set".to_owned());
    }
}

/// Whether a variable of this name may come from an enclosing scope, or the body tests whether it exists.
fn may_be_elsewhere(context: &Context<'_, '_>, name: &Str) -> bool {
    let (db, item) = (context.db, context.item);
    let inherited = ancestors(db, item);
    let is_inherited = inherited.end != AncestorsEnd::Nothing
        || inherited.classes.iter().any(|it| outline(db, *it).variable(name).is_some());
    is_inherited
        || matches!(item.kind(db), ItemKind::Program | ItemKind::Node(_))
            && is_global(db, context.file, context.environment, name)
        || context.variable_test(name) == VariableTest::Presence
}

/// The name of the local variable that an expression reads.
fn local_name(body: &Body, id: ExprId) -> Option<&Str> {
    let Expr::Variable(variable) = body.expr(id) else { return None };
    match &**variable {
        Variable::Local { name, .. } => Some(name),
        _ => None,
    }
}

/// Facts about a body that each of its variables needs.
struct Facts<'b> {
    body: &'b Body,
    flow: &'b Flow,
    /// The assignments that set a variable.
    set_at: HashMap<&'b str, Vec<ExprId>>,
    /// The branches on which a variable is set.
    set_on: HashMap<&'b str, HashSet<Branch>>,
    /// The calls that evaluation may not get past, or that don't evaluate a lambda.
    guards: Vec<(ExprId, &'b Expr)>,
}

impl<'b> Facts<'b> {
    fn new(body: &'b Body, flow: &'b Flow) -> Self {
        let mut facts =
            Facts { body, flow, set_at: HashMap::default(), set_on: HashMap::default(), guards: Vec::new() };
        for (id, expr) in body.exprs() {
            if let Expr::Assign { target, .. } = expr {
                for (_, name) in target.variables() {
                    let at = facts.set_at.entry(name).or_default();
                    if at.last() != Some(&id) {
                        at.push(id);
                    }
                    facts.set_on.entry(name).or_default().insert(flow.of(id));
                }
            }
            let may_refuse = |it: &NamedCall<'_>| {
                let name = it.plain_name();
                name.starts_with("validate_") || name.contains("assert") || it.lambda.is_some()
            };
            if leaving_call(expr).is_some() || NamedCall::of(expr).is_some_and(|it| may_refuse(&it)) {
                facts.guards.push((id, expr));
            }
        }
        facts
    }

    /// The assignments that set a variable. None if lambdas or parameters have one of the same name.
    fn set_at(&self, name: &str) -> Option<&[ExprId]> {
        let set = self.set_at.get(name)?;
        (set.len() == self.body.times_set(name)).then_some(set)
    }
}

/// Whether a condition has a constant result.
fn is_decided(context: &Context<'_, '_>, choice: ExprId) -> bool {
    match context.body.expr(choice) {
        Expr::If(it) | Expr::Unless(it) => {
            it.arms.iter().any(|it| context.inference().type_of(it.test).and_then(truth).is_some())
        }
        _ => false,
    }
}

/// Whether several conditions, one after the other, test the same variables: together they are probably meant to be exhaustive.
fn are_alternatives(body: &Body, flow: &Flow, set: &[ExprId], around_read: &[ExprId]) -> bool {
    let all = set.iter().flat_map(|it| flow.choices(*it)).filter(|it| !around_read.contains(it));
    let all: BTreeSet<ExprId> = all.collect();
    let tests: Vec<(ExprId, BTreeSet<Str>)> = all.iter().map(|it| (*it, tested(body, *it))).collect();
    let innermost: BTreeSet<ExprId> =
        set.iter().filter_map(|it| flow.choices(*it).first().copied()).collect();
    let are_nested = |one, other| flow.is_way_of(one, other) || flow.is_way_of(other, one);
    tests.iter().enumerate().any(|(index, (one, names))| {
        tests[..index].iter().any(|(other, of_other)| {
            !names.is_disjoint(of_other)
                && (innermost.contains(one) && innermost.contains(other) || !are_nested(*one, *other))
        })
    })
}

/// Whether a condition that decides whether a variable is set may decide whether it is read, or whether evaluation reaches the read.
fn belong_together(facts: &Facts<'_>, set: &[ExprId], read: ExprId) -> bool {
    /// The number of calls beyond which one of them is taken to decide.
    const MOST: usize = 200;
    let Facts { body, flow, set_on, guards, .. } = facts;
    let around_read = flow.choices(read);
    if are_alternatives(body, flow, set, &around_read) {
        return true;
    }
    let mut decide: BTreeSet<Str> = BTreeSet::new();
    for it in set {
        for choice in flow.choices(*it).iter().filter(|it| !around_read.contains(it)) {
            decide.extend(tested(body, *choice));
        }
    }
    // Variables that are set together with a variable show whether it's set.
    let is_beside = |name: &Str| {
        let on = set_on.get(name.as_str());
        on.is_some_and(|on| set.iter().any(|it| on.contains(&flow.of(*it))))
    };
    let shares = |names: BTreeSet<Str>| !names.is_disjoint(&decide) || names.iter().any(is_beside);
    let is_around_all = |choice: &ExprId| set.iter().all(|it| flow.choices(*it).contains(choice));
    if around_read.iter().filter(|it| !is_around_all(it)).any(|it| shares(tested(body, *it))) {
        return true;
    }
    // A lambda that is called for each element of a tested value isn't called if there are no elements.
    let iterates = |call: &NamedCall<'_>| call.lambda.is_some_and(|it| flow.is_in(read, it));
    // The branches of a choice that sets the variable are told apart: one that leaves, such as `default: { fail(…) }`, doesn't set it,
    // and doesn't lead to the read. If it only leaves on a condition, that may be one of the read.
    let sets = |choice: &ExprId| set.iter().any(|it| flow.choices(*it).contains(choice));
    let asked_at_read: BTreeSet<Str> = around_read.iter().flat_map(|it| tested(body, *it)).collect();
    guards.len() > MOST
        || guards.iter().any(|(id, expr)| {
            let guards = || {
                let (of_set, others): (Vec<ExprId>, Vec<ExprId>) =
                    flow.choices(*id).into_iter().partition(&sets);
                let is_branch = of_set.iter().any(|it| !around_read.contains(it));
                others.into_iter().any(|it| {
                    let names = tested(body, it);
                    is_branch && !names.is_disjoint(&asked_at_read) || shares(names)
                })
            };
            leaving_call(expr).is_some() && guards()
                || NamedCall::of(expr).is_some_and(|it| {
                    let name = it.plain_name();
                    (name.starts_with("validate_") || name.contains("assert") || iterates(&it))
                        && it.arguments().any(|it| shares(read_in(body, it)))
                })
        })
}
