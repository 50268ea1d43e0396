//! The values of expressions that stand in rows: literals, collections, types, comparisons, and the conversions that have
//! no literals.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use marotte_pcore::create::{named, parameterize};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::{generalize, infer, infer_set};
use marotte_pcore::print::literal;
use marotte_pcore::regexp::Regexp;
use marotte_pcore::relation::{assignable, compare, equal, instance_of, is_subtype};
use marotte_pcore::semver::{SemVer, SemVerRange};
use marotte_pcore::time::{Formats, LocalOffset, Timespan, Timestamp};
use marotte_pcore::types::{ResourceType, Type, TypeAlias, TypeKind};
use marotte_pcore::uri::Uri;
use marotte_pcore::value::{Hash, Sensitive, Value};
use marotte_syntax::ast::{Binary, BinaryOp, Call, Expr, ExprKind, UnaryOp};
use marotte_syntax::{Mode, parse};
use marotte_text::Str;

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
pub struct Evaluator {
    /// The dialect that answers.
    pub dialect: &'static Dialect,
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
        let mut evaluator = Evaluator { dialect, aliases: BTreeMap::new() };
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
            ExprKind::Unary(unary) if unary.op == UnaryOp::Minus => match self.value(&unary.operand)? {
                Value::Integer(number) => Value::Integer((-number.to_big()).into()),
                Value::Float(number) => Value::Float(-number),
                _ => return Err(unsupported(expr)),
            },
            ExprKind::Binary(binary) => self.comparison(binary)?.into(),
            ExprKind::Access(access) => match self.value(&access.target)? {
                Value::Type(it) => parameterize(self.dialect, &it, &self.values(&access.keys)?)?,
                _ => return Err(unsupported(expr)),
            },
            ExprKind::Call(call) => self.call(call)?,
            _ => return Err(unsupported(expr)),
        })
    }

    fn named(&self, name: &str) -> Type {
        if let Some(it) = named(name).or_else(|| self.aliases.get(&*name.to_lowercase()).cloned()) {
            return it;
        }
        if RESOURCES.contains(&name) {
            return TypeKind::Resource(ResourceType { type_name: Some(name.into()), title: None }).into();
        }
        TypeKind::Reference(name.into()).into()
    }

    fn comparison(&self, binary: &Binary) -> Result<bool, Failure> {
        let (left, right) = (self.value(&binary.left)?, self.value(&binary.right)?);
        if let (Value::Type(left), Value::Type(right)) = (&left, &right) {
            match binary.op {
                BinaryOp::Less => return Ok(is_subtype(self.dialect, left, right)),
                BinaryOp::LessEqual => return Ok(assignable(self.dialect, right, left)),
                BinaryOp::Greater => return Ok(is_subtype(self.dialect, right, left)),
                BinaryOp::GreaterEqual => return Ok(assignable(self.dialect, left, right)),
                _ => {}
            }
        }
        let is_order = !matches!(binary.op, BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Match);
        if is_order && matches!(left, Value::Type(_)) {
            // What is no type is no subtype.
            return Ok(false);
        }
        let order = || compare(&left, &right);
        Ok(match (binary.op, &right) {
            (BinaryOp::Equal, _) => equal(self.dialect, &left, &right),
            (BinaryOp::NotEqual, _) => !equal(self.dialect, &left, &right),
            (BinaryOp::Less, _) => order()?.is_lt(),
            (BinaryOp::LessEqual, _) => order()?.is_le(),
            (BinaryOp::Greater, _) => order()?.is_gt(),
            (BinaryOp::GreaterEqual, _) => order()?.is_ge(),
            (BinaryOp::Match, Value::Type(it)) => instance_of(self.dialect, it, &left),
            _ => return Err(Failure(format!("rows have no {}", binary.op.text()))),
        })
    }

    fn call(&self, call: &Call) -> Result<Value, Failure> {
        let arguments = self.values(&call.arguments)?;
        let name = match &call.callee.kind {
            ExprKind::Name(name) | ExprKind::Reference(name) => &**name,
            _ => return Err(unsupported(&call.callee)),
        };
        Ok(match (name, &arguments[..]) {
            ("type", [value]) => Value::Type(infer_set(self.dialect, value)),
            ("type", [value, Value::String(how)]) if how == "reduced" => {
                Value::Type(infer(self.dialect, value))
            }
            ("type", [value, Value::String(how)]) if how == "generalized" => {
                Value::Type(generalize(&infer(self.dialect, value)))
            }
            ("Timespan", [Value::String(text)]) => Value::Timespan(Timespan::parse(text, Formats::Default)?),
            ("Timespan", [Value::Integer(number)]) => {
                Value::Timespan(Timespan::from_seconds(number.to_i64().unwrap_or_default())?)
            }
            ("Timestamp", [Value::String(text)]) => {
                Value::Timestamp(Timestamp::parse(text, Formats::Default, None, LocalOffset::default())?)
            }
            ("SemVer", [Value::String(text)]) => Value::SemVer(Arc::new(SemVer::parse(text)?)),
            ("SemVerRange", [Value::String(text)]) => Value::SemVerRange(Arc::new(SemVerRange::parse(text)?)),
            ("URI", [Value::String(text)]) => Value::Uri(Arc::new(Uri::parse(text)?)),
            ("Sensitive", [value]) => Value::Sensitive(Sensitive::new(value.clone())),
            _ => return Err(unsupported(&call.callee)),
        })
    }
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
