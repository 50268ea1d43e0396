//! The variables that decide which branch of a choice is taken.

use std::collections::BTreeSet;

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Variable, parts};
use marotte_infer::flow::{Flow, leaving_call};
use marotte_resolve::call::NamedCall;
use marotte_text::{Str, normalized};

/// Whether one of these variables decides whether an expression is evaluated, or whether the evaluation ends early.
pub(crate) fn is_guarded(body: &Body, flow: &Flow, id: ExprId, names: &BTreeSet<Str>) -> bool {
    let decide = |id: ExprId| flow.choices(id).into_iter().any(|it| !tested(body, it).is_disjoint(names));
    let around = flow.choices(id);
    // What is decided around both holds for both.
    let has_other = |it: &ExprId| !around.contains(it) && has_other(body, *it, names);
    let leaves = |id: ExprId| decide(id) && !flow.choices(id).iter().any(has_other);
    decide(id) || body.calls().any(|(id, expr)| leaving_call(expr).is_some() && leaves(id))
}

/// Whether a condition without alternatives holds only if something does that these variables don't decide: `$other` in
/// `if $name == 'a' and $other { … }`. A call inside that ends the evaluation rules no value of the variables out.
fn has_other(body: &Body, choice: ExprId, names: &BTreeSet<Str>) -> bool {
    let Expr::If(it) = body.expr(choice) else { return false };
    let ([arm], None) = (&it.arms[..], &it.otherwise) else { return false };
    let mut open = vec![arm.test];
    while let Some(id) = open.pop() {
        if let Expr::And(left, right) = body.expr(id) {
            open.extend([*left, *right]);
        } else {
            let read = with_origins(body, read_in(body, id));
            if !read.is_empty() && read.is_disjoint(names) {
                return true;
            }
        }
    }
    false
}

/// The variables that decide which branch of a choice is taken, and the variables that these are computed from.
pub(crate) fn tested(body: &Body, choice: ExprId) -> BTreeSet<Str> {
    with_origins(body, tests(body, choice).into_iter().flat_map(|it| read_in(body, it)).collect())
}

/// The expressions that decide which branch of a choice is taken.
fn tests(body: &Body, choice: ExprId) -> Vec<ExprId> {
    match body.expr(choice) {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().map(|it| it.test).collect(),
        Expr::Case(it) => vec![it.test],
        Expr::Selector(it) => vec![it.test],
        Expr::And(left, _) | Expr::Or(left, _) => vec![*left],
        _ => Vec::new(),
    }
}

/// Variables, and those that they are computed from.
fn with_origins(body: &Body, names: BTreeSet<Str>) -> BTreeSet<Str> {
    let origins = names.iter().filter_map(|it| body.set_once(it)).flat_map(|it| read_in(body, it));
    let origins: BTreeSet<Str> = origins.collect();
    names.into_iter().chain(origins).collect()
}

/// The names whose definitions decide whether an expression is evaluated: `portage` in `if defined('portage') { … }`.
pub(crate) fn names_asked_around(body: &Body, flow: &Flow, id: ExprId) -> BTreeSet<Str> {
    let mut open: Vec<ExprId> = flow.choices(id).into_iter().flat_map(|it| tests(body, it)).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if let Some(call) = NamedCall::of(body.expr(id)).filter(|it| it.plain_name() == "defined") {
            found.extend(call.arguments().filter_map(|it| match body.expr(it) {
                Expr::String(name) => Some(normalized(name)),
                _ => None,
            }));
        }
        parts(body, body.expr(id), &mut |part, _| open.push(part));
    }
    found
}

/// The variables that an expression reads, without namespaces.
pub(crate) fn read_in(body: &Body, id: ExprId) -> BTreeSet<Str> {
    let mut found = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if let Expr::Variable(variable) = body.expr(id) {
            match &**variable {
                Variable::Local { name, .. } | Variable::Top(name) | Variable::Qualified { name, .. } => {
                    found.insert(name.clone());
                }
                Variable::Group(_) => {}
            }
        }
        parts(body, body.expr(id), &mut |part, _| open.push(part));
    }
    found
}
