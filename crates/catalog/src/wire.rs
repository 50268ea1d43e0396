//! Catalogs as JSON, in the format that Puppet sends to agents (F.11).

use marotte_pcore::value::Value;
use marotte_text::Str;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value as Json;

use crate::gap::Marking;
use crate::rich_data::{RichData, TYPE};
use crate::{Catalog, Edge, Named, Reference, Resource, Tags};

/// The metadata of a catalog in the wire format.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// The version of the code from which the catalog was compiled.
    pub version: Json,
    /// The unique ID of the catalog.
    pub uuid: Str,
}

/// The relationship parameters, which refer to other resources: their arrays are flattened.
pub const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// A catalog in the wire format: one object.
#[derive(Clone, Copy, Debug)]
pub struct Wire<'a> {
    /// The resources, edges, classes and tags.
    pub catalog: &'a Catalog,
    /// The metadata of the catalog.
    pub envelope: &'a Envelope,
}

impl Serialize for Wire<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Wire { catalog, envelope } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("tags", &catalog.tags)?;
        map.serialize_entry("name", &catalog.name)?;
        map.serialize_entry("version", &envelope.version)?;
        map.serialize_entry("code_id", &())?;
        map.serialize_entry("catalog_uuid", &envelope.uuid)?;
        map.serialize_entry("catalog_format", &2)?;
        map.serialize_entry("environment", &catalog.environment)?;
        map.serialize_entry("resources", &catalog.resources)?;
        map.serialize_entry("edges", &catalog.edges)?;
        map.serialize_entry("classes", &catalog.classes)?;
        if !catalog.completeness().is_complete() {
            map.serialize_entry("incomplete", &Marking(catalog))?;
        }
        map.end()
    }
}

impl Serialize for Tags {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl Serialize for Edge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("source", &self.source), ("target", &self.target)])
    }
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Catalogs have several of them for each resource.
        serializer.serialize_str(&[&self.type_name, "[", &self.title, "]"].concat())
    }
}

impl Serialize for Resource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", &self.reference.type_name)?;
        map.serialize_entry("title", &self.reference.title)?;
        map.serialize_entry("tags", &self.tags)?;
        if let Some(place) = &self.place {
            map.serialize_entry("file", &place.file)?;
            map.serialize_entry("line", &place.line)?;
        }
        map.serialize_entry("exported", &self.exported)?;
        map.serialize_entry("kind", self.kind.name())?;
        if !self.parameters.is_empty() {
            map.serialize_entry("parameters", &Parameters(&self.parameters))?;
        }
        let sensitive = self.parameters.iter().filter(|(_, value)| is_sensitive(value));
        let spelled = |it: &&Str, name: &Str| it.to_lowercase() == **name;
        let sensitive: Vec<&Str> = sensitive
            .map(|(name, _)| self.spellings.iter().find(|it| spelled(it, name)).unwrap_or(name))
            .collect();
        if !sensitive.is_empty() {
            map.serialize_entry("sensitive_parameters", &sensitive)?;
        }
        map.end()
    }
}

/// Whether a value is certainly `Sensitive`, even if it is not known.
fn is_sensitive(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Unknown(it) => it.is_sensitive(),
        _ => false,
    }
}

/// Parameters; `Sensitive` values are written in plain text. References to resources become texts, but not in `Sensitive`
/// values, where the reference does not look for them.
struct Parameters<'a>(&'a Named<Value>);

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = self.0.iter().filter(|(name, _)| *name != TYPE);
        serializer.collect_map(known.map(|(name, value)| {
            let data = match value {
                Value::Sensitive(it) => RichData::new(it.unwrap()),
                value => RichData::plain(value),
            };
            (name, data)
        }))
    }
}

/// Replaces references to resources in a value by texts, as in the wire format.
pub fn plain(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::Array(elements.iter().map(plain).collect()),
        Value::Hash(hash) => {
            let entries = hash.iter().map(|(key, value)| (plain(key), plain(value)));
            Value::Hash(std::sync::Arc::new(entries.collect()))
        }
        value => match Reference::of_value(value) {
            Some(reference) => Value::String(reference.to_string().into()),
            None => value.clone(),
        },
    }
}
