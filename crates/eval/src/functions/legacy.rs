//! Arguments of functions of the 3.x API: types are not declared, and values are converted (D95, E36).

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::sprintf;
use marotte_pcore::print::{capitalize_segments, literal};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_text::unrooted;

use super::Call;
use crate::interpreter::Evaluated;

/// The number of arguments that a function of the 3.x API takes.
#[derive(Clone, Copy)]
pub(crate) enum Arity {
    Exactly(usize),
    AtLeast(usize),
}

impl Arity {
    /// Converts the arity that a Ruby function declares: `-n` means at least `n - 1`.
    fn declared(arity: i64) -> Option<Arity> {
        match usize::try_from(arity) {
            Ok(count) => Some(Arity::Exactly(count)),
            Err(_) => usize::try_from(-(arity + 1)).ok().map(Arity::AtLeast),
        }
    }

    /// The error message for this number of arguments, if they are too few or too many.
    fn refusal(self, name: &str, given: usize) -> Option<String> {
        let wanted = match self {
            Arity::Exactly(wanted) if given != wanted => wanted.to_string(),
            Arity::AtLeast(wanted) if given < wanted => format!("minimum {wanted}"),
            _ => return None,
        };
        Some(format!("{name}(): Wrong number of arguments given ({given} for {wanted})"))
    }
}

/// The error message for this number of arguments of a Ruby function, if they are too few or too many.
pub(crate) fn too_few_or_many(name: &str, arity: i64, given: usize) -> Option<String> {
    Arity::declared(arity)?.refusal(name, given)
}

impl Call<'_, '_, '_> {
    /// Converts the arguments as functions of the 3.x API receive them: `undef` is an empty string, but not within
    /// collections; regular expressions, versions, times and binaries are strings.
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

    /// The text of a converted argument, as Ruby's `to_s` formats it.
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

/// The first of some arguments, which must be a string; otherwise the name of its actual kind.
pub(super) fn first_text(arguments: &[Value]) -> Result<&str, String> {
    match arguments.first() {
        Some(Value::String(text)) => Ok(text),
        other => Err(kind(other.unwrap_or(&Value::Undef))),
    }
}

/// The name of a value's kind in messages.
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

/// Formats a resource or class reference as functions of the 3.x API do: `File[/tmp/a]`.
pub(super) fn reference(value: &Value) -> Option<String> {
    let Value::Type(it) = value else { return None };
    match it.resolved().kind() {
        TypeKind::Resource(ResourceType { type_name: Some(name), title, .. }) => {
            Some(format!("{name}[{}]", title.as_deref().unwrap_or_default()))
        }
        TypeKind::Class(Some(name)) => Some(format!("Class[{}]", capitalize_segments(unrooted(name)))),
        _ => None,
    }
}
