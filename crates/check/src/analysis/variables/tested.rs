//! The variables that decide which branch of a choice is taken.

use std::collections::BTreeSet;

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Variable, parts};
use marotte_infer::flow::{Flow, leaving_call};
use marotte_text::Str;

/// Whether one of these variables decides whether an expression is evaluated, or whether the evaluation ends early.
pub(crate) fn is_guarded(body: &Body, flow: &Flow, id: ExprId, names: &BTreeSet<Str>) -> bool {
    let decide = |id: ExprId| flow.choices(id).into_iter().any(|it| !tested(body, it).is_disjoint(names));
    decide(id) || body.calls().any(|(id, expr)| leaving_call(expr).is_some() && decide(id))
}

/// The variables that decide which branch of a choice is taken, and the variables that these are computed from.
pub(crate) fn tested(body: &Body, choice: ExprId) -> BTreeSet<Str> {
    let tests: Vec<ExprId> = match body.expr(choice) {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().map(|it| it.test).collect(),
        Expr::Case(it) => vec![it.test],
        Expr::Selector(it) => vec![it.test],
        Expr::And(left, _) | Expr::Or(left, _) => vec![*left],
        _ => Vec::new(),
    };
    let direct: BTreeSet<Str> = tests.into_iter().flat_map(|it| read_in(body, it)).collect();
    let made_of = direct.iter().filter_map(|it| body.set_once(it)).flat_map(|it| read_in(body, it));
    let made_of: BTreeSet<Str> = made_of.collect();
    direct.into_iter().chain(made_of).collect()
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
