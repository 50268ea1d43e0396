use indexmap::IndexSet;

use super::merge::span;
use crate::dialect::{Dialect, SizesInCommon, UndefInCommon};
use crate::relation::assignable;
use crate::types::{
    CallableType, DATA, EnumType, FloatRange, IntegerRange, PatternType, RICH_DATA, ResourceType, Size,
    StringType, Type, TypeKind,
};

/// The common type of two types: what is inferred of an array that has elements of both (D.2). It accepts both, except
/// that `undef` may add nothing.
pub fn common(dialect: &Dialect, a: &Type, b: &Type) -> Type {
    if dialect.undef_in_common == UndefInCommon::Nothing {
        if matches!(a.kind(), TypeKind::Undef) {
            return b.clone();
        }
        if matches!(b.kind(), TypeKind::Undef) {
            return a.clone();
        }
    }
    match (a.kind(), b.kind()) {
        (TypeKind::Unit, _) => b.clone(),
        (_, TypeKind::Unit) => a.clone(),
        _ if assignable(dialect, a, b) => a.clone(),
        _ if assignable(dialect, b, a) => b.clone(),
        _ => of_same_kind(dialect, a, b).unwrap_or_else(|| abstract_type(dialect, a, b)),
    }
}

/// What two types of one kind have in common, as a type of that kind. Neither accepts the other.
fn of_same_kind(dialect: &Dialect, a: &Type, b: &Type) -> Option<Type> {
    use TypeKind as T;
    let kind = match (a.kind(), b.kind()) {
        (T::Array(a, a_size), T::Array(b, b_size)) => {
            return Some(Type::array(common(dialect, a, b), common_size(dialect, *a_size, *b_size)));
        }
        (T::Hash(a_key, a_value, a_size), T::Hash(b_key, b_value, b_size)) => {
            let (key, value) = (common(dialect, a_key, b_key), common(dialect, a_value, b_value));
            return Some(Type::hash(key, value, common_size(dialect, *a_size, *b_size)));
        }
        (T::Class(_), T::Class(_)) => T::Class(None),
        (T::Resource(a), T::Resource(b)) => {
            let type_name = if a.type_name == b.type_name { a.type_name.clone() } else { None };
            T::Resource(ResourceType { type_name, title: None })
        }
        (T::Integer(a), T::Integer(b)) => {
            let (from, to) = span((a.from.clone(), a.to.clone()), (b.from.clone(), b.to.clone()));
            T::Integer(IntegerRange { from, to })
        }
        (T::Float(a), T::Float(b)) => T::Float(FloatRange { from: a.from.min(b.from), to: a.to.max(b.to) }),
        (T::String(a), T::String(b)) => of_strings(a, b),
        (T::String(text), T::Enum(values)) | (T::Enum(values), T::String(text)) => match text {
            StringType::Literal(text) => {
                T::Enum(EnumType::new(values.values().iter().cloned().chain([text.clone()]), false))
            }
            _ => T::Enum(EnumType::default()),
        },
        (T::Enum(a), T::Enum(b)) => {
            T::Enum(EnumType::new(a.values().iter().chain(b.values()).cloned(), false))
        }
        (T::Pattern(a), T::Pattern(b)) => {
            let patterns: IndexSet<_> = a.patterns.iter().chain(&b.patterns).cloned().collect();
            T::Pattern(PatternType { patterns: patterns.into_iter().collect() })
        }
        (T::Variant(a), T::Variant(b)) => return Some(Type::variant(a.iter().chain(b).cloned())),
        (T::Regexp(_), T::Regexp(_)) => T::Regexp(None),
        (T::Callable(_), T::Callable(_)) => T::Callable(CallableType::default()),
        _ => return None,
    };
    Some(kind.into())
}

fn of_strings(a: &StringType, b: &StringType) -> TypeKind {
    match (a, b) {
        (StringType::Literal(a), StringType::Literal(b)) => {
            TypeKind::Enum(EnumType::new([a.clone(), b.clone()], false))
        }
        (StringType::Sized(a), StringType::Sized(b)) => TypeKind::String(StringType::Sized(cover(*a, *b))),
        _ => TypeKind::String(StringType::Any),
    }
}

/// The size that covers both.
fn cover(a: Size, b: Size) -> Size {
    Size { min: a.min.min(b.min), max: a.max.zip(b.max).map(|(a, b)| a.max(b)) }
}

fn common_size(dialect: &Dialect, a: Option<Size>, b: Option<Size>) -> Option<Size> {
    match dialect.sizes_in_common {
        SizesInCommon::Dropped => None,
        SizesInCommon::Kept => a.zip(b).map(|(a, b)| cover(a, b)),
    }
}

/// The most specific abstract type that accepts both.
fn abstract_type(dialect: &Dialect, a: &Type, b: &Type) -> Type {
    let accepts_both = |it: &Type| assignable(dialect, it, a) && assignable(dialect, it, b);
    for kind in [TypeKind::Numeric, TypeKind::ScalarData, TypeKind::Scalar] {
        let it = Type::new(kind);
        if accepts_both(&it) {
            return it;
        }
    }
    if accepts_both(&DATA) {
        return DATA.clone();
    }
    if let (TypeKind::Type(Some(a)), TypeKind::Type(Some(b))) = (a.kind(), b.kind()) {
        return Type::of(common(dialect, a, b));
    }
    if accepts_both(&RICH_DATA) {
        return RICH_DATA.clone();
    }
    Type::any()
}
