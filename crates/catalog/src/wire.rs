//! Catalogs as JSON, as Puppet sends them to agents (F.11).

use indexmap::IndexMap;
use marotte_pcore::value::Value;
use marotte_text::Str;
use serde_json::{Map, Value as Json};

use crate::rich_data::{TYPE, rich_data};
use crate::{Catalog, Edge, Reference, Resource, Tags};

/// What a catalog on the wire says about itself beside what is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Envelope {
    /// Which version of the code it comes from.
    pub version: Json,
    /// Its own number.
    pub uuid: Str,
}

/// The parameters that name other resources: lists in them have no lists within.
pub const RELATIONSHIPS: [&str; 4] = ["before", "notify", "require", "subscribe"];

/// The catalog as one object.
pub fn to_json(catalog: &Catalog, envelope: &Envelope) -> Json {
    // Not by the macro, which would copy all resources.
    object([
        ("tags", tags(&catalog.tags)),
        ("name", catalog.name.as_str().into()),
        ("version", envelope.version.clone()),
        ("code_id", Json::Null),
        ("catalog_uuid", envelope.uuid.as_str().into()),
        ("catalog_format", 2.into()),
        ("environment", catalog.environment.as_str().into()),
        ("resources", catalog.resources.iter().map(resource).collect()),
        ("edges", catalog.edges.iter().map(edge).collect()),
        ("classes", catalog.classes.iter().map(|it| it.as_str()).collect()),
    ])
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Json {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn edge(it: &Edge) -> Json {
    object([("source", it.source.to_string().into()), ("target", it.target.to_string().into())])
}

fn tags(tags: &Tags) -> Json {
    tags.iter().map(|it| it.as_str()).collect()
}

fn resource(it: &Resource) -> Json {
    let mut map = Map::new();
    map.insert("type".to_owned(), it.reference.type_name.as_str().into());
    map.insert("title".to_owned(), it.reference.title.as_str().into());
    map.insert("tags".to_owned(), tags(&it.tags));
    if let Some(place) = &it.place {
        map.insert("file".to_owned(), place.file.as_str().into());
        map.insert("line".to_owned(), place.line.into());
    }
    map.insert("exported".to_owned(), it.exported.into());
    map.insert("kind".to_owned(), it.kind.name().into());
    if !it.parameters.is_empty() {
        map.insert("parameters".to_owned(), parameters(&it.parameters));
    }
    let sensitive = it.parameters.iter().filter(|(_, value)| matches!(value, Value::Sensitive(_)));
    let sensitive: Vec<Json> = sensitive.map(|(name, _)| name.as_str().into()).collect();
    if !sensitive.is_empty() {
        map.insert("sensitive_parameters".to_owned(), sensitive.into());
    }
    Json::Object(map)
}

/// Parameters, of which those that are `Sensitive` are in clear.
fn parameters(parameters: &IndexMap<Str, Value>) -> Json {
    let known = parameters.iter().filter(|(name, _)| *name != TYPE);
    let entry = |(name, value): (&Str, &Value)| {
        let clear = match value {
            Value::Sensitive(it) => it.unwrap(),
            value => value,
        };
        (name.to_string(), value_json(clear))
    };
    known.map(entry).collect()
}

/// A value in which resources are texts, as the wire has them.
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

/// The text of a value as JSON.
pub fn value_json(value: &Value) -> Json {
    rich_data(&plain(value))
}
