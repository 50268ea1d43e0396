//! Operators on values (B.4, D.5): arithmetic, collections, comparisons, matching, `in`, access, splat.

mod access;
mod arithmetic;
mod collection;
mod compare;
mod contains;
mod error;
mod label;
mod matches;
mod member;
mod numeric;
mod splat;
mod time;

pub use access::{AccessError, access};
pub use arithmetic::negate;
pub use error::OperationError;
pub use label::label;
pub use matches::{MatchVariables, Matched, matches, option_matches};
pub use member::{MemberError, call_member, has_member};
pub use numeric::{Coercion, Strictness, number_in};
pub use splat::splat;

use crate::dialect::Dialect;
use crate::value::Value;

/// The binary operators that only depend on the values of their operands. `and`, `or`, assignments and arrows aren't
/// among them: they also determine what is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `=~`
    Match,
    /// `!~`
    NotMatch,
}

impl BinaryOperator {
    /// Returns the operator's token.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Modulo => "%",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::In => "in",
            BinaryOperator::Match => "=~",
            BinaryOperator::NotMatch => "!~",
        }
    }
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The result of the operation.
    pub value: Value,
    /// The strings that were converted to numbers, for warnings.
    pub coercions: Vec<Coercion>,
    /// The variables that a successful match sets. `None` keeps the previous ones (B41).
    pub variables: Option<MatchVariables>,
}

impl From<Value> for Outcome {
    fn from(value: Value) -> Outcome {
        Outcome { value, coercions: Vec::new(), variables: None }
    }
}

/// Evaluates an operator on two values (B31 to B42, D.5).
///
/// # Errors
/// If it isn't defined for them, or if the result can't be represented.
pub fn binary(
    dialect: &Dialect,
    strict: Strictness,
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
) -> Result<Outcome, OperationError> {
    use BinaryOperator as Op;
    match operator {
        Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo | Op::ShiftLeft | Op::ShiftRight => {
            match collection::operate(dialect, operator, left, right) {
                Some(result) => result.map(Outcome::from),
                None => arithmetic::operate(dialect, strict, operator, left, right),
            }
        }
        Op::Equal | Op::NotEqual | Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
            let holds = compare::holds(dialect, operator, left, right)?;
            Ok(Value::Boolean(holds).into())
        }
        Op::In => contains::contains(dialect, right, left).map(Outcome::from),
        Op::Match => matches(dialect, left, right).map(Outcome::from),
        Op::NotMatch => {
            let matched = matches(dialect, left, right)?;
            Ok(Matched { matches: !matched.matches, ..matched }.into())
        }
    }
}

#[cfg(test)]
mod tests;
