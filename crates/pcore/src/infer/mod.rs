//! Inference of types from values, and generalization of types.

mod common;
mod generalize;
mod merge;
mod normalize;
mod sensitive;

pub use common::common;
pub use generalize::generalize;
pub(crate) use merge::merge_version_ranges;
pub use normalize::normalize;
pub(crate) use sensitive::infer_content;

use std::sync::Arc;

use crate::dialect::Dialect;
use crate::semver::{SemVer, SemVerRange};
use crate::types::{
    FloatRange, IntegerRange, ObjectType, Size, StringType, StructElement, Type, TypeKind, UriType,
};
use crate::value::{Object, Value};

/// Infers the type of a value; a collection has the common type of its elements and its exact size (D6).
pub fn infer(dialect: &Dialect, value: &Value) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => Type::array(Type::unit(), Some(Size::ZERO)),
        Value::Array(elements) => {
            Type::array(common_of(dialect, elements.iter()), Some(Size::exactly(elements.len())))
        }
        Value::Hash(hash) if hash.is_empty() => empty_hash(),
        Value::Hash(hash) => Type::hash(
            common_of(dialect, hash.keys()),
            common_of(dialect, hash.values()),
            Some(Size::exactly(hash.len())),
        ),
        Value::Sensitive(sensitive) => TypeKind::Sensitive(infer_content(dialect, sensitive.unwrap())).into(),
        _ => infer_whole(dialect, value),
    }
}

/// Infers the type of a value in full detail: arrays become tuples, hashes with string keys become structs (D6).
pub fn infer_set(dialect: &Dialect, value: &Value) -> Type {
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            Type::tuple(elements.iter().map(|it| infer_set(dialect, it)).collect::<Box<[_]>>())
        }
        Value::Hash(hash) if !hash.is_empty() => {
            let names = hash.keys().map(|key| key.as_str().filter(|key| !key.is_empty()));
            match names.collect::<Option<Vec<_>>>() {
                Some(names) => {
                    let elements = names.into_iter().zip(hash.values()).map(|(name, value)| StructElement {
                        name: name.into(),
                        optional: false,
                        value: infer_set(dialect, value),
                    });
                    TypeKind::Struct(elements.collect()).into()
                }
                None => Type::hash(
                    Type::variant(hash.keys().map(|it| infer_set(dialect, it))),
                    Type::variant(hash.values().map(|it| infer_set(dialect, it))),
                    Some(Size::exactly(hash.len())),
                ),
            }
        }
        Value::SemVer(version) => TypeKind::SemVer([exactly(version)].into()).into(),
        _ => infer(dialect, value),
    }
}

/// The range that contains exactly one version.
fn exactly(version: &SemVer) -> SemVerRange {
    SemVerRange::between(Some(version.clone()), Some(version.clone()), false)
}

/// The type of the empty hash.
pub(crate) fn empty_hash() -> Type {
    Type::hash(Type::unit(), Type::unit(), Some(Size::ZERO))
}

fn common_of<'v>(dialect: &Dialect, values: impl Iterator<Item = &'v Value>) -> Type {
    let mut values = values.peekable();
    // Leading texts are collected first: adding them one by one would copy all previous ones each time.
    let mut texts = Vec::new();
    while let Some(Value::String(text)) = values.next_if(|it| matches!(it, Value::String(_))) {
        texts.push(text.clone());
    }
    let first = (!texts.is_empty()).then(|| Type::from(common::of_texts(dialect, texts)));
    let types = first.into_iter().chain(values.map(|it| infer(dialect, it)));
    types.reduce(|a, b| common(dialect, &a, &b)).unwrap_or_else(Type::unit)
}

/// Infers the type of a value that contains no others, or whose type doesn't depend on them.
fn infer_whole(dialect: &Dialect, value: &Value) -> Type {
    let kind = match value {
        Value::Undef => return Type::undef(),
        Value::Default => TypeKind::Default,
        Value::Boolean(value) => TypeKind::Boolean(dialect.boolean_has_parameter.then_some(*value)),
        Value::Integer(value) => {
            TypeKind::Integer(IntegerRange::ascending(Some(value.clone()), Some(value.clone())))
        }
        Value::Float(value) => TypeKind::Float(FloatRange { from: *value, to: *value }),
        Value::String(text) => TypeKind::String(StringType::Literal(text.clone())),
        Value::Regexp(regexp) => TypeKind::Regexp(Some(regexp.clone())),
        Value::Type(it) => TypeKind::Type(Some(it.clone())),
        Value::Timespan(it) => TypeKind::Timespan(Some(*it), Some(*it)),
        Value::Timestamp(it) => TypeKind::Timestamp(Some(*it), Some(*it)),
        Value::SemVer(version) if dialect.merges_versions_in_common => {
            TypeKind::SemVer([exactly(version)].into())
        }
        Value::SemVer(_) => TypeKind::SemVer([].into()),
        Value::SemVerRange(_) => TypeKind::SemVerRange,
        Value::Binary(_) => TypeKind::Binary,
        Value::Uri(uri) => TypeKind::Uri(UriType::of(dialect, uri)),
        Value::Object(object) => return infer_object(object),
        Value::Callable(callable) => return callable.signature(),
        Value::Iterator(iterator) => TypeKind::Iterator(Some(iterator.element_type())),
        Value::Unknown(it) => match it.bytes().and_then(|it| it.to_text()) {
            Some(text) => return infer(dialect, &Value::String(text.into())),
            // It may be of any type, so that every type accepts it.
            None => return Type::unit(),
        },
        Value::Array(_) | Value::Hash(_) | Value::Sensitive(_) => TypeKind::Any,
    };
    kind.into()
}

/// Infers the type of an object; if its type has type parameters, with the values of the attributes of those names.
fn infer_object(object: &Object) -> Type {
    let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() else {
        return object.object_type.clone();
    };
    let object_type: &Arc<ObjectType> = object_type;
    let names = object_type.all_type_parameters();
    if names.is_empty() {
        return object.object_type.clone();
    }
    let value = |name: &_| object.attribute(name).cloned().unwrap_or(Value::Undef);
    let parameters = names.keys().map(|name| (name.clone(), value(name)));
    TypeKind::ObjectExtension(object_type.clone(), parameters.collect()).into()
}
