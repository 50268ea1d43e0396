//! Types of which there is only one value.

use std::sync::Arc;

use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_pcore::value::{Hash, Value};

/// The only value of a type. None if there are more, or if it is not worth the work.
pub(crate) fn constant(it: &Type) -> Option<Value> {
    use TypeKind as T;
    Some(match it.kind() {
        T::Undef => Value::Undef,
        T::Default => Value::Default,
        T::Boolean(Some(value)) => Value::Boolean(*value),
        T::Integer(range) => {
            let (from, to) = (range.from.as_ref()?, range.to.as_ref()?);
            if from != to {
                return None;
            }
            Value::Integer(from.clone())
        }
        T::Float(range) => {
            if range.from.to_bits() != range.to.to_bits() {
                return None;
            }
            Value::Float(range.from)
        }
        T::String(StringType::Literal(text)) => Value::String(text.clone()),
        T::Regexp(Some(regexp)) => Value::Regexp(regexp.clone()),
        T::Tuple(it) if it.size.is_none() => {
            Value::Array(it.types.iter().map(constant).collect::<Option<Vec<_>>>()?.into())
        }
        T::Array(_, Some(size)) if size.max == Some(0) => Value::Array(Vec::new().into()),
        T::Hash(_, _, Some(size)) if size.max == Some(0) => Value::Hash(Arc::default()),
        T::Struct(elements) => {
            let mut hash = Hash::default();
            for element in elements.iter() {
                if element.optional {
                    return None;
                }
                hash.insert(Value::String(element.name.clone()), constant(&element.value)?);
            }
            Value::Hash(Arc::new(hash))
        }
        _ => return None,
    })
}
