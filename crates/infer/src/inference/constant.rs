//! Types with exactly one value, or a few.

use std::sync::Arc;

use marotte_pcore::effort;
use marotte_pcore::types::{StringType, Type, TypeKind};
use marotte_pcore::value::{Hash, Value};

/// The only value of a type. None if there are more, or if the value is too expensive to build.
pub fn constant(it: &Type) -> Option<Value> {
    /// Larger values would be rebuilt at each use.
    const LARGEST: usize = 64 << 10;
    let extent = it.extent();
    // All others already exist, or have several values.
    let is_built = matches!(it.kind(), TypeKind::Tuple(_) | TypeKind::Struct(_));
    if is_built && (extent.size() > LARGEST || !effort::spend(effort::size(extent))) {
        return None;
    }
    only_value(it)
}

fn only_value(it: &Type) -> Option<Value> {
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
        // `Tuple` alone is any array.
        T::Tuple(it) if it.size.is_none() && !it.types.is_empty() => {
            Value::Array(it.types.iter().map(only_value).collect::<Option<Vec<_>>>()?.into())
        }
        T::Array(_, Some(size)) if size.max == Some(0) => Value::Array(Vec::new().into()),
        T::Hash(_, _, Some(size)) if size.max == Some(0) => Value::Hash(Arc::default()),
        T::Struct(elements) => {
            let mut hash = Hash::default();
            for element in elements.iter() {
                if element.optional {
                    return None;
                }
                hash.insert(Value::String(element.name.clone()), only_value(&element.value)?);
            }
            Value::Hash(Arc::new(hash))
        }
        _ => return None,
    })
}

/// All values of a type. None if there are more than a few.
pub fn values(it: &Type) -> Option<Vec<Value>> {
    /// More values aren't worth the work.
    const MOST: usize = 16;
    use TypeKind as T;
    let it = it.resolved();
    let found = match it.kind() {
        T::Enum(words) if !words.is_case_insensitive() && !words.values().is_empty() => {
            words.values().iter().map(|it| Value::String(it.clone())).collect()
        }
        T::Boolean(None) => vec![Value::Boolean(true), Value::Boolean(false)],
        T::Optional(Some(inner)) => {
            let mut found = values(inner)?;
            found.push(Value::Undef);
            found
        }
        T::Variant(types) => types.iter().map(values).collect::<Option<Vec<_>>>()?.concat(),
        _ => vec![constant(it)?],
    };
    (found.len() <= MOST).then_some(found)
}
