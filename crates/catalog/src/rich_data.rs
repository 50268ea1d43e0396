//! Values as JSON, as Puppet's serializer writes rich data: what JSON has no form for is an object with the name of its
//! type under `__ptype`.

use std::fmt::Display;

use marotte_pcore::print::writes_own_names;
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Object, Value};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;

use crate::Reference;
use crate::type_data::type_data;
use crate::wire::plain;

/// The key under which an object that stands for a value names its type.
pub const TYPE: &str = "__ptype";
/// The key under which it has the value.
pub const VALUE: &str = "__pvalue";

/// A value that is written as rich data.
#[derive(Clone, Copy, Debug)]
pub struct RichData<'a> {
    value: &'a Value,
    /// Whether resources are texts.
    is_plain: bool,
}

impl<'a> RichData<'a> {
    /// All of a value.
    pub fn new(value: &'a Value) -> RichData<'a> {
        RichData { value, is_plain: false }
    }

    /// A value in which resources are texts: what would be written of [`plain`] of it.
    pub fn plain(value: &'a Value) -> RichData<'a> {
        RichData { value, is_plain: true }
    }
}

/// The value as rich data.
pub fn rich_data(value: &Value) -> Json {
    // All keys are strings, so that nothing can fail.
    serde_json::to_value(RichData::new(value)).unwrap_or_default()
}

impl Serialize for RichData<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RichData { value, is_plain } = *self;
        if is_plain && let Some(reference) = Reference::of_value(value) {
            return reference.serialize(serializer);
        }
        match value {
            Value::Undef => serializer.serialize_unit(),
            Value::Default => serializer.collect_map([(TYPE, "Default")]),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(number) => match number.to_i64() {
                Some(number) => serializer.serialize_i64(number),
                // No number of JSON that others read unharmed.
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
            // The names of the wire format are Puppet's.
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
            // No catalog of the reference has one: whoever applies catalogs must refuse this.
            Value::Unknown(it) => tagged(serializer, "Unknown", it),
            Value::Callable(it) => tagged(serializer, "Callable", &it.signature()),
            Value::Iterator(it) => {
                let elements = (0..).map_while(|index| it.get(index));
                serializer.collect_seq(elements.map(|it| rich_data(&it)))
            }
        }
    }
}

impl RichData<'_> {
    /// A hash with other keys than strings, or with the key that names types, is a list of keys and values.
    fn entries<S: Serializer>(&self, serializer: S, hash: &Hash) -> Result<S::Ok, S::Error> {
        let is_plain = self.is_plain;
        let data = |value| RichData { value, is_plain };
        if is_plain && hash.keys().any(|it| it.as_str().is_none()) {
            // Keys that are texts only now may be keys already.
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

/// An object that stands for a value of a type, whose text is this.
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

/// An object with its attributes; those at the end that have their defaults are left out.
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

    use marotte_pcore::value::Sensitive;

    use super::*;

    fn hash<const N: usize>(entries: [(Value, Value); N]) -> Value {
        Value::Hash(Arc::new(entries.into_iter().collect()))
    }

    #[test]
    fn resources_are_texts_wherever_plain_values_have_them() {
        let file = Reference::new("file", "/a").to_value();
        let list = Value::Array([file.clone(), 1.into()].into_iter().collect());
        let values = [
            file.clone(),
            hash([("key".into(), list.clone())]),
            hash([(file.clone(), list.clone())]),
            // The same key, as soon as resources are texts.
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
