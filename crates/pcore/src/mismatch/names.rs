//! The names of types in messages (H35).

use crate::dialect::{AliasText, Dialect};
use crate::infer::generalize;
use crate::print::{expanded, is_builtin, names};
use crate::relation::assignable;
use crate::types::{
    CallableType, EnumType, FloatRange, IntegerRange, PatternType, ResourceType, StringType, TupleType, Type,
    TypeKind, UriType,
};

/// Returns the texts for the expected types and the actual one: in full detail if their names don't distinguish them,
/// otherwise by name.
pub(super) fn expected_and_actual(
    dialect: &Dialect,
    expected: &[Type],
    actual: &Type,
) -> (Vec<String>, String) {
    let detailed = any_needs_detail(expected, actual)
        || expected.iter().any(|it| assignable(dialect, &without_parameters(it.resolved()), actual));
    if detailed {
        let names = expected.iter().map(expanded).collect();
        return (names, detailed_actual(dialect, expected, actual));
    }
    let mut names = Vec::new();
    for name in expected.iter().map(short_name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (names, short_name(actual))
}

/// Whether one of the expected types is of the same kind as the actual one, or one of them is an alias.
fn any_needs_detail(expected: &[Type], actual: &Type) -> bool {
    let needs_detail = |it: &Type| {
        let (expected, actual) = (it.kind(), actual.kind());
        std::mem::discriminant(expected) == std::mem::discriminant(actual)
            || matches!(expected, TypeKind::Alias(_))
            || matches!(actual, TypeKind::Alias(_))
            || matches!(
                (expected, actual),
                (TypeKind::Struct(_), TypeKind::Hash(..)) | (TypeKind::Tuple(_), TypeKind::Array(..))
            )
    };
    expected.iter().any(needs_detail)
}

fn detailed_actual(dialect: &Dialect, expected: &[Type], actual: &Type) -> String {
    let resolved: Vec<Type> = expected.iter().map(|it| it.resolved().clone()).collect();
    let general = || generalize(actual);
    if any_needs_detail(&resolved, actual) || resolved.iter().any(|it| assignable(dialect, it, &general())) {
        expanded(actual)
    } else {
        actual.kind_name().to_owned()
    }
}

/// Returns the most general type of the same kind.
fn without_parameters(it: &Type) -> Type {
    use TypeKind as T;
    let kind = match it.kind() {
        T::Integer(_) => T::Integer(IntegerRange::default()),
        T::Float(_) => T::Float(FloatRange::ALL),
        T::String(_) => T::String(StringType::Any),
        T::Enum(_) => T::Enum(EnumType::default()),
        T::Pattern(_) => T::Pattern(PatternType::default()),
        T::Boolean(_) => T::Boolean(None),
        T::Regexp(_) => T::Regexp(None),
        T::SemVer(_) => T::SemVer([].into()),
        T::Timespan(..) => T::Timespan(None, None),
        T::Timestamp(..) => T::Timestamp(None, None),
        T::Uri(_) => T::Uri(UriType::default()),
        T::Collection(_) => T::Collection(None),
        T::Array(..) => T::Array(Type::any(), None),
        T::Hash(..) => T::Hash(Type::any(), Type::any(), None),
        T::Tuple(_) => T::Tuple(TupleType::default()),
        T::Struct(_) => T::Struct([].into()),
        T::Variant(_) => T::Variant([].into()),
        T::Optional(_) => T::Optional(None),
        T::NotUndef(_) => T::NotUndef(None),
        T::Iterable(_) => T::Iterable(None),
        T::Iterator(_) => T::Iterator(None),
        T::Callable(_) => T::Callable(CallableType::default()),
        T::Resource(_) => T::Resource(ResourceType::default()),
        T::Class(_) => T::Class(None),
        T::Type(_) => T::Type(None),
        T::Sensitive(_) => T::Sensitive(Type::any()),
        T::Init { .. } => T::Init { target: None, arguments: [].into() },
        T::Runtime { .. } => T::Runtime { runtime: None, name: None, pattern: None },
        T::Object(_) => T::Object(None),
        T::TypeSet(_) => T::TypeSet(None),
        // An extension has no default of its own, so that of all types is used.
        T::ObjectExtension(..) => T::Any,
        T::Any
        | T::Unit
        | T::Undef
        | T::Default
        | T::Scalar
        | T::ScalarData
        | T::Numeric
        | T::SemVerRange
        | T::Binary
        | T::CatalogEntry
        | T::Alias(_)
        | T::Reference(_) => return it.clone(),
    };
    kind.into()
}

/// The name of a type, with that of its inner type unless that is `Any`.
pub(super) fn short_name(it: &Type) -> String {
    let inner = match it.kind() {
        TypeKind::Optional(inner)
        | TypeKind::NotUndef(inner)
        | TypeKind::Iterable(inner)
        | TypeKind::Iterator(inner)
        | TypeKind::Type(inner)
        | TypeKind::Init { target: inner, .. } => inner.as_ref(),
        TypeKind::Sensitive(inner) => Some(inner),
        _ => None,
    };
    match inner {
        Some(inner) if !matches!(inner.kind(), TypeKind::Any) => {
            format!("{}[{}]", name(it), name(inner))
        }
        _ => name(it),
    }
}

fn name(it: &Type) -> String {
    match it.kind() {
        TypeKind::Alias(_) if names().aliases == AliasText::Originals && !is_builtin(it) => {
            name(it.resolved())
        }
        TypeKind::Alias(alias) => alias.name().to_string(),
        TypeKind::Object(Some(object)) => object.label().to_owned(),
        TypeKind::TypeSet(Some(set)) => set.name.to_string(),
        // The type without parameters has this name, too.
        TypeKind::TypeSet(None) => "DefaultTypeSet".to_owned(),
        _ => it.kind_name().to_owned(),
    }
}
