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
            let read = with_origins(body, &[id]);
            if !read.is_empty() && read.is_disjoint(names) {
                return true;
            }
        }
    }
    false
}

/// The variables that decide which branch of a choice is taken, and the variables that these are computed from.
pub(crate) fn tested(body: &Body, choice: ExprId) -> BTreeSet<Str> {
    with_origins(body, &tests(body, choice))
}

/// The role of a condition where two are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// A variable is set if the condition holds.
    Sets,
    /// A variable is read, or evaluation goes on, if the condition holds.
    Reads,
}

/// The subjects of the tests of a choice, as [`subjects_in`], and those that its variables are computed from.
pub(crate) fn subjects(body: &Body, choice: ExprId, role: Role) -> BTreeSet<Str> {
    let tests = tests(body, choice);
    let all = tests.iter().copied().chain(origins(body, &tests));
    all.flat_map(|it| subjects_in(body, it, role)).collect()
}

/// The variables that an expression reads, without namespaces. Facts count by what they describe: the operating system does not
/// depend on the amount of memory, while a fact of a module may depend on anything.
pub(crate) fn subjects_in(body: &Body, id: ExprId, role: Role) -> BTreeSet<Str> {
    let mut found = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if let Some(fact) = fact_in(body, id) {
            found.extend(described_by(fact, role).iter().copied().map(Str::from));
            continue;
        }
        match body.expr(id) {
            Expr::Variable(variable) if is_facts(body, variable) => {
                found.extend(DESCRIBED.iter().copied().map(Str::from));
            }
            Expr::Variable(variable) => found.extend(name_of(variable).cloned()),
            _ => {}
        }
        parts(body, body.expr(id), &mut |part, _| open.push(part));
    }
    found
}

/// Things that facts describe, as names that no variable has.
const DESCRIBED: [&str; 5] = ["facts", "facts[memory]", "facts[os]", "facts[processors]", "facts[virtual]"];

/// The things that a condition on a fact may depend on.
fn described_by(fact: &str, role: Role) -> &'static [&'static str] {
    match (fact, role) {
        (
            "architecture"
            | "kernel"
            | "kernelmajversion"
            | "kernelrelease"
            | "kernelversion"
            | "operatingsystem"
            | "operatingsystemmajrelease"
            | "operatingsystemrelease"
            | "os"
            | "osfamily",
            _,
        ) => &["facts[os]"],
        // Containers imply Linux; Linux doesn't imply containers.
        ("virtual", Role::Reads) => &["facts[os]", "facts[virtual]"],
        ("virtual", Role::Sets) | ("is_virtual", _) => &["facts[virtual]"],
        ("memory", _) => &["facts[memory]"],
        ("processors", _) => &["facts[processors]"],
        _ => &DESCRIBED,
    }
}

/// The name of the fact that an expression reads a part of, if the name is written: `os` of `$facts['os']['family']`.
fn fact_in(body: &Body, id: ExprId) -> Option<&str> {
    let Expr::Access { target, keys } = body.expr(id) else { return None };
    if let Expr::Variable(variable) = body.expr(*target) {
        let [key] = &keys[..] else { return None };
        let Expr::String(name) = body.expr(*key) else { return None };
        return is_facts(body, variable).then_some(name);
    }
    // Keys that are computed depend on other things, too.
    let are_written = keys.iter().all(|it| matches!(body.expr(*it), Expr::String(_) | Expr::Integer(_)));
    fact_in(body, *target).filter(|_| are_written)
}

/// Whether a variable is the hash of all facts.
fn is_facts(body: &Body, variable: &Variable) -> bool {
    match variable {
        Variable::Top(name) => name == "facts",
        Variable::Local { name, .. } => {
            name == "facts" && body.times_set(name) == 0 && !body.parameters.iter().any(|it| it.name == *name)
        }
        _ => false,
    }
}

/// The name of a variable, without namespaces.
fn name_of(variable: &Variable) -> Option<&Str> {
    match variable {
        Variable::Local { name, .. } | Variable::Top(name) | Variable::Qualified { name, .. } => Some(name),
        Variable::Group(_) => None,
    }
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

/// The variables that expressions read, and those that their local variables are computed from.
fn with_origins(body: &Body, ids: &[ExprId]) -> BTreeSet<Str> {
    let origins = origins(body, ids).into_iter().flat_map(|it| read_in(body, it));
    ids.iter().flat_map(|it| read_in(body, *it)).chain(origins).collect()
}

/// The values of the local variables that expressions read. `$ntp::port` is not the local variable `$port`.
fn origins(body: &Body, ids: &[ExprId]) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut open = ids.to_vec();
    while let Some(id) = open.pop() {
        if let Expr::Variable(variable) = body.expr(id)
            && let Variable::Local { name, .. } = &**variable
        {
            found.extend(body.set_once(name));
        }
        parts(body, body.expr(id), &mut |part, _| open.push(part));
    }
    found
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
            found.extend(name_of(variable).cloned());
        }
        parts(body, body.expr(id), &mut |part, _| open.push(part));
    }
    found
}
