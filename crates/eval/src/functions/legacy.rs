//! How functions of the 3.x API take arguments: no types are declared, and values are converted (D95, E36).

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::sprintf;
use marotte_pcore::print::{capitalize_segments, literal};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_text::unrooted;

use super::Call;
use crate::interpreter::Evaluated;

/// How many arguments a function of the 3.x API takes.
#[derive(Clone, Copy)]
pub(crate) enum Arity {
    Exactly(usize),
    AtLeast(usize),
}

impl Arity {
    /// As functions in Ruby declare it: `-n` means at least `n - 1`.
    fn declared(arity: i64) -> Option<Arity> {
        match usize::try_from(arity) {
            Ok(count) => Some(Arity::Exactly(count)),
            Err(_) => usize::try_from(-(arity + 1)).ok().map(Arity::AtLeast),
        }
    }

    /// What is said of so many arguments, if they are too few or too many.
    fn refusal(self, name: &str, given: usize) -> Option<String> {
        let wanted = match self {
            Arity::Exactly(wanted) if given != wanted => wanted.to_string(),
            Arity::AtLeast(wanted) if given < wanted => format!("minimum {wanted}"),
            _ => return None,
        };
        Some(format!("{name}(): Wrong number of arguments given ({given} for {wanted})"))
    }
}

/// What is said of so many arguments of a function in Ruby, if they are too few or too many.
pub(crate) fn too_few_or_many(name: &str, arity: i64, given: usize) -> Option<String> {
    Arity::declared(arity)?.refusal(name, given)
}

impl Call<'_, '_, '_> {
    /// The arguments as functions of the 3.x API get them: `undef` is an empty string, but not within collections; regular
    /// expressions, versions, times and binaries are strings.
    pub(crate) fn legacy_arguments(&mut self, name: &str, arity: Arity) -> Evaluated<Vec<Value>> {
        if let Some(message) = arity.refusal(name, self.arguments.len()) {
            return self.fail(message);
        }
        let arguments = std::mem::take(&mut self.arguments);
        let converted = arguments.into_iter().map(|it| match it {
            Value::Undef => Ok(Value::from("")),
            it => self.legacy(it, 0),
        });
        converted.collect()
    }

    fn legacy(&mut self, value: Value, depth: usize) -> Evaluated {
        Ok(match value {
            Value::Array(elements) => self.nested(depth, |it, depth| {
                let converted = elements.iter().map(|element| it.legacy(element.clone(), depth));
                Ok(Value::Array(converted.collect::<Evaluated<_>>()?))
            })?,
            Value::Hash(entries) => self.nested(depth, |it, depth| {
                let mut converted = Hash::default();
                for (key, value) in entries.iter() {
                    let key = it.legacy(key.clone(), depth)?;
                    converted.insert(key, it.legacy(value.clone(), depth)?);
                }
                Ok(Value::Hash(converted.into()))
            })?,
            Value::Regexp(_) => Value::String(literal(&value).into()),
            Value::SemVer(it) => Value::String(it.to_string().into()),
            Value::SemVerRange(it) => Value::String(it.to_string().into()),
            Value::Binary(it) => Value::String(it.to_base64().into()),
            Value::Timespan(it) => Value::String(it.text(&self.dialect().texts).into()),
            Value::Timestamp(it) => Value::String(it.to_string().into()),
            Value::Iterator(_) => return self.fail("Use of an Iterator is not supported here"),
            value => value,
        })
    }

    /// The text of a converted argument, as Ruby's `to_s` writes it.
    pub(super) fn plain_text(&self, value: &Value) -> Evaluated<String> {
        if let Value::String(text) = value {
            return Ok(text.to_string());
        }
        if let Some(reference) = reference(value) {
            return Ok(reference);
        }
        match sprintf(self.dialect(), "%s", std::slice::from_ref(value)) {
            Ok(text) => Ok(text),
            Err(error) => self.fail(error.to_string()),
        }
    }

    /// The text of an argument that must be a string.
    pub(super) fn legacy_text<'v>(&self, value: &'v Value) -> Evaluated<&'v str> {
        match value {
            Value::String(text) => Ok(text),
            other => self.fail(format!("no implicit conversion of {} into String", kind(other))),
        }
    }
}

/// The first of some arguments, which must be a string; what it is instead, if it is none.
pub(super) fn first_text(arguments: &[Value]) -> Result<&str, String> {
    match arguments.first() {
        Some(Value::String(text)) => Ok(text),
        other => Err(kind(other.unwrap_or(&Value::Undef))),
    }
}

/// What messages call a kind of value.
pub(crate) fn kind(value: &Value) -> String {
    match value {
        Value::Undef
        | Value::Default
        | Value::Boolean(_)
        | Value::Integer(_)
        | Value::Float(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Hash(_)
        | Value::Sensitive(_) => value.kind_name().to_owned(),
        Value::Type(it) => {
            let name = marotte_pcore::print::short(it);
            format!("{}-Type", name.split('[').next().unwrap_or_default())
        }
        other => marotte_pcore::print::short(&marotte_pcore::infer::infer(Dialect::puppet8(), other)),
    }
}

/// A resource or class as functions of the 3.x API write it: `File[/tmp/a]`.
pub(super) fn reference(value: &Value) -> Option<String> {
    let Value::Type(it) = value else { return None };
    match it.resolved().kind() {
        TypeKind::Resource(ResourceType { type_name: Some(name), title }) => {
            Some(format!("{name}[{}]", title.as_deref().unwrap_or_default()))
        }
        TypeKind::Class(Some(name)) => Some(format!("Class[{}]", capitalize_segments(unrooted(name)))),
        _ => None,
    }
}
