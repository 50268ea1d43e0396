//! The values of expressions that stand in rows: literals, collections, types, operators, and the conversions that have
//! no literals.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use marotte_pcore::create::named;
use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::interpolated;
use marotte_pcore::ops::{self, BinaryOperator, Outcome, Strictness, negate};
use marotte_pcore::print::literal;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::{ResourceType, Type, TypeAlias, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_syntax::ast::{BinaryOp, Expr, ExprKind, Segment, UnaryOp};
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

use super::calls;

/// Resource types that every catalog knows.
const RESOURCES: [&str; 6] = ["File", "Notify", "User", "Exec", "Package", "Service"];

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Evaluates expressions, with the aliases of a page.
#[derive(Clone)]
pub struct Evaluator {
    /// The dialect that answers.
    pub dialect: &'static Dialect,
    /// What strings used as numbers are.
    pub strict: Strictness,
    aliases: BTreeMap<Str, Type>,
}

impl Evaluator {
    /// An evaluator that knows these aliases: lines `type Name = …`.
    ///
    /// # Errors
    /// If one of them is wrong.
    pub fn new<'l>(
        dialect: &'static Dialect,
        lines: impl Iterator<Item = &'l str>,
    ) -> Result<Evaluator, Failure> {
        let mut evaluator = Evaluator { dialect, strict: Strictness::default(), aliases: BTreeMap::new() };
        let mut declared = Vec::new();
        for line in lines {
            let expr = expression(line)?;
            let ExprKind::TypeAlias(definition) = expr.kind else {
                return Err(Failure(format!("no alias: {line}")));
            };
            let alias = TypeAlias::declare(definition.name.clone());
            evaluator.aliases.insert(definition.name.to_lowercase(), TypeKind::Alias(alias.clone()).into());
            declared.push((alias, definition));
        }
        for (alias, definition) in declared {
            let target = match evaluator.object(&definition.name, &definition.type_expr)? {
                Some(object) => {
                    evaluator.aliases.insert(definition.name.to_lowercase(), object.clone());
                    object
                }
                None => evaluator.type_of(&definition.type_expr)?,
            };
            alias.resolve(&target)?;
        }
        Ok(evaluator)
    }

    /// The `Object` type that has the name of its definition, if it is one.
    fn object(&self, name: &str, expr: &Expr) -> Result<Option<Type>, Failure> {
        let ExprKind::Access(access) = &expr.kind else { return Ok(None) };
        if !matches!(&access.target.kind, ExprKind::Reference(it) if it == "Object") {
            return Ok(None);
        }
        let [key] = &*access.keys else { return Ok(None) };
        let Value::Hash(hash) = self.value(key)? else { return Ok(None) };
        let mut hash = Hash::clone(&hash);
        hash.insert("name".into(), name.into());
        Ok(Some(marotte_pcore::create::object_type(self.dialect, &hash)?))
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// What the language says is wrong with it.
    pub fn evaluate(&self, source: &str) -> Result<Value, Failure> {
        match self.value(&expression(source)?)? {
            Value::Type(it) if matches!(it.kind(), TypeKind::Reference(_)) => {
                Err(Failure(format!("Resource type not found: {source}")))
            }
            value => Ok(value),
        }
    }

    /// The type that an expression denotes.
    ///
    /// # Errors
    /// If it has another value, or none.
    pub fn evaluate_type(&self, source: &str) -> Result<Type, Failure> {
        match self.evaluate(source)? {
            Value::Type(it) => Ok(it),
            other => Err(Failure(format!("{} is no type", literal(&other)))),
        }
    }

    fn type_of(&self, expr: &Expr) -> Result<Type, Failure> {
        match self.value(expr)? {
            Value::Type(it) => Ok(it),
            other => Err(Failure(format!("{} is no type", literal(&other)))),
        }
    }

    fn values(&self, exprs: &[Expr]) -> Result<Vec<Value>, Failure> {
        exprs.iter().map(|it| self.value(it)).collect()
    }

    fn value(&self, expr: &Expr) -> Result<Value, Failure> {
        Ok(match &expr.kind {
            ExprKind::Undef => Value::Undef,
            ExprKind::Default => Value::Default,
            ExprKind::Boolean(value) => (*value).into(),
            ExprKind::Integer { value, .. } => (*value).into(),
            ExprKind::Float(value) => Value::Float(*value),
            ExprKind::String(text) | ExprKind::Name(text) => Value::String(text.clone()),
            ExprKind::Regex(source) => Value::Regexp(Regexp::new(source)?),
            ExprKind::Reference(name) => Value::Type(self.named(name)),
            ExprKind::Array(elements) => Value::Array(self.values(elements)?.into()),
            ExprKind::Hash(hash) => {
                let entry =
                    |it: &marotte_syntax::ast::HashEntry| Ok((self.value(&it.key)?, self.value(&it.value)?));
                let entries = hash.entries.iter().map(entry).collect::<Result<Hash, Failure>>()?;
                Value::Hash(Arc::new(entries))
            }
            ExprKind::Parenthesized(inner) => self.value(inner)?,
            ExprKind::Unary(unary) if unary.op == UnaryOp::Minus => {
                negate(self.dialect, self.strict, &self.value(&unary.operand)?)?.value
            }
            ExprKind::Binary(_) => self.outcome(expr)?.value,
            ExprKind::Access(access) => {
                let (target, keys) = (self.value(&access.target)?, self.values(&access.keys)?);
                ops::access(self.dialect, self.strict, &target, &keys)?.value
            }
            ExprKind::Interpolated(segments) => {
                let segment = |it: &Segment| match it {
                    Segment::Text(text) => Ok(text.to_string()),
                    Segment::Expr(expr) => Ok(interpolated(self.dialect, &self.value(expr)?)),
                };
                let text: String = segments.iter().map(segment).collect::<Result<_, Failure>>()?;
                Value::String(text.into())
            }
            ExprKind::Call(call) => {
                let name = match &call.callee.kind {
                    ExprKind::Name(name) | ExprKind::Reference(name) => name,
                    _ => return Err(unsupported(&call.callee)),
                };
                calls::call(self, name, self.values(&call.arguments)?)?
            }
            ExprKind::MethodCall(call) => {
                let receiver = self.value(&call.receiver)?;
                let arguments = [receiver].into_iter().chain(self.values(&call.arguments)?).collect();
                calls::call(self, &call.name, arguments)?
            }
            _ => return Err(unsupported(expr)),
        })
    }

    pub(super) fn named(&self, name: &str) -> Type {
        if let Some(it) =
            named(self.dialect, name).or_else(|| self.aliases.get(&*name.to_lowercase()).cloned())
        {
            return it;
        }
        if RESOURCES.contains(&name) {
            return TypeKind::Resource(ResourceType { type_name: Some(name.into()), title: None }).into();
        }
        TypeKind::Reference(name.into()).into()
    }

    /// What an operator or an access gives, with what it warns of and the variables it sets.
    ///
    /// # Errors
    /// What the language says is wrong with it.
    pub fn evaluate_outcome(&self, source: &str) -> Result<Outcome, Failure> {
        self.outcome(&expression(source)?)
    }

    fn outcome(&self, expr: &Expr) -> Result<Outcome, Failure> {
        match &expr.kind {
            ExprKind::Parenthesized(inner) => self.outcome(inner),
            ExprKind::Binary(it) => {
                let (left, right) = (self.value(&it.left)?, self.value(&it.right)?);
                let operator = operator(it.op).ok_or_else(|| unsupported(expr))?;
                Ok(ops::binary(self.dialect, self.strict, operator, &left, &right)?)
            }
            ExprKind::Unary(unary) if unary.op == UnaryOp::Minus => {
                Ok(negate(self.dialect, self.strict, &self.value(&unary.operand)?)?)
            }
            ExprKind::Access(it) => {
                let (target, keys) = (self.value(&it.target)?, self.values(&it.keys)?);
                Ok(ops::access(self.dialect, self.strict, &target, &keys)?)
            }
            _ => Ok(self.value(expr)?.into()),
        }
    }
}

fn operator(it: BinaryOp) -> Option<BinaryOperator> {
    use BinaryOperator as Op;
    Some(match it {
        BinaryOp::Add => Op::Add,
        BinaryOp::Subtract => Op::Subtract,
        BinaryOp::Multiply => Op::Multiply,
        BinaryOp::Divide => Op::Divide,
        BinaryOp::Modulo => Op::Modulo,
        BinaryOp::ShiftLeft => Op::ShiftLeft,
        BinaryOp::ShiftRight => Op::ShiftRight,
        BinaryOp::Equal => Op::Equal,
        BinaryOp::NotEqual => Op::NotEqual,
        BinaryOp::Less => Op::Less,
        BinaryOp::LessEqual => Op::LessEqual,
        BinaryOp::Greater => Op::Greater,
        BinaryOp::GreaterEqual => Op::GreaterEqual,
        BinaryOp::In => Op::In,
        BinaryOp::Match => Op::Match,
        BinaryOp::NoMatch => Op::NotMatch,
        _ => return None,
    })
}

fn expression(source: &str) -> Result<Expr, Failure> {
    let mut body = parse(source, Mode::default()).program.body.into_vec();
    match (body.pop(), body.is_empty()) {
        (Some(expr), true) => Ok(expr),
        _ => Err(Failure(format!("not one expression: {source}"))),
    }
}

fn unsupported(expr: &Expr) -> Failure {
    Failure(format!("rows have no {}", expr.label()))
}
