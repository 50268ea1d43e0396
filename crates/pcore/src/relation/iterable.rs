//! Iterable types, and the types of their elements.

use super::assignable::Comparison;
use super::guard::{Guard, Guarded};
use crate::dialect::{Dialect, IntegerElements};
use crate::types::{ANY, IntegerRange, Size, TupleType, Type, TypeKind};
use crate::value::Integer;

/// Whether instances of a type are iterable (D34).
pub fn is_iterable(dialect: &Dialect, it: &Type) -> bool {
    answer(dialect, it, None).is_some()
}

/// Returns the element type of an iteration over an instance of a type: `None` if the type isn't iterable, or if the
/// element type is unknown, as for `Collection` (D34, E24).
pub fn element_type(dialect: &Dialect, it: &Type) -> Option<Type> {
    match answer(dialect, it, None)? {
        Elements::Of(it) => Some(it),
        Elements::Any | Elements::Unknown => None,
    }
}

/// The elements of an iteration.
enum Elements {
    /// Values of a type.
    Of(Type),
    /// The elements of an `Iterable` without parameters.
    Any,
    /// Unknown elements, which no `Iterable` with parameters describes.
    Unknown,
}

fn answer(dialect: &Dialect, it: &Type, guard: Guarded<'_>) -> Option<Elements> {
    let elements = match it.kind() {
        TypeKind::String(_) | TypeKind::Enum(_) => Elements::Of(Type::string_sized(Size::exactly(1))),
        // A count has no end below zero.
        TypeKind::Integer(range)
            if dialect.iterables_are_bounded && range.from.as_ref().is_none_or(|from| *from < 0.into()) =>
        {
            return None;
        }
        TypeKind::Integer(range) => Elements::Of(match dialect.integer_elements {
            IntegerElements::Any => Type::integer(),
            IntegerElements::Lesser => lesser(range),
        }),
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
            TypeKind::Enum(it) if dialect.iterables_are_bounded && it.values().is_empty() => return None,
            TypeKind::Enum(_) => Elements::Of(inner.clone()),
            TypeKind::Integer(range) if range.is_finite() => Elements::Of(inner.clone()),
            _ => return None,
        },
        TypeKind::Object(Some(object)) => return answer(dialect, object.parent.as_ref()?, guard),
        TypeKind::Alias(alias) => {
            let target = alias.target()?;
            if !alias.is_recursive() {
                return answer(dialect, target, guard);
            }
            let mut own = Guard::default();
            return guard.unwrap_or(&mut own).with_this(alias.identity(), |guard| {
                if guard.this_recurs() { None } else { answer(dialect, target, Some(guard)) }
            });
        }
        _ => return None,
    };
    Some(elements)
}

/// The type of the integers from zero up to, but excluding, an integer of a range.
fn lesser(range: &IntegerRange) -> Type {
    let zero = Integer::from(0);
    let last = range.to.as_ref().map(|to| Integer::from(to.to_big() - 1));
    if last.as_ref().is_some_and(|last| *last < zero) {
        return Type::unit();
    }
    TypeKind::Integer(IntegerRange::ascending(Some(zero), last)).into()
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
    let Some(wanted) = element else { return is_iterable(it.dialect, that) };
    if it.accepts(wanted, &ANY, guard.as_deref_mut()) {
        return is_iterable(it.dialect, that);
    }
    element_type(it.dialect, that).is_some_and(|given| it.accepts(wanted, &given, guard))
}

/// Whether a type is itself an iterable value: an `Enum`, or an `Integer` with both bounds.
pub(super) fn is_iterable_itself(dialect: &Dialect, it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Enum(it) => !dialect.iterables_are_bounded || !it.values().is_empty(),
        TypeKind::Integer(range) => range.is_finite(),
        _ => false,
    }
}
