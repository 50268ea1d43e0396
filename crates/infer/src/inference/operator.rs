//! Operators.

use marotte_eval::binary_operator;
use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp};
use marotte_pcore::infer::infer_set;
use marotte_pcore::ops::{self, Strictness};
use marotte_pcore::types::{IntegerRange, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;

use super::builder::InferenceBuilder;
use super::constant::constant;
use super::known::Known;
use super::truth::truth;
use crate::disjoint::never_equal;

impl InferenceBuilder<'_> {
    pub(super) fn binary(&mut self, binary: &Binary) -> Known {
        let left = self.expr(binary.left);
        let right = self.expr(binary.right);
        if let (Some(left), Some(right)) = (&left, &right)
            && let Some(result) = computed(binary.op, left, right)
        {
            return result;
        }
        use BinaryOp as Op;
        if let (Op::Equal | Op::NotEqual, Some(left), Some(right)) = (binary.op, &left, &right)
            && never_equal(left, right)
        {
            return Some(TypeKind::Boolean(Some(binary.op == Op::NotEqual)).into());
        }
        if let (Some(left), Some(right)) = (&left, &right)
            && let Some(holds) = ordered(binary.op, left, right)
        {
            return Some(TypeKind::Boolean(Some(holds)).into());
        }
        match binary.op {
            Op::Equal
            | Op::NotEqual
            | Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::In
            | Op::Match
            | Op::NoMatch
            | Op::And
            | Op::Or => Some(TypeKind::Boolean(None).into()),
            Op::Add | Op::Subtract | Op::Multiply | Op::Divide => arithmetic(binary.op, &left?, &right?),
            Op::Modulo | Op::ShiftRight => (is_integer(&left?) && is_integer(&right?)).then(Type::integer),
            Op::ShiftLeft => match left?.resolved().kind() {
                TypeKind::Array(..) | TypeKind::Tuple(_) => Some(Type::array(Type::any(), None)),
                TypeKind::Integer(_) if is_integer(&right?) => Some(Type::integer()),
                _ => None,
            },
        }
    }

    pub(super) fn minus(&mut self, operand: ExprId) -> Known {
        let it = self.expr(operand)?;
        if let Some(value) = constant(&it) {
            let result = ops::negate(dialect(), Strictness::Error, &value).ok()?;
            return Some(infer_set(dialect(), &result.value));
        }
        match it.resolved().kind() {
            TypeKind::Integer(_) => Some(Type::integer()),
            TypeKind::Float(_) => Some(any_float()),
            TypeKind::Numeric => Some(TypeKind::Numeric.into()),
            _ => None,
        }
    }

    /// `and`, `or`: the right side is evaluated only if the left doesn't decide the result.
    pub(super) fn logical(&mut self, left: ExprId, right: ExprId, is_and: bool) -> Known {
        let known = self.expr(left);
        if !self.reachable {
            return None;
        }
        let decided = known.as_ref().and_then(truth);
        let mark = self.scopes.mark();
        self.assume(left, is_and);
        let other = self.expr(right);
        let branch = self.scopes.cut(mark);
        let came_back = std::mem::replace(&mut self.reachable, true);
        let mut branches = vec![super::scope::Branch::default()];
        if came_back {
            branches.push(branch);
        }
        self.scopes.join(branches);
        let value = match (decided, other.as_ref().and_then(truth)) {
            (Some(left), _) if left != is_and => Some(left),
            (Some(_), right) => right,
            (None, Some(right)) if right != is_and && came_back => Some(right),
            _ => None,
        };
        Some(TypeKind::Boolean(value).into())
    }
}

/// The result of a comparison that the ranges of two integers decide.
fn ordered(op: BinaryOp, left: &Type, right: &Type) -> Option<bool> {
    let (TypeKind::Integer(left), TypeKind::Integer(right)) =
        (left.resolved().kind(), right.resolved().kind())
    else {
        return None;
    };
    /// Whether all integers of one range are less than those of another.
    fn is_below(one: &IntegerRange, other: &IntegerRange) -> bool {
        one.to.as_ref().zip(other.from.as_ref()).is_some_and(|(to, from)| to < from)
    }
    /// Whether no integer of one range is greater than one of another.
    fn is_at_most(one: &IntegerRange, other: &IntegerRange) -> bool {
        one.to.as_ref().zip(other.from.as_ref()).is_some_and(|(to, from)| to <= from)
    }
    let (holds, fails) = match op {
        BinaryOp::Less => (is_below(left, right), is_at_most(right, left)),
        BinaryOp::LessEqual => (is_at_most(left, right), is_below(right, left)),
        BinaryOp::Greater => (is_below(right, left), is_at_most(left, right)),
        BinaryOp::GreaterEqual => (is_at_most(right, left), is_below(left, right)),
        _ => return None,
    };
    (holds || fails).then_some(holds)
}

/// The result of an operator for two constant operands; outer None if they aren't constant, inner None if the operator rejects
/// them.
fn computed(op: BinaryOp, left: &Type, right: &Type) -> Option<Known> {
    let operator = binary_operator(op)?;
    let (left, right) = (constant(left)?, constant(right)?);
    let result = ops::binary(dialect(), Strictness::Error, operator, &left, &right);
    // NaN isn't an instance of any type.
    let result = result.ok().filter(|it| !matches!(it.value, Value::Float(it) if it.is_nan()));
    Some(result.map(|it| infer_set(dialect(), &it.value)))
}

fn arithmetic(op: BinaryOp, left: &Type, right: &Type) -> Known {
    let (left, right) = (left.resolved(), right.resolved());
    if is_integer(left) && is_integer(right) {
        return Some(Type::integer());
    }
    if (is_integer(left) || is_float(left)) && (is_integer(right) || is_float(right)) {
        return Some(any_float());
    }
    match (op, left.kind()) {
        (BinaryOp::Add | BinaryOp::Subtract, TypeKind::Array(..) | TypeKind::Tuple(_)) => {
            Some(Type::array(Type::any(), None))
        }
        (BinaryOp::Add, TypeKind::Hash(..) | TypeKind::Struct(_))
            if matches!(right.kind(), TypeKind::Hash(..) | TypeKind::Struct(_)) =>
        {
            Some(merged(left, right))
        }
        (BinaryOp::Add | BinaryOp::Subtract, TypeKind::Hash(..) | TypeKind::Struct(_)) => {
            Some(Type::hash(Type::any(), Type::any(), None))
        }
        _ => None,
    }
}

/// The type of the sum of two hashes.
fn merged(left: &Type, right: &Type) -> Type {
    let (TypeKind::Struct(left), TypeKind::Struct(right)) = (left.kind(), right.kind()) else {
        return Type::hash(Type::any(), Type::any(), None);
    };
    let mut elements = left.to_vec();
    for added in right.iter() {
        match elements.iter_mut().find(|it| it.name == added.name) {
            Some(it) if added.optional => {
                it.value = Type::variant([it.value.clone(), added.value.clone()]);
            }
            Some(it) => *it = added.clone(),
            None => elements.push(added.clone()),
        }
    }
    TypeKind::Struct(elements.into()).into()
}

pub(super) fn is_integer(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Integer(_) => true,
        TypeKind::Variant(types) => types.iter().all(is_integer),
        _ => false,
    }
}

fn is_float(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Float(_))
}

pub(super) fn any_float() -> Type {
    use marotte_pcore::types::FloatRange;
    TypeKind::Float(FloatRange { from: f64::NEG_INFINITY, to: f64::INFINITY }).into()
}
