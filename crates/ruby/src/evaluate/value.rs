//! The values of evaluated Ruby expressions.

use marotte_text::Str;

use crate::resource_type::Regexp;

/// A Ruby value, as far as declarations use them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// The value is unknown.
    Unknown,
    Nil,
    Bool(bool),
    /// An integer or a float, as written.
    Number(Str),
    Symbol(Str),
    String(Str),
    Regexp(Regexp),
    Array(Vec<Value>),
    Hash(Vec<(Value, Value)>),
    /// A module or class: a path of constants whose value is unknown.
    Constant(Str),
}

impl Value {
    /// The text of a string or symbol.
    pub(crate) fn text(&self) -> Option<&Str> {
        match self {
            Value::String(text) | Value::Symbol(text) => Some(text),
            _ => None,
        }
    }

    /// The `to_s` of a scalar.
    pub(crate) fn to_text(&self) -> Option<Str> {
        match self {
            Value::Nil => Some(Str::new()),
            Value::Bool(value) => Some(if *value { "true" } else { "false" }.into()),
            Value::Number(text) | Value::Symbol(text) | Value::String(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns the value of a key (a symbol) of a hash: `Nil` if it is missing, `Unknown` if that is unknown.
    pub(crate) fn get(&self, key: &str) -> &Value {
        let Value::Hash(pairs) = self else { return &Value::Unknown };
        let has_key = |(k, _): &&(Value, Value)| matches!(k, Value::Symbol(name) if name == key);
        if let Some((_, value)) = pairs.iter().rev().find(has_key) {
            return value;
        }
        if pairs.iter().any(|(key, _)| *key == Value::Unknown) { &Value::Unknown } else { &Value::Nil }
    }

    /// The number of values it consists of, itself included.
    pub(super) fn size(&self) -> usize {
        match self {
            Value::Array(elements) => 1 + elements.iter().map(Value::size).sum::<usize>(),
            Value::Hash(pairs) => {
                1 + pairs.iter().map(|(key, value)| key.size() + value.size()).sum::<usize>()
            }
            Value::Number(text) | Value::Symbol(text) | Value::String(text) | Value::Constant(text) => {
                1 + text.len() / 64
            }
            Value::Regexp(regexp) => 1 + regexp.source.len() / 64,
            Value::Unknown | Value::Nil | Value::Bool(_) => 1,
        }
    }

    /// The depth of its nesting.
    pub(super) fn depth(&self) -> usize {
        match self {
            Value::Array(elements) => 1 + elements.iter().map(Value::depth).max().unwrap_or(0),
            Value::Hash(pairs) => {
                1 + pairs.iter().map(|(key, value)| key.depth().max(value.depth())).max().unwrap_or(0)
            }
            _ => 1,
        }
    }
}
