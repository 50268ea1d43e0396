//! Conditions that are decided before anything is known about a node.

use marotte_db::Settings;
use marotte_hir::body::{BinaryOp, Expr, Variable};
use marotte_hir::{Body, ExprId};
use marotte_infer::disjoint::never_equal;
use marotte_infer::inference::truth;
use marotte_infer::sorts::is_text;
use marotte_pcore::infer::generalize;
use marotte_pcore::types::{Type, TypeKind};

use crate::context::Context;

/// A condition of `if` or `unless` that always has the same answer.
pub(crate) struct Decided {
    /// The condition, or the part of it that decides.
    pub(crate) test: ExprId,
    /// The answer.
    pub(crate) holds: bool,
    /// Its type.
    pub(crate) known: Type,
    /// It is a value that is asked for its truth, rather than an operation that gives a Boolean.
    pub(crate) is_value: bool,
    /// What is compared, if it never is equal.
    pub(crate) unequal: Option<(Type, Type)>,
    /// A variable, or a part of one, is compared with itself.
    pub(crate) is_same: bool,
}

/// The conditions of an item that are decided, but for those that are written so on purpose.
pub(crate) fn decided(context: &Context<'_, '_>) -> Vec<Decided> {
    let body = context.body;
    let choices = body.exprs().filter_map(|(_, expr)| match expr {
        Expr::If(choice) | Expr::Unless(choice) => Some(choice),
        _ => None,
    });
    let tests = choices.flat_map(|it| it.arms.iter().map(|it| it.test));
    // Where the empty string was false, `dialect-change` says so.
    let written = Settings::get(context.db).dialect(context.db);
    let is_meant = |test: &ExprId| written.evaluation.empty_string_is_true || !asks_text(context, *test);
    tests.filter(is_meant).filter_map(|test| of_test(context, test)).collect()
}

/// Whether a condition asks a text for its truth.
fn asks_text(context: &Context<'_, '_>, test: ExprId) -> bool {
    // As deep as the operators of the text.
    match context.body.expr(test) {
        Expr::Not(operand) => asks_text(context, *operand),
        Expr::And(left, right) | Expr::Or(left, right) => {
            asks_text(context, *left) || asks_text(context, *right)
        }
        _ => context.inference.type_of(test).is_some_and(is_text),
    }
}

fn of_test(context: &Context<'_, '_>, test: ExprId) -> Option<Decided> {
    let (body, inference) = (context.body, context.inference);
    // `if false { … }` is written on purpose, and what is assigned may be all that matters.
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

/// The part of a condition that compares a variable with itself, and decides it, and what it decides.
fn same(body: &Body, test: ExprId) -> Option<(ExprId, bool)> {
    // As deep as the operators of the text.
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
    // As deep as the brackets of the text.
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

/// Whether only the value decides that a variable of another class has today: classes of parameters are there to be edited.
fn is_setting(context: &Context<'_, '_>, test: ExprId) -> bool {
    let (body, inference) = (context.body, context.inference);
    let general = |id: ExprId| inference.type_of(id).map(generalize);
    match body.expr(test) {
        Expr::Not(operand) => is_setting(context, *operand),
        // What one of them decides was taken apart before.
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

/// The part of a condition that decides it: of `and` the one that never holds, of `or` the one that always does.
fn decisive(context: &Context<'_, '_>, test: ExprId, holds: bool) -> ExprId {
    // As deep as the operators of the text.
    let (Expr::And(left, right) | Expr::Or(left, right)) = context.body.expr(test) else { return test };
    let decides = matches!(context.body.expr(test), Expr::Or(..)) == holds;
    let is_it = |it: &&ExprId| context.inference.type_of(**it).and_then(truth) == Some(holds);
    match [left, right].into_iter().find(is_it) {
        Some(part) if decides => decisive(context, *part, holds),
        _ => test,
    }
}
