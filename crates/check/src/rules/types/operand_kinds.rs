//! Categories of types: what operators make of values.

use marotte_pcore::ops::number_in;
use marotte_pcore::types::{Size, StringType, Type, TypeKind};

/// Whether all alternatives of a type have a property.
pub(super) fn always(it: &Type, property: &dyn Fn(&Type) -> bool) -> bool {
    let it = it.resolved();
    match it.kind() {
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(|it| always(it, property)),
        TypeKind::Optional(Some(inner)) => property(&TypeKind::Undef.into()) && always(inner, property),
        _ => property(it),
    }
}

/// Whether a type other than a variant has only values that nothing takes for a text or a pattern. Arrays, `undef`, regular
/// expressions and types are left to the caller.
pub(in crate::rules) fn never_text(it: &Type) -> bool {
    matches!(
        it.resolved().kind(),
        TypeKind::Default
            | TypeKind::Boolean(_)
            | TypeKind::Integer(_)
            | TypeKind::Float(_)
            | TypeKind::Numeric
            | TypeKind::Hash(..)
            | TypeKind::Struct(_)
            | TypeKind::SemVer(_)
            | TypeKind::Sensitive(_)
            | TypeKind::Timespan(..)
            | TypeKind::Timestamp(..)
    )
}

/// Whether values of a type have no elements. `undef` is left to the rules that explain it.
pub(super) fn has_no_parts(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Boolean(_)
        | TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::Regexp(_)
        | TypeKind::Sensitive(_)
        | TypeKind::Default => true,
        TypeKind::Variant(types) => types.iter().all(has_no_parts),
        _ => false,
    }
}

/// Whether every value of a type is a number, a string that may be one, or a time.
pub(super) fn is_scalar(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::String(_)
        | TypeKind::Enum(_)
        | TypeKind::Pattern(_)
        | TypeKind::Timespan(..)
        | TypeKind::Timestamp(..) => true,
        TypeKind::Variant(types) => types.iter().all(is_scalar),
        _ => false,
    }
}

/// Whether a value of a type may be an array or a hash, to which others can be added.
pub(super) fn may_be_collection(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Hash(..) | TypeKind::Struct(_) => true,
        TypeKind::Variant(types) => types.iter().any(may_be_collection),
        TypeKind::Optional(Some(it)) => may_be_collection(it),
        _ => false,
    }
}

/// Whether every value of a type is a hash.
pub(super) fn is_hash(it: &Type) -> bool {
    always(it, &|it| matches!(it.kind(), TypeKind::Hash(..) | TypeKind::Struct(_)))
}

/// Whether every value of a type is of a kind that is certainly not a collection.
pub(super) fn is_known(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Boolean(_) | TypeKind::Regexp(_) | TypeKind::Undef | TypeKind::Default => true,
        TypeKind::Variant(types) => !types.is_empty() && types.iter().all(is_known),
        _ => is_scalar(it),
    }
}

/// Whether no value of a type can be used as a number. Strings can, if they look like one.
pub(super) fn never_number(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Undef
        | TypeKind::Boolean(_)
        | TypeKind::Regexp(_)
        | TypeKind::Array(..)
        | TypeKind::Tuple(_)
        | TypeKind::Hash(..)
        | TypeKind::Struct(_)
        | TypeKind::Sensitive(_)
        | TypeKind::SemVer(_)
        | TypeKind::Type(_)
        | TypeKind::Default => true,
        TypeKind::String(StringType::Literal(text)) => number_in(text).is_none(),
        TypeKind::Enum(words) => {
            !words.values().is_empty() && words.values().iter().all(|it| number_in(it).is_none())
        }
        TypeKind::Variant(types) => types.iter().all(never_number),
        TypeKind::Optional(Some(it)) => never_number(it),
        _ => false,
    }
}

/// The values that an operator compares with their own kind only, and times, which it compares with numbers, too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Number,
    Text,
    Version,
    Timespan,
    Timestamp,
    /// Values that are compared with nothing, of one kind.
    Never(u8),
}

impl Order {
    /// Whether values are compared with others.
    pub(super) fn takes(self, other: Order) -> bool {
        match (self, other) {
            (Order::Never(_), _) | (_, Order::Never(_)) => false,
            (Order::Number, Order::Timespan | Order::Timestamp)
            | (Order::Timespan | Order::Timestamp, Order::Number) => true,
            _ => self == other,
        }
    }
}

/// The values that a type's values can be compared with. None if that isn't certain: types are compared with anything, and
/// `default` with itself.
pub(super) fn ordered(it: &Type) -> Option<Order> {
    match it.resolved().kind() {
        TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Numeric => Some(Order::Number),
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => Some(Order::Text),
        TypeKind::SemVer(_) => Some(Order::Version),
        TypeKind::Timespan(..) => Some(Order::Timespan),
        TypeKind::Timestamp(..) => Some(Order::Timestamp),
        TypeKind::Array(..) | TypeKind::Tuple(_) => Some(Order::Never(0)),
        TypeKind::Hash(..) | TypeKind::Struct(_) => Some(Order::Never(1)),
        TypeKind::Boolean(_) => Some(Order::Never(2)),
        TypeKind::Regexp(_) => Some(Order::Never(3)),
        TypeKind::Sensitive(_) => Some(Order::Never(4)),
        TypeKind::Undef => Some(Order::Never(5)),
        // `undef` is compared with nothing.
        TypeKind::Optional(Some(it)) => ordered(it),
        TypeKind::Variant(types) => {
            let mut orders = types.iter().filter(|it| !matches!(it.kind(), TypeKind::Undef)).map(ordered);
            let first = orders.next()??;
            let is_never = |it: Order| matches!(it, Order::Never(_));
            orders
                .all(|it| it.is_some_and(|it| it == first || is_never(it) && is_never(first)))
                .then_some(first)
        }
        _ => None,
    }
}

/// Whether every value of a type is a float.
pub(super) fn is_float(it: &Type) -> bool {
    always(it, &|it| matches!(it.kind(), TypeKind::Float(_)))
}

/// Whether a value of a type may be an array.
pub(super) fn may_be_array(it: &Type) -> bool {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) => true,
        TypeKind::Variant(types) => types.iter().any(may_be_array),
        TypeKind::Optional(Some(it)) => may_be_array(it),
        _ => false,
    }
}

/// Whether a hash made of an array's elements, one for a key and the next for its value, certainly lacks a value.
pub(super) fn lacks_value(it: &Type) -> bool {
    let is_odd = |it: Size| it.max == Some(it.min) && it.min % 2 == 1;
    match it.resolved().kind() {
        TypeKind::Array(element, Some(size)) => is_odd(*size) && is_known(element),
        // A single element may be a hash.
        TypeKind::Tuple(tuple) => is_odd(tuple.size_range()) && tuple.types.iter().any(is_known),
        _ => false,
    }
}
