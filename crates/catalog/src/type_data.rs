//! Types as rich data: attribute by attribute, without trailing ones that have their default values.

use marotte_pcore::types::{CallableType, Size, StringType, StructElement, TupleType, Type, TypeKind};
use marotte_pcore::value::Value;
use serde_json::{Map, Value as Json, json};

use crate::rich_data::{TYPE, VALUE, rich_data};

/// Converts a type to rich data. `Object` types, type sets, recursive aliases and names without a type are represented
/// by their text.
pub(crate) fn type_data(it: &Type) -> Json {
    match it.kind() {
        TypeKind::Any => plain("Any"),
        TypeKind::Unit => plain("Unit"),
        TypeKind::Undef => plain("Undef"),
        TypeKind::Default => plain("Default"),
        TypeKind::Scalar => plain("Scalar"),
        TypeKind::ScalarData => plain("ScalarData"),
        TypeKind::Numeric => plain("Numeric"),
        // In the reference, the value of a `Boolean` type and the inner type of `Sensitive` aren't attributes.
        TypeKind::Boolean(_) => plain("Boolean"),
        TypeKind::Sensitive(_) => plain("Sensitive"),
        TypeKind::SemVerRange => plain("SemVerRange"),
        TypeKind::Binary => plain("Binary"),
        TypeKind::CatalogEntry => plain("CatalogEntry"),
        TypeKind::Integer(range) => {
            let end = |it: &Option<_>| it.clone().map(|it| rich_data(&Value::Integer(it)));
            with("Integer", [("from", end(&range.from)), ("to", end(&range.to))])
        }
        TypeKind::Float(range) => {
            let end = |it: f64| it.is_finite().then(|| json!(it));
            with("Float", [("from", end(range.from)), ("to", end(range.to))])
        }
        TypeKind::String(it) => {
            let content = match it {
                StringType::Any | StringType::Among(_) => None,
                StringType::Sized(size) => Some(size_data(*size)),
                StringType::Literal(text) => Some(json!(text.as_str())),
            };
            with("String", [("size_type_or_value", content)])
        }
        TypeKind::Enum(it) => {
            let values: Vec<&str> = it.values().iter().map(|it| it.as_str()).collect();
            let insensitive = it.is_case_insensitive().then(|| json!(true));
            with("Enum", [("values", Some(json!(values))), ("case_insensitive", insensitive)])
        }
        TypeKind::Pattern(it) => {
            let patterns = it.patterns.iter().map(|it| regexp_data(it.source()));
            with("Pattern", [("patterns", Some(patterns.collect()))])
        }
        TypeKind::Regexp(None) => plain("Regexp"),
        TypeKind::Regexp(Some(it)) => regexp_data(it.source()),
        TypeKind::SemVer(ranges) if ranges.is_empty() => plain("SemVer"),
        TypeKind::SemVer(ranges) => {
            let ranges = ranges.iter().map(|it| tagged("SemVerRange", it.to_string()));
            with("SemVer", [("ranges", Some(ranges.collect()))])
        }
        TypeKind::Timespan(from, to) => {
            let end = |it: &Option<_>| it.as_ref().map(|it| rich_data(&Value::Timespan(*it)));
            with("Timespan", [("from", end(from)), ("to", end(to))])
        }
        TypeKind::Timestamp(from, to) => {
            let end = |it: &Option<_>| it.as_ref().map(|it| rich_data(&Value::Timestamp(*it)));
            with("Timestamp", [("from", end(from)), ("to", end(to))])
        }
        TypeKind::Uri(it) => {
            let parts = it.parts.iter().map(|(name, value)| (name.to_string(), rich_data(value)));
            let parts: Map<String, Json> = parts.collect();
            with("URI", [("parameters", (!parts.is_empty()).then(|| Json::Object(parts)))])
        }
        TypeKind::Collection(size) => with("Collection", [("size_type", size.map(size_data))]),
        TypeKind::Array(element, size) => {
            let element = unless_any(element, size.is_none());
            with("Array", [("element_type", element), ("size_type", size.map(size_data))])
        }
        TypeKind::Hash(key, value, size) => {
            let are_any = size.is_none() && is_any(key) && is_any(value);
            let (key, value) = (unless_any(key, are_any), unless_any(value, are_any));
            with("Hash", [("key_type", key), ("value_type", value), ("size_type", size.map(size_data))])
        }
        TypeKind::Tuple(it) => tuple_data(it),
        TypeKind::Struct(elements) => {
            with("Struct", [("elements", Some(elements.iter().map(element_data).collect()))])
        }
        TypeKind::Variant(types) => with("Variant", [("types", Some(types.iter().map(type_data).collect()))]),
        TypeKind::Optional(inner) => about("Optional", inner.as_ref()),
        TypeKind::NotUndef(inner) => about("NotUndef", inner.as_ref()),
        TypeKind::Iterable(inner) => about("Iterable", inner.as_ref()),
        TypeKind::Iterator(inner) => about("Iterator", inner.as_ref()),
        TypeKind::Type(inner) => about("Type", inner.as_ref()),
        TypeKind::Callable(it) => callable_data(it),
        TypeKind::Resource(it) => {
            let text = |it: &Option<marotte_text::Str>| it.as_ref().map(|it| json!(it.as_str()));
            with("Resource", [("type_name", text(&it.type_name)), ("title", text(&it.title))])
        }
        TypeKind::Class(name) => with("Class", [("class_name", name.as_ref().map(|it| json!(it.as_str())))]),
        TypeKind::Init { target, arguments } => {
            let arguments = (!arguments.is_empty()).then(|| arguments.iter().map(rich_data).collect());
            with("Init", [("type", target.as_ref().map(type_data)), ("init_args", arguments)])
        }
        TypeKind::Runtime { runtime, name, pattern: None } => {
            let text = |it: &Option<marotte_text::Str>| it.as_ref().map(|it| json!(it.as_str()));
            with("Runtime", [("runtime", text(runtime)), ("name_or_pattern", text(name))])
        }
        TypeKind::Alias(alias) if !alias.is_recursive() => {
            let resolved = alias.target().map(type_data);
            let name = Some(json!(alias.name().as_str()));
            with("TypeAlias", [("name", name), ("type_expr", None), ("resolved_type", resolved)])
        }
        TypeKind::Runtime { .. }
        | TypeKind::Object(_)
        | TypeKind::ObjectExtension(..)
        | TypeKind::TypeSet(_)
        | TypeKind::Alias(_)
        | TypeKind::Reference(_) => tagged("Type", it.to_string()),
    }
}

