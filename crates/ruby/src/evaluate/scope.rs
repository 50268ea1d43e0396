//! Evaluation of expressions, and the walk over statements.

use std::collections::BTreeMap;

use marotte_text::Str;

use super::value::Value;
use crate::resource_type::Regexp;
use crate::syntax::{Call, Expr, ExprKind, Part, Source};

/// The maximal number of values that are created for one file: nested loops can require any amount.
const BUDGET: usize = 500_000;

/// The maximal nesting of values; deeper ones are unknown.
const DEPTH_LIMIT: usize = 32;

/// A visitor for the statements that the walk itself does not handle.
pub(crate) trait Visit {
    /// Visits a statement of the program.
    fn statement(&mut self, scope: &mut Scope<'_>, expr: &Expr);
}

/// Constants and local variables, by name alone, without their scopes: a name (of a constant at least) with several
/// values in one file is unknown.
pub(crate) struct Scope<'s> {
    pub(crate) source: &'s Source<'s>,
    values: BTreeMap<Str, Value>,
    budget: usize,
}

impl<'s> Scope<'s> {
    pub(crate) fn new(source: &'s Source<'s>) -> Scope<'s> {
        Scope { source, values: BTreeMap::new(), budget: BUDGET }
    }

    /// Whether the budget was exhausted: something may have been left out.
    pub(crate) fn exhausted(&self) -> bool {
        self.budget == 0
    }

    fn spend(&mut self, amount: usize) -> bool {
        self.budget = self.budget.saturating_sub(amount);
        self.budget > 0
    }

    /// Walks statements in order: records assignments, repeats loops over known values, and passes everything else to
    /// the visitor.
    pub(crate) fn walk(&mut self, body: &[Expr], visitor: &mut dyn Visit) {
        for expr in body {
            if !self.spend(1) {
                return;
            }
            match &expr.kind {
                ExprKind::Assign(target, value) => self.assign(expr, target, value, visitor),
                ExprKind::Sequence(body) => self.walk(body, visitor),
                ExprKind::Call(call) => {
                    if !self.repeat(call, visitor) {
                        visitor.statement(self, expr);
                    }
                }
                _ => visitor.statement(self, expr),
            }
        }
    }

    fn assign(&mut self, expr: &Expr, target: &Expr, value: &Expr, visitor: &mut dyn Visit) {
        let (ExprKind::Name(name) | ExprKind::Constant(name)) = &target.kind else {
            return visitor.statement(self, expr);
        };
        let result = self.value(value);
        if result == Value::Unknown {
            visitor.statement(self, value);
        }
        let constant = matches!(target.kind, ExprKind::Constant(_));
        let again = constant && self.values.get(name).is_some_and(|known| *known != result);
        self.bind(name, if again { Value::Unknown } else { result });
    }

    /// Gives a variable or a constant a value.
    pub(crate) fn bind(&mut self, name: &Str, value: Value) {
        let value = if value.depth() > DEPTH_LIMIT { Value::Unknown } else { value };
        self.values.insert(name.clone(), value);
    }

    /// Returns what some variables have now, to [`restore`](Scope::restore) it.
    pub(crate) fn saved(&self, names: &[Str]) -> Vec<(Str, Option<Value>)> {
        names.iter().map(|it| (it.clone(), self.values.get(it).cloned())).collect()
    }

    /// Gives variables back what they had: those of a block end with it.
    pub(crate) fn restore(&mut self, saved: Vec<(Str, Option<Value>)>) {
        for (name, value) in saved {
            match value {
                Some(value) => _ = self.values.insert(name, value),
                None => _ = self.values.remove(&name),
            }
        }
    }

    /// Makes the variables that a statement mentions unknown: it may have changed them.
    pub(crate) fn forget(&mut self, expr: &Expr) {
        let source = self.source;
        for (name, value) in &mut self.values {
            if source.mentions(expr, &[name]) {
                *value = Value::Unknown;
            }
        }
    }

    /// Walks the block of a loop once for each element. Returns false if it is not a loop, or its elements are not
    /// known.
    fn repeat(&mut self, call: &Call, visitor: &mut dyn Visit) -> bool {
        let (Some(receiver), Some(block)) = (&call.receiver, &call.block) else { return false };
        if !matches!(call.method.as_str(), "each" | "each_pair") || !call.arguments.is_empty() {
            return false;
        }
        let Some(parameters) = &block.parameters else { return false };
        let rounds: Vec<Value> = match self.value(receiver) {
            Value::Array(elements) => elements,
            Value::Hash(pairs) => {
                pairs.into_iter().map(|(key, value)| Value::Array(vec![key, value])).collect()
            }
            _ => return false,
        };
        let outside = self.saved(parameters);
        for round in rounds {
            match (&parameters[..], round) {
                ([parameter], value) => self.bind(parameter, value),
                (several, Value::Array(elements)) => {
                    let elements = elements.into_iter().chain(std::iter::repeat(Value::Nil));
                    for (parameter, value) in several.iter().zip(elements) {
                        self.bind(parameter, value);
                    }
                }
                ([], _) => {}
                (several, value) => {
                    let values = [value].into_iter().chain(std::iter::repeat(Value::Nil));
                    for (parameter, value) in several.iter().zip(values) {
                        self.bind(parameter, value);
                    }
                }
            }
            self.walk(&block.body, visitor);
        }
        self.restore(outside);
        true
    }

    /// Evaluates an expression, as far as it is literal.
    pub(crate) fn value(&mut self, expr: &Expr) -> Value {
        let value = self.evaluate(expr);
        if self.spend(value.size()) { value } else { Value::Unknown }
    }

    fn evaluate(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Nil => Value::Nil,
            ExprKind::True => Value::Bool(true),
            ExprKind::False => Value::Bool(false),
            ExprKind::Number(text) => Value::Number(text.clone()),
            ExprKind::String(parts) => self.text(parts).map_or(Value::Unknown, Value::String),
            ExprKind::Symbol(parts) => self.text(parts).map_or(Value::Unknown, Value::Symbol),
            ExprKind::Regexp(parts, flags) => {
                let flags = *flags;
                self.pattern(parts).map_or(Value::Unknown, |source| Value::Regexp(Regexp { source, flags }))
            }
            ExprKind::Array(elements) => self.list(elements).map_or(Value::Unknown, Value::Array),
            ExprKind::Hash(pairs) => Value::Hash(self.pairs(pairs)),
            ExprKind::Name(name) => self.values.get(name).cloned().unwrap_or(Value::Unknown),
            ExprKind::Constant(name) => {
                self.values.get(name).cloned().unwrap_or_else(|| Value::Constant(name.clone()))
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Plus(left, right) => match (self.value(left), self.value(right)) {
                (Value::Array(left), Value::Array(right)) => Value::Array([left, right].concat()),
                (Value::String(left), Value::String(right)) => Value::String(left + right.as_str()),
                _ => Value::Unknown,
            },
            ExprKind::Sequence(body) => match &body[..] {
                [expr] => self.value(expr),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// The values of arguments or elements. `None` if their number is unknown.
    pub(crate) fn list(&mut self, exprs: &[Expr]) -> Option<Vec<Value>> {
        let mut list = Vec::with_capacity(exprs.len());
        for expr in exprs {
            match &expr.kind {
                ExprKind::Splat(inner) => match self.value(inner) {
                    Value::Array(elements) => list.extend(elements),
                    _ => return None,
                },
                _ => list.push(self.value(expr)),
            }
        }
        Some(list)
    }

    fn pairs(&mut self, pairs: &[(Expr, Expr)]) -> Vec<(Value, Value)> {
        let mut values = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            match &key.kind {
                ExprKind::Splat(inner) => match self.value(inner) {
                    Value::Hash(pairs) => values.extend(pairs),
                    _ => values.push((Value::Unknown, Value::Unknown)),
                },
                _ => values.push((self.value(key), self.value(value))),
            }
        }
        values
    }

    fn text(&mut self, parts: &[Part]) -> Option<Str> {
        let mut text = Str::new();
        for part in parts {
            match part {
                Part::Text(piece) => text.push_str(piece),
                Part::Code(expr) => text.push_str(&self.value(expr).to_text()?),
            }
        }
        Some(text)
    }

    fn pattern(&mut self, parts: &[Part]) -> Option<Str> {
        let mut source = Str::new();
        for part in parts {
            match part {
                Part::Text(piece) => source.push_str(piece),
                // A regular expression inside another is written with its flags, which is not supported.
                Part::Code(expr) => match self.value(expr) {
                    Value::String(text) | Value::Symbol(text) | Value::Number(text) => source.push_str(&text),
                    _ => return None,
                },
            }
        }
        Some(source)
    }

    fn call(&mut self, call: &Call) -> Value {
        if call.block.is_some() {
            return Value::Unknown;
        }
        match (&call.receiver, call.method.as_str(), &call.arguments[..]) {
            // Messages are translated; this is the untranslated one.
            (None, "_", [message]) => self.value(message),
            (Some(receiver), method, []) => self.value(receiver).send(method),
            (Some(receiver), "+", [right]) => match (self.value(receiver), self.value(right)) {
                (Value::Array(left), Value::Array(right)) => Value::Array([left, right].concat()),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }
}

impl Value {
    /// The result of a method without arguments.
    fn send(self, method: &str) -> Value {
        match (method, self) {
            ("freeze" | "dup" | "clone", value) => value,
            ("to_sym" | "intern", Value::String(text) | Value::Symbol(text)) => Value::Symbol(text),
            ("to_s", value) => value.to_text().map_or(Value::Unknown, Value::String),
            ("to_a", Value::Array(elements)) => Value::Array(elements),
            ("strip", Value::String(text)) => Value::String(text.trim().into()),
            ("chomp", Value::String(text)) => Value::String(text.strip_suffix('\n').unwrap_or(&text).into()),
            ("keys", Value::Hash(pairs)) => Value::Array(pairs.into_iter().map(|(key, _)| key).collect()),
            ("values", Value::Hash(pairs)) => {
                Value::Array(pairs.into_iter().map(|(_, value)| value).collect())
            }
            _ => Value::Unknown,
        }
    }
}
