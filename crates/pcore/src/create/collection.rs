//! Parameters of `Array`, `Hash` and other collection types.

use super::CreateError;
use super::arguments::{is_bound, size, size_of_bounds, type_argument, type_name};
use super::callable::type_of;
use super::name::{default_key, default_value};
use super::wrapper::types;
use crate::dialect::{Contained, Dialect};
use crate::relation::assignable;
use crate::types::{Size, StringType, StructElement, TupleType, Type, TypeKind};
use crate::value::Value;

pub(super) fn collection(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    match arguments {
        [_] | [_, _] => Ok(TypeKind::Collection(Some(size(dialect, arguments)?)).into()),
        _ => Err(CreateError::arity("Collection-Type", 1, Some(2), arguments.len())),
    }
}

pub(super) fn array(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    const LABEL: &str = "Array-Type";
    let (element, bounds) = match arguments {
        [element] => (type_argument(LABEL, element)?, None),
        [Value::Type(element), _] => (element.clone(), Some(&arguments[1..])),
        [_, _] => (default_value(dialect), Some(arguments)),
        [element, _, _] => (type_argument(LABEL, element)?, Some(&arguments[1..])),
        _ => return Err(CreateError::arity(LABEL, 1, Some(3), arguments.len())),
    };
    let size = bounds.map(|bounds| size(dialect, bounds)).transpose()?;
    if bounds.is_some_and(|bounds| bounds.len() < arguments.len()) {
        check_has_elements(dialect, LABEL, size)?;
    }
    Ok(Type::array(element, size))
}

pub(super) fn hash(dialect: &Dialect, arguments: &[Value]) -> Result<Type, CreateError> {
    const LABEL: &str = "Hash-Type";
    if let [Value::Integer(_), Value::Integer(_)] = arguments {
        let size = size(dialect, arguments)?;
        return Ok(Type::hash(default_key(dialect), default_value(dialect), Some(size)));
    }
    if let ([Value::Type(value)], Contained::Data) = (arguments, dialect.contained) {
        return Ok(Type::hash(default_key(dialect), value.clone(), None));
    }
    let types = arguments.iter().take(2).map(|it| type_argument(LABEL, it));
    let types = types.collect::<Result<Vec<_>, _>>()?;
    let [key, value] = &types[..] else {
        return Err(CreateError::arity(LABEL, 2, Some(4), arguments.len()));
    };
    let size = match &arguments[2..] {
        [] => None,
        bounds @ ([_] | [_, _]) => Some(size(dialect, bounds)?),
        _ => return Err(CreateError::arity(LABEL, 2, Some(4), arguments.len())),
    };
    check_has_elements(dialect, LABEL, size)?;
    Ok(Type::hash(key.clone(), value.clone(), size))
}

/// Rejects an element type for a collection whose size is zero.
fn check_has_elements(dialect: &Dialect, label: &'static str, size: Option<Size>) -> Result<(), CreateError> {
    match size {
        Some(Size { max: Some(0), .. }) if !dialect.empty_collections_have_types => {
            Err(CreateError::ElementsOfNone { label })
        }
        _ => Ok(()),
    }
}

pub(super) fn tuple(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let count = arguments.len();
    let bounds = if count >= 2 && is_bound(arguments.get(count - 2)) && is_bound(arguments.last()) {
        2
    } else {
        usize::from(is_bound(arguments.last()))
    };
    let (elements, bounds) = arguments.split_at(count - bounds);
    let size = if bounds.is_empty() { None } else { Some(size_of_bounds(dialect, bounds)?) };
    if elements.is_empty() {
        return Err(CreateError::arity(super::error::label_with_article(it), 1, Some(usize::MAX), 0));
    }
    Ok(TypeKind::Tuple(TupleType { types: types(it, elements)?.into(), size }).into())
}

pub(super) fn structure(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let [argument] = arguments else {
        return Err(CreateError::arity(super::error::label_with_article(it), 1, None, arguments.len()));
    };
    let Value::Hash(hash) = argument else {
        let actual = type_name(dialect, argument);
        return Err(CreateError::Argument { it: it.clone(), actual, expected: "Hash" });
    };
    let elements = hash.iter().map(|(key, value)| element(dialect, key, value));
    Ok(TypeKind::Struct(elements.collect::<Result<_, _>>()?).into())
}

fn element(dialect: &Dialect, key: &Value, value: &Value) -> Result<StructElement, CreateError> {
    if !dialect.struct_takes_values && !matches!(value, Value::Type(_)) {
        return Err(CreateError::StructValue { actual: value.kind_name().to_owned() });
    }
    let value = type_of(dialect, value);
    let key = match key {
        Value::String(name) if name.is_empty() => return Err(CreateError::EmptyKey),
        Value::String(name) => {
            let optional = assignable(dialect, &value, &Type::undef());
            return Ok(StructElement { name: name.clone(), optional, value });
        }
        Value::Type(key) if dialect.struct_has_key_types => key,
        _ => return Err(CreateError::KeyKind { actual: key.kind_name().to_owned() }),
    };
    let (named, optional) = match key.kind() {
        TypeKind::NotUndef(Some(inner)) => (inner, false),
        TypeKind::Optional(Some(inner)) => (inner, true),
        TypeKind::String(_) | TypeKind::Enum(_) => (key, false),
        TypeKind::NotUndef(None) | TypeKind::Optional(None) => {
            return Err(CreateError::KeyType { it: key.clone() });
        }
        _ => return Err(CreateError::KeyKind { actual: super::error::label(key) }),
    };
    let name = match named.kind() {
        TypeKind::String(StringType::Literal(name)) if !name.is_empty() => name.clone(),
        TypeKind::Enum(it) => match it.values() {
            [name] => name.clone(),
            _ => return Err(CreateError::KeyType { it: key.clone() }),
        },
        _ => return Err(CreateError::KeyType { it: key.clone() }),
    };
    Ok(StructElement { name, optional, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_below_none_are_none() {
        let it = collection(Dialect::puppet8(), &[Value::from(-5), Value::from(3)]);
        assert_eq!(it, Ok(TypeKind::Collection(Some(Size { min: 0, max: Some(3) })).into()));
    }
}
