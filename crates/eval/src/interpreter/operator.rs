//! Operators and access: evaluates the operands; pcore implements the operations.

use marotte_diagnostics::{Rule, issues};
use std::rc::Rc;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_hir::body::{Binary, BinaryOp, Expr, Variable};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::ops::{
    self, AccessError, BinaryOperator, Coercion, MatchVariables, OperationError, Outcome,
};
use marotte_pcore::print::literal;
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{ResourceType, Type, TypeKind};
use marotte_pcore::value::{Integer, Unknown, Value};

use super::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Unwind};

impl Interpreter<'_> {
    /// Evaluates `left op right` (B.4).
    pub(super) fn binary(&mut self, env: &Env<'_>, id: ExprId, binary: &Binary) -> Evaluated {
        let left = self.eval(env, binary.left)?;
        let since = self.changes_in_place();
        let right = self.eval(env, binary.right)?;
        let left = self.settled(since, left)?;
        if let Some(value) = quick(binary.op, &left, &right) {
            return Ok(value);
        }
        let Some(operator) = binary_operator(binary.op) else { return Ok(Value::Undef) };
        self.spend_operation(env, id, operator, [&left, &right])?;
        let known = self.known_match(operator, &left, &right);
        if let Some(known) = known.or_else(|| known_comparison(operator, &left, &right)) {
            return Ok(known);
        }
        if let Some(by) = unknown_operand(operator, &left, &right) {
            return Ok(self.unknown_outcome(env, operator, by));
        }
        match ops::binary(self.dialect(), self.settings.strict, operator, &left, &right) {
            Ok(outcome) => Ok(self.outcome(env, id, outcome)),
            Err(error) => {
                let at = match &error {
                    OperationError::NotApplicable { .. }
                    | OperationError::NotApplicableWhen { .. }
                    | OperationError::NoText { .. } => binary.left,
                    OperationError::NotNumeric { .. } | OperationError::NumericCoercion(_) => {
                        let is_number = matches!(left, Value::Integer(_) | Value::Float(_));
                        if is_number { binary.right } else { binary.left }
                    }
                    OperationError::DivisionByZero
                    | OperationError::NoPattern { .. }
                    | OperationError::InvalidPattern(_) => binary.right,
                    _ => id,
                };
                Err(self.operation_error(env, id, at, error))
            }
        }
    }

    /// The result of matching an unknown value of a known type against a type, if that is certain.
    fn known_match(&self, operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
        let holds = match operator {
            BinaryOperator::Match => true,
            BinaryOperator::NotMatch => false,
            _ => return None,
        };
        let (Value::Unknown(by), Value::Type(wanted)) = (left, right) else { return None };
        let is_instance = known_instance(self.dialect(), by.known_type()?, wanted)?;
        Some(Value::Boolean(is_instance == holds))
    }

    /// Evaluates the negation `-x`.
    pub(super) fn minus(&mut self, env: &Env<'_>, id: ExprId, operand: ExprId) -> Evaluated {
        let value = self.eval(env, operand)?;
        if let Some(by) = value.unknown() {
            return Ok(Value::Unknown(by));
        }
        match ops::negate(self.dialect(), self.settings.strict, &value) {
            Ok(outcome) => Ok(self.outcome(env, id, outcome)),
            Err(error) => Err(self.operation_error(env, id, id, error)),
        }
    }

    /// Evaluates `target[keys]` (B26–B30).
    pub(super) fn access(&mut self, env: &Env<'_>, id: ExprId, target: ExprId, keys: &[ExprId]) -> Evaluated {
        if let Some(value) = self.fact_access(env, target, keys)? {
            return Ok(value);
        }
        let value = self.eval(env, target)?;
        let since = self.changes_in_place();
        let keys = match &value {
            Value::Type(it) if matches!(it.kind(), TypeKind::Class(_)) => self.class_keys(env, keys)?,
            _ => self.unfold(env, keys)?,
        };
        let value = self.settled(since, value)?;
        let unknown_key = || keys.iter().find_map(Value::unknown);
        if let Some(by) = value.itself_unknown().or_else(unknown_key) {
            return Ok(Value::Unknown(by));
        }
        if let Value::Type(it) = &value
            && !keys.iter().all(names_nothing)
            && let TypeKind::Resource(ResourceType { type_name: Some(_), title: Some(_), .. })
            | TypeKind::Class(Some(_)) = it.kind()
        {
            return self.resource_parameters(env, id, it, &keys);
        }
        // Inside type definitions, unknown types are permitted until they are used, with one list of keys.
        if self.defining > 0
            && let Value::Type(it) = &value
            && let TypeKind::Reference(name) = it.kind()
            && !name.ends_with(']')
        {
            let keys: Vec<String> = keys.iter().map(literal).collect();
            return Ok(Value::Type(
                TypeKind::Reference(format!("{name}[{}]", keys.join(", ")).into()).into(),
            ));
        }
        match ops::access(self.dialect(), self.settings.strict, &value, &keys) {
            Ok(outcome) => {
                let part = self.outcome(env, id, outcome);
                if self.is_tracing() {
                    self.note_part(env, target, &value, &keys, &part);
                }
                Ok(part)
            }
            Err(AccessError::Operation(error)) => Err(self.operation_error(env, id, id, error)),
            Err(error) => {
                Err(self.issue_error(env, id, id, issues::declared(error.issue()), error.to_string()))
            }
        }
    }

    /// Evaluates the keys of `Class[…]`: an unknown type name as the only key is reported by `Class`, not as an unknown
    /// type.
    fn class_keys(&mut self, env: &Env<'_>, keys: &[ExprId]) -> Evaluated<Vec<Value>> {
        let lenient = matches!(keys, [key] if matches!(env.code.body.expr(*key), Expr::Reference(_)));
        self.defining += usize::from(lenient);
        let values = self.unfold(env, keys);
        self.defining -= usize::from(lenient);
        values
    }

    /// Evaluates `$facts['name']` by requesting that fact alone, unless the program has a variable `facts` of its own.
    fn fact_access(&mut self, env: &Env<'_>, target: ExprId, keys: &[ExprId]) -> Evaluated<Option<Value>> {
        let (Expr::Variable(variable), [key]) = (env.code.body.expr(target), keys) else { return Ok(None) };
        let is_facts = match &**variable {
            Variable::Top(name) => name == "facts",
            Variable::Local { name, .. } => {
                name == "facts" && env.find(name).or_else(|| env.scope.find(name)).is_none()
            }
            Variable::Qualified { .. } | Variable::Group(_) => false,
        };
        match env.code.body.expr(*key) {
            Expr::String(name) if is_facts && self.top.get("facts").is_none() => {
                let value = self.requests.fact(name);
                if let Some(value) = &value {
                    self.note_fact(env, name, target, value);
                }
                Ok(value)
            }
            _ => Ok(None),
        }
    }

    /// The value of an operator with an unknown operand; the captures of a match are unknown, too.
    fn unknown_outcome(&mut self, env: &Env<'_>, operator: BinaryOperator, by: Arc<Unknown>) -> Value {
        if matches!(operator, BinaryOperator::Match | BinaryOperator::NotMatch) {
            self.keep_captures(env, Some(MatchVariables::unknown(by.clone())));
        }
        Value::Unknown(by)
    }

    /// Records that the captures of a match are unknown.
    pub(super) fn capture_unknown(&mut self, env: &Env<'_>, by: &Arc<Unknown>) {
        self.keep_captures(env, Some(MatchVariables::unknown(by.computed())));
    }

    /// Stores the captures of a match, warns of strings converted to numbers, and returns the value.
    fn outcome(&mut self, env: &Env<'_>, id: ExprId, outcome: Outcome) -> Value {
        for coercion in &outcome.coercions {
            self.warn_of_coercion(env, id, coercion);
        }
        self.keep_captures(env, outcome.variables);
        outcome.value
    }

    fn warn_of_coercion(&mut self, env: &Env<'_>, id: ExprId, coercion: &Coercion) {
        let place = env.place(id);
        self.warn(issues::declared(coercion.issue()), coercion.to_string(), place);
    }

    /// Sets the match variables, if there was a match (B41).
    pub(super) fn keep_captures(&mut self, env: &Env<'_>, variables: Option<MatchVariables>) {
        if let Some(variables) = variables {
            env.scope.replace_captures(Some(Rc::new(variables)));
        }
    }

    /// Creates the error of an operator at the expression that caused it; errors without an issue of their own name the
    /// whole expression.
    pub(super) fn operation_error(
        &self,
        env: &Env<'_>,
        id: ExprId,
        at: ExprId,
        error: OperationError,
    ) -> Unwind {
        self.issue_error(env, id, at, issues::declared(error.issue()), error.to_string())
    }

    fn issue_error(
        &self,
        env: &Env<'_>,
        id: ExprId,
        at: ExprId,
        issue: &'static Rule,
        message: String,
    ) -> Unwind {
        let during = (issue == issues::RUNTIME_ERROR).then(|| Self::label(env.code.body.expr(id)));
        let error = EvaluationError { during, ..EvaluationError::new(issue, message) };
        error.at(env.place(at)).into()
    }
}