fn tagged(name: &str, text: String) -> Json {
    json!({ TYPE: name, VALUE: text })
}

/// A type without attributes.
fn plain(name: &str) -> Json {
    json!({ TYPE: format!("Pcore::{name}Type") })
}

/// A type with attributes, up to the last one that has a value.
fn with<const N: usize>(name: &str, attributes: [(&str, Option<Json>); N]) -> Json {
    let count = attributes.iter().rposition(|(_, value)| value.is_some()).map_or(0, |last| last + 1);
    let mut map = Map::new();
    map.insert(TYPE.to_owned(), Json::String(format!("Pcore::{name}Type")));
    for (name, value) in attributes.into_iter().take(count) {
        map.insert(name.to_owned(), value.unwrap_or(Json::Null));
    }
    Json::Object(map)
}

/// A type whose only attribute is another type.
fn about(name: &str, inner: Option<&Type>) -> Json {
    with(name, [("type", inner.map(type_data))])
}

fn is_any(it: &Type) -> bool {
    matches!(it.kind(), TypeKind::Any)
}

/// Converts the type; `None` for `Any` if that is the default.
fn unless_any(it: &Type, goes_without_saying: bool) -> Option<Json> {
    (!goes_without_saying || !is_any(it)).then(|| type_data(it))
}

fn regexp_data(source: &str) -> Json {
    with("Regexp", [("pattern", Some(json!(source)))])
}

fn size_data(size: Size) -> Json {
    with("Integer", [("from", Some(json!(size.min))), ("to", size.max.map(|it| json!(it)))])
}

fn tuple_data(it: &TupleType) -> Json {
    let types = it.types.iter().map(type_data).collect();
    with("Tuple", [("types", Some(types)), ("size_type", it.size.map(size_data))])
}

/// An element of a `Struct`, whose key is a type as well.
fn element_data(it: &StructElement) -> Json {
    let name = with("String", [("size_type_or_value", Some(json!(it.name.as_str())))]);
    let key = if it.optional { with("Optional", [("type", Some(name))]) } else { name };
    json!({ TYPE: "Pcore::StructElement", "key_type": key, "value_type": type_data(&it.value) })
}

/// Converts a callable type, with all attributes of its signature.
fn callable_data(it: &CallableType) -> Json {
    json!({
        TYPE: "Pcore::CallableType",
        "param_types": it.parameters.as_ref().map(tuple_data),
        "block_type": it.block.as_ref().map(type_data),
        "return_type": it.returns.as_ref().map(type_data),
    })
}
