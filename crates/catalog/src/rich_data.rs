//! Values as JSON, in the rich data format of Puppet's serializer: a value that JSON can't represent is an object with
//! the name of its type under `__ptype`.

use std::fmt::Display;

use marotte_pcore::print::writes_own_names;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Object, Value};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;

use crate::Reference;
use crate::type_data::type_data;
use crate::wire::plain;

/// The key that holds the type name in an object that represents a value.
pub const TYPE: &str = "__ptype";
/// The key that holds the value in such an object.
pub const VALUE: &str = "__pvalue";

/// A value to be serialized as rich data.
#[derive(Clone, Copy, Debug)]
pub struct RichData<'a> {
    value: &'a Value,
    /// Whether references to resources are written as texts.
    is_plain: bool,
}

impl<'a> RichData<'a> {
    /// Wraps a value to be written as rich data.
    pub fn new(value: &'a Value) -> RichData<'a> {
        RichData { value, is_plain: false }
    }

    /// Wraps a value to be written with references to resources as texts: the output equals that of its [`plain`] form.
    pub fn plain(value: &'a Value) -> RichData<'a> {
        RichData { value, is_plain: true }
    }
}

/// Converts a value to rich data.
pub fn rich_data(value: &Value) -> Json {
    // All keys are strings, so this can't fail.
    serde_json::to_value(RichData::new(value)).unwrap_or_default()
}

impl Serialize for RichData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RichData { value, is_plain } = *self;
        if (is_plain || is_resource_object(value))
            && let Some(reference) = Reference::of_value(value)
        {
            return reference.serialize(serializer);
        }
        match value {
            Value::Undef => serializer.serialize_unit(),
            Value::Default => serializer.collect_map([(TYPE, "Default")]),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(number) => match number.to_i64() {
                Some(number) => serializer.serialize_i64(number),
                // Other readers would lose precision if it were a JSON number.
                None => tagged(serializer, "Integer", number),
            },
            Value::Float(number) if number.is_finite() => serializer.serialize_f64(*number),
            Value::Float(number) => tagged(serializer, "Float", &marotte_pcore::print::float_text(*number)),
            Value::String(text) => serializer.serialize_str(text),
            Value::Regexp(regexp) => tagged(serializer, "Regexp", regexp.source()),
            Value::Array(elements) => {
                serializer.collect_seq(elements.iter().map(|value| RichData { value, is_plain }))
            }
            Value::Hash(hash) => self.entries(serializer, hash),
            // The wire format uses Puppet's names.
            Value::Type(it) if writes_own_names() => tagged(serializer, "Type", it),
            Value::Type(it) => type_data(it).serialize(serializer),
            Value::Sensitive(it) => pair(serializer, "Sensitive", &RichData::new(it.unwrap())),
            Value::Timespan(it) => tagged(serializer, "Timespan", it),
            Value::Timestamp(it) => tagged(serializer, "Timestamp", it),
            Value::SemVer(it) => tagged(serializer, "SemVer", it),
            Value::SemVerRange(it) => tagged(serializer, "SemVerRange", it),
            Value::Binary(it) => tagged(serializer, "Binary", it),
            Value::Uri(it) => tagged(serializer, "URI", it),
            Value::Object(object) => attributes(serializer, object),
            // Catalogs of the reference never contain one: whatever applies catalogs must reject it.
            Value::Unknown(it) => match it.bytes() {
                Some(bytes) => tagged(serializer, "Binary", bytes),
                None => tagged(serializer, "Unknown", it),
            },
            Value::Callable(it) => tagged(serializer, "Callable", &it.signature()),
            Value::Iterator(it) => {
                let elements = (0..).map_while(|index| it.get(index));
                serializer.collect_seq(elements.map(|it| rich_data(&it)))
            }
        }
    }
}

/// Whether a value is a resource itself rather than a reference: it is always written as text.
fn is_resource_object(value: &Value) -> bool {
    match value {
        Value::Type(it) => matches!(it.kind(), TypeKind::Resource(it) if it.is_object),
        _ => false,
    }
}