/// The result of comparing an unknown value of a known type with `true` or `false`, if that is certain.
fn known_comparison(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Value> {
    let differs = match operator {
        BinaryOperator::Equal => false,
        BinaryOperator::NotEqual => true,
        _ => return None,
    };
    let ((Value::Unknown(by), Value::Boolean(_)) | (Value::Boolean(_), Value::Unknown(by))) = (left, right)
    else {
        return None;
    };
    let is_boolean = kinds_of(by.known_type()?)?.contains(&"boolean");
    (!is_boolean).then_some(Value::Boolean(differs))
}

/// Whether every value of a type is an instance of another type, or none is. None if neither is certain.
pub(crate) fn known_instance(dialect: &Dialect, it: &Type, wanted: &Type) -> Option<bool> {
    if assignable(dialect, wanted, it) {
        return Some(true);
    }
    match (kinds_of(it), kinds_of(wanted)) {
        (Some(it), Some(wanted)) if it.iter().all(|kind| !wanted.contains(kind)) => Some(false),
        _ => None,
    }
}

/// The kinds that values of a type can have. None if these are not known.
fn kinds_of(it: &Type) -> Option<Vec<&'static str>> {
    Some(match it.resolved().kind() {
        TypeKind::Undef => vec!["undef"],
        TypeKind::Default => vec!["default"],
        TypeKind::Boolean(_) => vec!["boolean"],
        TypeKind::Integer(_) => vec!["integer"],
        TypeKind::Float(_) => vec!["float"],
        TypeKind::Numeric => vec!["integer", "float"],
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => vec!["string"],
        TypeKind::Regexp(_) => vec!["regexp"],
        TypeKind::Array(..) | TypeKind::Tuple(_) => vec!["array"],
        TypeKind::Hash(..) | TypeKind::Struct(_) => vec!["hash"],
        TypeKind::Sensitive(_) => vec!["sensitive"],
        TypeKind::Object(Some(_)) => vec!["object"],
        TypeKind::Variant(types) => {
            let all: Option<Vec<Vec<&'static str>>> = types.iter().map(kinds_of).collect();
            all?.concat()
        }
        TypeKind::Optional(Some(inner)) => {
            let mut kinds = kinds_of(inner)?;
            kinds.push("undef");
            kinds
        }
        _ => return None,
    })
}

