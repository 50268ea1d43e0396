//! Resources and classes (D38, D39).

use marotte_text::Str;

use super::CreateError;
use super::arguments::{flatten, type_name};
use super::error::label;
use crate::dialect::Dialect;
use crate::print::capitalize_segments;
use crate::types::{ResourceType, Type, TypeKind};
use crate::value::Value;

pub(super) fn resource(
    dialect: &Dialect,
    it: &Type,
    resource: &ResourceType,
    arguments: &[Value],
) -> Result<Value, CreateError> {
    if arguments.is_empty() {
        return Err(CreateError::arity(crate::print::short(it), 1, Some(usize::MAX), 0));
    }
    let (type_name, titles) = match (&resource.type_name, arguments.split_first()) {
        (None, Some((first, titles))) => (named(dialect, first)?, titles),
        (Some(name), _) => (name.clone(), arguments),
        (None, None) => return Err(CreateError::arity("Resource", 1, Some(usize::MAX), 0)),
    };
    if !is_type_name(&type_name) {
        return Err(CreateError::ResourceName { name: type_name });
    }
    let make = |title: Option<Str>| {
        let type_name = Some(type_name.clone());
        Value::Type(TypeKind::Resource(ResourceType { type_name, title, ..ResourceType::default() }).into())
    };
    if titles.is_empty() {
        return Ok(make(None));
    }
    several(titles, |title| match title {
        _ if resource.title.is_some() => Err(CreateError::ParameterAccess { it: it.clone() }),
        Value::String(title) => Ok(make(Some(title.clone()))),
        _ => Err(CreateError::ResourceTitle { it: it.clone(), actual: self::type_name(dialect, title) }),
    })
}

/// Returns the name of a resource type.
fn named(dialect: &Dialect, value: &Value) -> Result<Str, CreateError> {
    match value {
        Value::String(name) => Ok(capitalize_segments(name).into()),
        Value::Type(it) => match it.kind() {
            TypeKind::Resource(ResourceType { type_name: Some(name), .. }) => Ok(name.clone()),
            _ => Err(CreateError::ResourceKind { actual: type_name(dialect, value) }),
        },
        _ => Err(CreateError::ResourceKind { actual: type_name(dialect, value) }),
    }
}

pub(super) fn class(
    dialect: &Dialect,
    it: &Type,
    class: Option<&Str>,
    arguments: &[Value],
) -> Result<Value, CreateError> {
    if arguments.is_empty() {
        return Err(CreateError::arity(crate::print::short(it), 1, Some(usize::MAX), 0));
    }
    several(arguments, |name| {
        if class.is_some() {
            return Err(CreateError::ParameterAccess { it: it.clone() });
        }
        let Some(name) = class_name(dialect, name) else {
            let label = match name {
                Value::Type(it) => label(it),
                _ => name.kind_name().to_owned(),
            };
            return Err(CreateError::ClassKind { label });
        };
        let lower = name.to_lowercase();
        let lower = lower.strip_prefix("::").unwrap_or(&lower);
        if !is_class_name(lower) {
            return Err(CreateError::ClassName { name });
        }
        Ok(Value::Type(TypeKind::Class(Some(lower.into())).into()))
    })
}

/// Returns the class name that an argument denotes (X62).
fn class_name(dialect: &Dialect, value: &Value) -> Option<Str> {
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Type(it) if dialect.class_of_resource_type => match it.kind() {
            TypeKind::Resource(ResourceType { type_name: Some(name), title: None, .. })
            | TypeKind::Reference(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Returns one value for one argument, or an array for several arguments or for an array. `undef` is left out.
fn several(
    arguments: &[Value],
    make: impl Fn(&Value) -> Result<Value, CreateError>,
) -> Result<Value, CreateError> {
    let as_array = arguments.len() > 1 || matches!(arguments.first(), Some(Value::Array(_)));
    let flat = flatten(arguments);
    let made = flat.iter().filter(|it| !matches!(it, Value::Undef)).map(make);
    let mut made = made.collect::<Result<Vec<_>, _>>()?;
    if as_array { Ok(Value::Array(made.into())) } else { Ok(made.pop().unwrap_or(Value::Undef)) }
}

fn is_word(text: &str, first: impl Fn(char) -> bool) -> bool {
    text.starts_with(first) && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

fn is_type_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.split("::").all(|segment| is_word(segment, |it| it.is_ascii_uppercase()))
}

fn is_class_name(name: &str) -> bool {
    let name = name.strip_prefix("::").unwrap_or(name);
    name.split("::").all(|segment| is_word(segment, |it| it.is_ascii_lowercase()))
}
