//! Types that wrap other types.

use super::CreateError;
use super::arguments::type_argument;
use crate::dialect::Dialect;
use crate::relation::is_constructible;
use crate::types::{Type, TypeKind};
use crate::value::Value;

/// Creates a type with one type argument.
pub(super) fn single(
    label: &'static str,
    arguments: &[Value],
    make: impl FnOnce(Type) -> Type,
) -> Result<Type, CreateError> {
    match arguments {
        [it] => Ok(make(type_argument(label, it)?)),
        _ => Err(CreateError::arity(label, 1, None, arguments.len())),
    }
}

pub(super) fn variant(it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let types = types(it, arguments)?;
    if types.is_empty() {
        return Err(CreateError::arity(super::error::label_with_article(it), 1, Some(usize::MAX), 0));
    }
    Ok(Type::variant(types))
}

/// Returns the arguments, which must all be types.
pub(super) fn types(it: &Type, arguments: &[Value]) -> Result<Vec<Type>, CreateError> {
    let type_of = |argument: &Value| match argument {
        Value::Type(it) => Ok(it.clone()),
        _ => Err(CreateError::Argument {
            it: it.clone(),
            actual: super::arguments::type_name(Dialect::puppet8(), argument),
            expected: "Any-Type",
        }),
    };
    arguments.iter().map(type_of).collect()
}

/// Creates `Optional`. A string denotes its own literal type, in dialects that permit it (X53).
pub(super) fn optional(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    match arguments {
        [Value::String(text)] if dialect.optional_of_string => {
            Ok(Type::optional(Type::literal(text.clone())))
        }
        _ => single("Optional-Type", arguments, Type::optional),
    }
}

pub(super) fn not_undef(arguments: &[Value]) -> Result<Type, CreateError> {
    match arguments {
        [] => Ok(TypeKind::NotUndef(None).into()),
        [Value::String(text)] => Ok(Type::not_undef(Type::literal(text.clone()))),
        [Value::Type(it)] => Ok(Type::not_undef(it.clone())),
        [other] => Err(CreateError::NotUndefArgument { actual: other.kind_name().to_owned() }),
        _ => Err(CreateError::arity("NotUndef-Type", 0, Some(1), arguments.len())),
    }
}

/// The reference detects types that can't be constructed only when they are compared.
pub(super) fn init(arguments: &[Value]) -> Result<Type, CreateError> {
    let (first, rest) = arguments.split_first().unwrap_or((&Value::Undef, &[]));
    let target = type_argument("Init-Type", first)?;
    if !is_constructible(&target) {
        return Err(CreateError::NotConstructible { it: target });
    }
    Ok(TypeKind::Init { target: Some(target), arguments: rest.into() }.into())
}