/// The unknown value in the operands, if the operator's result depends on it. Collections may contain unknown values.
fn unknown_operand(operator: BinaryOperator, left: &Value, right: &Value) -> Option<Arc<Unknown>> {
    match (operator, left, right) {
        (BinaryOperator::Add, ..) => left.itself_unknown().or_else(|| right.itself_unknown()),
        // A value of a type without `undef` is not equal to `undef`.
        (BinaryOperator::Equal | BinaryOperator::NotEqual, Value::Unknown(by), Value::Undef)
        | (BinaryOperator::Equal | BinaryOperator::NotEqual, Value::Undef, Value::Unknown(by))
            if by.known_type().is_some_and(|it| !assignable(Dialect::puppet8(), it, &Type::undef())) =>
        {
            None
        }
        (BinaryOperator::ShiftLeft, Value::Array(_), _) => None,
        // Only keys are compared.
        (BinaryOperator::Subtract, Value::Hash(_), _) => right.unknown(),
        (BinaryOperator::In, _, Value::Hash(_)) => left.unknown(),
        _ => left.unknown().or_else(|| right.unknown()),
    }
}

/// Whether a key names no parameter: `undef`, or an array of such keys.
fn names_nothing(key: &Value) -> bool {
    match key {
        Value::Undef => true,
        Value::Array(keys) => keys.iter().all(names_nothing),
        _ => false,
    }
}

/// Computes operations on small numbers, which are the most frequent ones.
fn quick(op: BinaryOp, left: &Value, right: &Value) -> Option<Value> {
    let (Value::Integer(left), Value::Integer(right)) = (left, right) else { return None };
    let (left, right) = (left.to_i64()?, right.to_i64()?);
    let integer = |it: Option<i64>| it.map(|it| Value::Integer(Integer::from(it)));
    match op {
        BinaryOp::Add => integer(left.checked_add(right)),
        BinaryOp::Subtract => integer(left.checked_sub(right)),
        BinaryOp::Multiply => integer(left.checked_mul(right)),
        BinaryOp::Equal => Some(Value::Boolean(left == right)),
        BinaryOp::NotEqual => Some(Value::Boolean(left != right)),
        BinaryOp::Less => Some(Value::Boolean(left < right)),
        BinaryOp::LessEqual => Some(Value::Boolean(left <= right)),
        BinaryOp::Greater => Some(Value::Boolean(left > right)),
        BinaryOp::GreaterEqual => Some(Value::Boolean(left >= right)),
        _ => None,
    }
}

/// The value operator of a language operator. None for `and` and `or`, which may skip one side.
pub fn binary_operator(op: BinaryOp) -> Option<BinaryOperator> {
    Some(match op {
        BinaryOp::Add => BinaryOperator::Add,
        BinaryOp::Subtract => BinaryOperator::Subtract,
        BinaryOp::Multiply => BinaryOperator::Multiply,
        BinaryOp::Divide => BinaryOperator::Divide,
        BinaryOp::Modulo => BinaryOperator::Modulo,
        BinaryOp::ShiftLeft => BinaryOperator::ShiftLeft,
        BinaryOp::ShiftRight => BinaryOperator::ShiftRight,
        BinaryOp::Equal => BinaryOperator::Equal,
        BinaryOp::NotEqual => BinaryOperator::NotEqual,
        BinaryOp::Less => BinaryOperator::Less,
        BinaryOp::LessEqual => BinaryOperator::LessEqual,
        BinaryOp::Greater => BinaryOperator::Greater,
        BinaryOp::GreaterEqual => BinaryOperator::GreaterEqual,
        BinaryOp::In => BinaryOperator::In,
        BinaryOp::Match => BinaryOperator::Match,
        BinaryOp::NoMatch => BinaryOperator::NotMatch,
        BinaryOp::And | BinaryOp::Or => return None,
    })
}
