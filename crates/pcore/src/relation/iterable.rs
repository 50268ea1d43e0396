//! What can be iterated, and what that gives.

use super::assignable::Comparison;
use super::guard::{Guard, Guarded};
use crate::types::{EnumType, Size, TupleType, Type, TypeKind};

/// Whether instances of a type can be iterated (D34).
pub fn is_iterable(it: &Type) -> bool {
    answer(it, None).is_some()
}

/// The type of what iterating an instance of a type gives: `None` if it can't be iterated, or if what it gives is not
/// known, as for `Collection`.
pub fn element_type(it: &Type) -> Option<Type> {
    match answer(it, None)? {
        Elements::Of(it) => Some(it),
        Elements::Any | Elements::Unknown => None,
    }
}

/// What iterating gives.
enum Elements {
    /// Values of a type.
    Of(Type),
    /// What an `Iterable` without parameters gives.
    Any,
    /// Something; no `Iterable` with parameters describes it.
    Unknown,
}

fn answer(it: &Type, guard: Guarded<'_>) -> Option<Elements> {
    let elements = match it.kind() {
        TypeKind::String(_) | TypeKind::Enum(_) => Elements::Of(Type::string_sized(Size::exactly(1))),
        TypeKind::Integer(_) => Elements::Of(Type::integer()),
        TypeKind::Collection(_) => Elements::Unknown,
        TypeKind::Array(element, _) => match element.kind() {
            TypeKind::Any => Elements::Any,
            _ => Elements::Of(element.clone()),
        },
        TypeKind::Hash(key, value, size) => {
            let is_default =
                size.is_none() && matches!((key.kind(), value.kind()), (TypeKind::Any, TypeKind::Any));
            if is_default {
                Elements::Of(pair(Type::unit(), Type::unit()))
            } else {
                Elements::Of(pair(key.clone(), value.clone()))
            }
        }
        TypeKind::Struct(elements) if elements.is_empty() => Elements::Of(pair(Type::unit(), Type::unit())),
        TypeKind::Struct(elements) => {
            let keys = elements.iter().map(|it| {
                let key = Type::literal(it.name.clone());
                if it.optional { Type::optional(key) } else { key }
            });
            let values = elements.iter().map(|it| it.value.clone());
            Elements::Of(pair(Type::variant(keys), Type::variant(values)))
        }
        TypeKind::Tuple(tuple) => Elements::Of(Type::variant(tuple.types.iter().cloned())),
        TypeKind::Iterable(element) | TypeKind::Iterator(element) => match element {
            Some(element) => Elements::Of(element.clone()),
            None => Elements::Any,
        },
        TypeKind::Type(Some(inner)) => match inner.kind() {
            TypeKind::Enum(_) => Elements::Of(inner.clone()),
            TypeKind::Integer(range) if range.is_finite() => Elements::Of(inner.clone()),
            _ => return None,
        },
        TypeKind::Object(Some(object)) => return answer(object.parent.as_ref()?, guard),
        TypeKind::Alias(alias) => {
            let target = alias.target()?;
            if !alias.is_recursive() {
                return answer(target, guard);
            }
            let mut own = Guard::default();
            return guard.unwrap_or(&mut own).with_this(alias.identity(), |guard| {
                if guard.this_recurs() { None } else { answer(target, Some(guard)) }
            });
        }
        _ => return None,
    };
    Some(elements)
}

/// The type of a hash's entries.
fn pair(key: Type, value: Type) -> Type {
    TypeKind::Tuple(TupleType { types: [key, value].into(), size: Some(Size::exactly(2)) }).into()
}

/// Whether `Iterable` accepts a type.
pub(super) fn iterable_accepts(
    it: &Comparison<'_>,
    element: Option<&Type>,
    that: &Type,
    mut guard: Guarded<'_>,
) -> bool {
    let Some(wanted) = element else { return is_iterable(that) };
    if it.accepts(wanted, &Type::any(), guard.as_deref_mut()) {
        return is_iterable(that);
    }
    element_type(that).is_some_and(|given| it.accepts(wanted, &given, guard))
}

/// Whether a type is a value that can be iterated: an `Enum`, or an `Integer` with both ends.
pub(super) fn is_iterable_itself(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Enum(EnumType { .. }) => true,
        TypeKind::Integer(range) => range.is_finite(),
        _ => false,
    }
}
