//! The inferred type of sensitive values.

use super::{generalize, infer};
use crate::dialect::{Dialect, SensitiveContent};
use crate::types::{CallableType, DATA, PatternType, RICH_DATA, ResourceType, TupleType, Type, TypeKind};
use crate::value::Value;

/// Infers the type of the content of a sensitive value.
pub(crate) fn infer_content(dialect: &Dialect, content: &Value) -> Type {
    let it = infer(dialect, content);
    match dialect.sensitive_content {
        SensitiveContent::General => generalize(&it),
        SensitiveContent::AsWritten => kind(&it),
    }
}

/// Reduces a type to its kind, and to the kinds of the types in it: texts, patterns, names of keys and resources,
/// versions, sizes and ranges are removed.
fn kind(it: &Type) -> Type {
    use TypeKind as T;
    let kind = match it.kind() {
        // The element type of an empty collection would tell that it is empty.
        T::Unit => T::Any,
        T::Enum(_) => return Type::string(),
        T::Pattern(_) => T::Pattern(PatternType::default()),
        T::Regexp(_) => T::Regexp(None),
        T::SemVer(_) => T::SemVer([].into()),
        T::Array(element, _) => T::Array(kind(element), None),
        T::Hash(key, value, _) => T::Hash(kind(key), kind(value), None),
        T::Tuple(_) => T::Tuple(TupleType::default()),
        T::Struct(_) => T::Struct([].into()),
        T::Variant(types) => return Type::variant(types.iter().map(kind)),
        T::Optional(inner) => T::Optional(inner.as_ref().map(kind)),
        T::NotUndef(inner) => T::NotUndef(inner.as_ref().map(kind)),
        T::Iterable(inner) => T::Iterable(inner.as_ref().map(kind)),
        T::Iterator(inner) => T::Iterator(inner.as_ref().map(kind)),
        T::Type(inner) => T::Type(inner.as_ref().map(kind)),
        T::Sensitive(inner) => T::Sensitive(kind(inner)),
        T::Init { target, .. } => T::Init { target: target.as_ref().map(kind), arguments: [].into() },
        T::Callable(_) => T::Callable(CallableType::default()),
        T::Class(_) => T::Class(None),
        T::Resource(_) => T::Resource(ResourceType::default()),
        T::Runtime { .. } => T::Runtime { runtime: None, name: None, pattern: None },
        T::Object(Some(object)) if object.name.is_empty() => T::Object(None),
        T::ObjectExtension(object, _) if object.name.is_empty() => T::Object(None),
        T::TypeSet(_) => T::TypeSet(None),
        T::Alias(alias) => match alias.target() {
            Some(target) if !alias.is_recursive() => return kind(target),
            _ if [&*DATA, &*RICH_DATA].contains(&it) => return it.clone(),
            _ => T::Any,
        },
        T::Reference(_) => T::Any,
        _ => return generalize(it),
    };
    kind.into()
}
