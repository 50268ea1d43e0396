//! Values as JSON, as Puppet's serializer writes rich data: what JSON has no form for is an object with the name of its
//! type under `__ptype`.

use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Object, Value};
use serde_json::{Map, Value as Json, json};

/// The key under which an object that stands for a value names its type.
pub const TYPE: &str = "__ptype";
/// The key under which it has the value.
pub const VALUE: &str = "__pvalue";

/// The value as rich data.
pub fn rich_data(value: &Value) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Default => json!({ TYPE: "Default" }),
        Value::Boolean(value) => Json::Bool(*value),
        Value::Integer(number) => match number.to_i64() {
            Some(number) => json!(number),
            // No number of JSON that others read unharmed.
            None => tagged("Integer", number.to_string()),
        },
        Value::Float(number) if number.is_finite() => json!(number),
        Value::Float(number) => tagged("Float", marotte_pcore::print::float_text(*number)),
        Value::String(text) => Json::String(text.to_string()),
        Value::Regexp(regexp) => tagged("Regexp", regexp.source()),
        Value::Array(elements) => Json::Array(elements.iter().map(rich_data).collect()),
        Value::Hash(hash) => rich_entries(hash),
        Value::Type(it) => crate::type_data::type_data(it),
        Value::Sensitive(sensitive) => json!({ TYPE: "Sensitive", VALUE: rich_data(sensitive.unwrap()) }),
        Value::Timespan(it) => tagged("Timespan", it.to_string()),
        Value::Timestamp(it) => tagged("Timestamp", it.to_string()),
        Value::SemVer(it) => tagged("SemVer", it.to_string()),
        Value::SemVerRange(it) => tagged("SemVerRange", it.to_string()),
        Value::Binary(it) => tagged("Binary", it.to_string()),
        Value::Uri(it) => tagged("URI", it.to_string()),
        Value::Object(object) => attributes(object),
        // No catalog of the reference has one: whoever applies catalogs must refuse this.
        Value::Unknown(it) => tagged("Unknown", it.to_string()),
        Value::Callable(it) => tagged("Callable", it.signature().to_string()),
        Value::Iterator(it) => {
            let elements = (0..).map_while(|index| it.get(index)).map(|it| rich_data(&it));
            Json::Array(elements.collect())
        }
    }
}

fn tagged(name: &str, text: impl Into<String>) -> Json {
    json!({ TYPE: name, VALUE: text.into() })
}

/// A hash with other keys than strings, or with the key that names types, is a list of keys and values.
fn rich_entries(hash: &Hash) -> Json {
    let plain = hash.keys().all(|key| key.as_str().is_some_and(|it| it != TYPE));
    if plain {
        let entry =
            |(key, value): (&Value, &Value)| (key.as_str().unwrap_or_default().to_owned(), rich_data(value));
        return Json::Object(hash.iter().map(entry).collect());
    }
    let flat = hash.iter().flat_map(|(key, value)| [rich_data(key), rich_data(value)]);
    json!({ TYPE: "Hash", VALUE: flat.collect::<Vec<_>>() })
}

/// An object with its attributes; those at the end that have their defaults are left out.
fn attributes(object: &Object) -> Json {
    let mut map = Map::new();
    map.insert(TYPE.to_owned(), Json::String(object.object_type.to_string()));
    if let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() {
        let mut stored: Vec<_> = object_type.stored_attributes().zip(&object.attributes).collect();
        while stored.last().is_some_and(|(attribute, value)| attribute.default.as_ref() == Some(*value)) {
            stored.pop();
        }
        for (attribute, value) in stored {
            map.insert(attribute.name.to_string(), rich_data(value));
        }
    }
    Json::Object(map)
}
