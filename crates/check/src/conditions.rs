//! Conditions whose result is fixed, whatever the node.

use marotte_db::Settings;
use marotte_hir::body::{BinaryOp, Expr, Variable};
use marotte_hir::{Body, ExprId};
use marotte_infer::disjoint::never_equal;
use marotte_infer::inference::truth;
use marotte_infer::sorts::is_text;
use marotte_pcore::infer::generalize;
use marotte_pcore::types::{Type, TypeKind};

use crate::context::Context;

/// A condition of `if` or `unless` that always has the same result.
pub(crate) struct Decided {
    /// The condition, or the part of it that decides.
    pub(crate) test: ExprId,
    /// The result that the condition always has.
    pub(crate) holds: bool,
    /// The condition's type.
    pub(crate) known: Type,
    /// Whether the condition is a value that is converted to a Boolean, rather than an operation that returns one.
    pub(crate) is_value: bool,
    /// The types of the operands of a comparison that never holds.
    pub(crate) unequal: Option<(Type, Type)>,
    /// Whether the condition compares a variable, or a part of one, with itself.
    pub(crate) is_same: bool,
}

/// The conditions of an item whose result is fixed, except those that are intentional.
pub(crate) fn decided(context: &Context<'_, '_>) -> Vec<Decided> {
    let body = context.body;
    let choices = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::If(choice) | Expr::Unless(choice) => Some(choice),
        _ => None,
    });
    let tests = choices.flat_map(|it| it.arms.iter().map(|it| it.test));
    // In dialects where the empty string is false, `dialect-change` reports it.
    let written = Settings::get(context.db).dialect(context.db);
    let is_meant = |test: &ExprId| written.evaluation.empty_string_is_true || !asks_text(context, *test);
    tests.filter(is_meant).filter_map(|test| of_test(context, test)).collect()
}

/// Whether a condition converts a string to a Boolean.
fn asks_text(context: &Context<'_, '_>, test: ExprId) -> bool {
    // The recursion is as deep as the operators in the source.
    match context.body.expr(test) {
        Expr::Not(operand) => asks_text(context, *operand),
        Expr::And(left, right) | Expr::Or(left, right) => {
            asks_text(context, *left) || asks_text(context, *right)
        }
        _ => context.inference().type_of(test).is_some_and(is_text),
    }
}

fn of_test(context: &Context<'_, '_>, test: ExprId) -> Option<Decided> {
    let (body, inference) = (context.body, context.inference());
    // `if false { … }` is intentional, and a condition may exist for its assignment.
    if matches!(body.expr(test), Expr::Boolean(_) | Expr::Undef | Expr::Assign { .. }) {
        return None;
    }
    if let Some((test, holds)) = same(body, test) {
        let known = TypeKind::Boolean(Some(holds)).into();
        return Some(Decided { test, holds, known, is_value: false, unequal: None, is_same: true });
    }
    let holds = inference.type_of(test).and_then(truth)?;
    let test = decisive(context, test, holds);
    if is_setting(context, test) {
        return None;
    }
    let known = inference.type_of(test)?.clone();
    let expr = body.expr(test);
    let is_value = matches!(
        expr,
        Expr::Variable(_) | Expr::Access { .. } | Expr::Call(_) | Expr::MethodCall(_) | Expr::Interpolated(_)
    );
    let compared = match expr {
        Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
            inference.type_of(it.left).zip(inference.type_of(it.right))
        }
        _ => None,
    };
    let unequal = compared.filter(|(left, right)| never_equal(left, right));
    let unequal = unequal.map(|(left, right)| (left.clone(), right.clone()));
    Some(Decided { test, holds, known, is_value, unequal, is_same: false })
}

/// The part of a condition that compares a variable with itself and thereby decides it, and the result.
fn same(body: &Body, test: ExprId) -> Option<(ExprId, bool)> {
    // The recursion is as deep as the operators in the source.
    let decides = |id: &ExprId, wanted: bool| same(body, *id).filter(|(_, holds)| *holds == wanted);
    match body.expr(test) {
        Expr::Binary(it) if matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual) => {
            is_same(body, it.left, it.right).then_some((test, it.op == BinaryOp::Equal))
        }
        Expr::And(left, right) => decides(left, false).or_else(|| decides(right, false)),
        Expr::Or(left, right) => decides(left, true).or_else(|| decides(right, true)),
        _ => None,
    }
}

/// Whether two expressions are the same variable, or the same part of it.
fn is_same(body: &Body, one: ExprId, other: ExprId) -> bool {
    // The recursion is as deep as the brackets in the source.
    match (body.expr(one), body.expr(other)) {
        (Expr::Variable(one), Expr::Variable(other)) => one == other,
        (Expr::Access { target, keys }, Expr::Access { target: other, keys: others }) => {
            let is_key = |(one, other): (&ExprId, &ExprId)| match (body.expr(*one), body.expr(*other)) {
                (Expr::String(one), Expr::String(other)) => one == other,
                (Expr::Integer(one), Expr::Integer(other)) => one == other,
                _ => is_same(body, *one, *other),
            };
            keys.len() == others.len()
                && is_same(body, *target, *other)
                && keys.iter().zip(others).all(is_key)
        }
        _ => false,
    }
}

/// Whether the result depends only on the current value of another class's variable: such parameter classes exist to be edited.
fn is_setting(context: &Context<'_, '_>, test: ExprId) -> bool {
    let (body, inference) = (context.body, context.inference());
    let general = |id: ExprId| inference.type_of(id).map(generalize);
    match body.expr(test) {
        Expr::Not(operand) => is_setting(context, *operand),
        // Conditions decided by one operand were split before.
        Expr::And(left, right) | Expr::Or(left, right) => {
            is_setting(context, *left) || is_setting(context, *right)
        }
        Expr::Variable(_) => is_of_other(context, test) && general(test).as_ref().and_then(truth).is_none(),
        Expr::Binary(it) if is_of_other(context, it.left) || is_of_other(context, it.right) => {
            let types = general(it.left).zip(general(it.right));
            !types.is_some_and(|(left, right)| never_equal(&left, &right))
        }
        _ => false,
    }
}

/// Whether an expression is a variable of another class, by its full name or inherited.
fn is_of_other(context: &Context<'_, '_>, id: ExprId) -> bool {
    let Expr::Variable(variable) = context.body.expr(id) else { return false };
    match &**variable {
        Variable::Qualified { .. } => true,
        Variable::Local { name, .. } => {
            context.item.signature(context.db).parent.is_some() && context.body.times_set(name) == 0
        }
        Variable::Top(_) | Variable::Group(_) => false,
    }
}

/// The part of a condition that decides it: the operand of `and` that never holds, or the operand of `or` that always does.
fn decisive(context: &Context<'_, '_>, test: ExprId, holds: bool) -> ExprId {
    // The recursion is as deep as the operators in the source.
    let (Expr::And(left, right) | Expr::Or(left, right)) = context.body.expr(test) else { return test };
    let decides = matches!(context.body.expr(test), Expr::Or(..)) == holds;
    let is_it = |it: &&ExprId| context.inference().type_of(**it).and_then(truth) == Some(holds);
    match [left, right].into_iter().find(is_it) {
        Some(part) if decides => decisive(context, *part, holds),
        _ => test,
    }
}
