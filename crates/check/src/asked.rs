//! Variables that a body tests before use: such code expects that other code may set them, or that they are never set.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Callee, Expr, Variable};
use marotte_infer::flow::Flow;
use marotte_text::unrooted;

/// The way in which a body tests a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The body doesn't test it.
    Not,
    /// The body tests whether the variable is true, empty or `undef`: formerly, an unset variable was.
    ForValue,
    /// The body tests whether the variable exists: `defined('$name')`.
    ForPresence,
}

/// The most explicit way in which a body tests a variable.
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
    asked_for(body, expr).any(|it| it == name)
}

/// Whether a body tests whether a class variable exists: `defined('$ntp::servers')`.
pub(crate) fn asks_for_qualified(body: &Body, scope: &str, name: &str) -> bool {
    let is_it = |it: &str| unrooted(it).rsplit_once("::") == Some((scope, name));
    body.exprs().any(|(_, expr)| asked_for(body, expr).any(is_it))
}

/// The names, without `$`, of the variables that a call of `defined` tests.
fn asked_for<'a>(body: &'a Body, expr: &'a Expr) -> impl Iterator<Item = &'a str> {
    let arguments = match expr {
        Expr::Call(call) => match &call.callee {
            Callee::Function(function) if unrooted(function) == "defined" => &call.arguments[..],
            _ => &[],
        },
        _ => &[],
    };
    arguments.iter().filter_map(|asked| match body.expr(*asked) {
        Expr::String(text) => text.strip_prefix('$'),
        _ => None,
    })
}

fn asks_value(body: &Body, expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::Selector(it) => {
            reads(body, it.test, name) && it.entries.iter().any(|(key, _)| is_nothing(body, *key))
        }
        _ => chooses_by(body, expr, name) || compares(body, expr, name),
    }
}

/// Whether a choice of statements depends on whether a variable is true, empty or `undef`.
fn chooses_by(body: &Body, expr: &Expr, name: &str) -> bool {
    match expr {
        Expr::If(it) | Expr::Unless(it) => it.arms.iter().any(|it| asks_test(body, it.test, name)),
        Expr::Case(it) => {
            let mut values = it.options.iter().flat_map(|it| &it.values);
            reads(body, it.test, name) && values.any(|it| is_nothing(body, *it))
        }
        _ => false,
    }
}

/// Whether a variable is compared with an empty value or `undef`.
fn compares(body: &Body, expr: &Expr, name: &str) -> bool {
    let Expr::Binary(it) = expr else { return false };
    let compares = |one, other| reads(body, one, name) && is_nothing(body, other);
    matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual)
        && (compares(it.left, it.right) || compares(it.right, it.left))
}

/// Whether a body sets a variable on a branch that depends on the variable's own value, to provide a default: `if !$a { $a = 1
/// }`.
pub(crate) fn is_filled_in(body: &Body, flow: &Flow, name: &str) -> bool {
    let sets = |expr: &Expr| match expr {
        Expr::Assign { target, .. } => target.variables().iter().any(|(_, it)| *it == name),
        _ => false,
    };
    let set: Vec<ExprId> = body.exprs().filter(|(_, it)| sets(it)).map(|(id, _)| id).collect();
    let choices = body.exprs().filter(|(_, expr)| chooses_by(body, expr, name));
    choices.map(|(id, _)| id).any(|choice| set.iter().any(|at| flow.is_way_of(*at, choice)))
}

/// The recursion is as deep as the operators in the source.
fn asks_test(body: &Body, test: ExprId, name: &str) -> bool {
    match body.expr(test) {
        Expr::Not(operand) => asks_test(body, *operand, name),
        Expr::And(left, right) | Expr::Or(left, right) => {
            asks_test(body, *left, name) || asks_test(body, *right, name)
        }
        it => reads(body, test, name) || compares(body, it, name),
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
