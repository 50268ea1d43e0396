//! Variables of which a body asks whether they are set: who asks knows that others may set them, or nobody.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Callee, Expr, Variable};
use marotte_text::unrooted;

use crate::flow::Flow;

/// How a body asks for a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// It does not.
    Not,
    /// Whether it is true, empty or `undef`: what nobody had set was, once.
    ForValue,
    /// Whether it is there: `defined('$name')`.
    ForPresence,
}

/// How a body asks for a variable, the clearest way that it has.
pub(crate) fn asked(body: &Body, name: &str) -> Asked {
    let by = |asks: fn(&Body, &Expr, &str) -> bool| body.exprs().any(|(_, expr)| asks(body, expr, name));
    if by(asks_presence) {
        Asked::ForPresence
    } else if by(asks_value) {
        Asked::ForValue
    } else {
        Asked::Not
    }
}

fn asks_presence(body: &Body, expr: &Expr, name: &str) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Callee::Function(function) = &call.callee else { return false };
    let is_it = |asked: &ExprId| match body.expr(*asked) {
        Expr::String(text) => text.strip_prefix('$') == Some(name),
        _ => false,
    };
    unrooted(function) == "defined" && call.arguments.iter().any(is_it)
}

fn asks_value(body: &Body, expr: &Expr, name: &str) -> bool {
    let reads = |id: ExprId| reads(body, id, name);
    let is_nothing = |id: &ExprId| is_nothing(body, *id);
    match expr {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().any(|it| asks_truth(body, it.test, name)),
        Expr::Selector(it) => reads(it.test) && it.entries.iter().any(|(key, _)| is_nothing(key)),
        Expr::Case(it) => reads(it.test) && it.options.iter().flat_map(|it| &it.values).any(is_nothing),
        Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
            (reads(it.left) && is_nothing(&it.right)) || (reads(it.right) && is_nothing(&it.left))
        }
        _ => false,
    }
}

/// Whether a body sets a variable in an `if` that asks for its truth, as who sets what others have not: `if !$a { $a = 1 }`.
pub(crate) fn is_filled_in(body: &Body, flow: &Flow, name: &str) -> bool {
    let sets = |expr: &Expr| match expr {
        Expr::Assign { target, .. } => target.variables().iter().any(|(_, it)| *it == name),
        _ => false,
    };
    let set: Vec<ExprId> = body.exprs().filter(|(_, it)| sets(it)).map(|(id, _)| id).collect();
    let asks = body.exprs().filter(|(_, expr)| match expr {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().any(|it| asks_truth(body, it.test, name)),
        _ => false,
    });
    asks.map(|(id, _)| id).any(|choice| set.iter().any(|at| flow.is_way_of(*at, choice)))
}

/// As deep as the operators of the text.
fn asks_truth(body: &Body, test: ExprId, name: &str) -> bool {
    match body.expr(test) {
        Expr::Not(operand) => asks_truth(body, *operand, name),
        Expr::And(left, right) | Expr::Or(left, right) => {
            asks_truth(body, *left, name) || asks_truth(body, *right, name)
        }
        _ => reads(body, test, name),
    }
}

fn reads(body: &Body, id: ExprId, name: &str) -> bool {
    let Expr::Variable(variable) = body.expr(id) else { return false };
    matches!(&**variable, Variable::Local { name: it, .. } if it == name)
}

fn is_nothing(body: &Body, id: ExprId) -> bool {
    match body.expr(id) {
        Expr::Undef => true,
        Expr::String(text) => text.is_empty(),
        _ => false,
    }
}