impl RichData<'_> {
    /// Serializes a hash. If it has keys other than strings, or the key for type names, it becomes a list of keys and values.
    fn entries<S: Serializer>(&self, serializer: S, hash: &Hash) -> Result<S::Ok, S::Error> {
        let is_plain = self.is_plain;
        let data = |value| RichData { value, is_plain };
        if is_plain && hash.keys().any(|it| it.as_str().is_none()) {
            // Keys that become texts here may collide with existing keys.
            return RichData::new(&plain(self.value)).serialize(serializer);
        }
        if hash.keys().all(|key| key.as_str().is_some_and(|it| it != TYPE)) {
            let entries = hash.iter().map(|(key, value)| (key.as_str().unwrap_or_default(), data(value)));
            return serializer.collect_map(entries);
        }
        let flat = hash.iter().flat_map(|(key, value)| [data(key), data(value)]);
        pair(serializer, "Hash", &flat.collect::<Vec<_>>())
    }
}

/// Serializes an object that represents a value of a type by a text.
fn tagged<S: Serializer>(
    serializer: S,
    name: &str,
    text: &(impl Display + ?Sized),
) -> Result<S::Ok, S::Error> {
    pair(serializer, name, &text.to_string())
}

fn pair<S: Serializer>(serializer: S, name: &str, value: &impl Serialize) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(TYPE, name)?;
    map.serialize_entry(VALUE, value)?;
    map.end()
}

/// Serializes an object with its attributes, without trailing ones that have their default values.
fn attributes<S: Serializer>(serializer: S, object: &Object) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(TYPE, &object.object_type.to_string())?;
    if let TypeKind::Object(Some(object_type)) = object.object_type.resolved().kind() {
        let mut stored: Vec<_> = object_type.stored_attributes().zip(&object.attributes).collect();
        while stored.last().is_some_and(|(attribute, value)| attribute.default.as_ref() == Some(*value)) {
            stored.pop();
        }
        for (attribute, value) in stored {
            map.serialize_entry(&attribute.name, &RichData::new(value))?;
        }
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marotte_pcore::value::{Integer, Sensitive};

    use super::*;
    use crate::read;

    fn hash<const N: usize>(entries: [(Value, Value); N]) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    /// Recorded answers are read again: numbers that JSON does not have are written as texts.
    #[test]
    fn numbers_are_read_as_they_were_written() {
        let large = |text| Value::Integer(Integer::from_digits(text, 10).unwrap());
        for number in [
            large("9223372036854775807"),
            large("9223372036854775808"),
            large("-9223372036854775809"),
            large("123456789012345678901234567890"),
            Value::Float(0.5),
            Value::Float(f64::INFINITY),
            Value::Float(f64::NEG_INFINITY),
        ] {
            assert_eq!(read::value(&rich_data(&number), 0), Some(number.clone()), "{number:?}");
        }
        assert!(
            matches!(read::value(&rich_data(&Value::Float(f64::NAN)), 0), Some(Value::Float(it)) if it.is_nan())
        );
        let unsigned = serde_json::from_str("18446744073709551615").unwrap();
        assert_eq!(read::value(&unsigned, 0), Some(large("18446744073709551615")));
    }

    #[test]
    fn resources_are_texts_wherever_plain_values_have_them() {
        let file = Reference::new("file", "/a").to_value();
        let list = Value::Array([file.clone(), 1.into()].into_iter().collect());
        let values = [
            file.clone(),
            hash([("key".into(), list.clone())]),
            hash([(file.clone(), list.clone())]),
            // These keys become equal once references are texts.
            hash([(file.clone(), 1.into()), ("File[/a]".into(), 2.into())]),
            hash([(list.clone(), file.clone()), (1.into(), list.clone())]),
            hash([(TYPE.into(), file.clone())]),
            Value::Sensitive(Sensitive::new(file)),
        ];
        for value in values {
            let written = serde_json::to_value(RichData::plain(&value)).unwrap();
            assert_eq!(written, rich_data(&plain(&value)), "{value:?}");
        }
    }
}
