//! Reads catalogs from JSON, as sent to agents and as printed by `puppet catalog compile`.

use std::fmt;
use std::sync::Arc;

use marotte_pcore::binary::{Binary, BinaryFormat};
use marotte_pcore::regexp::Regexp;
use marotte_pcore::semver::SemVer;
use marotte_pcore::value::{Hash, Integer, Sensitive, Value};
use marotte_text::Str;
use serde_json::{Map, Value as Json};

use crate::rich_data::{TYPE, VALUE};
use crate::{Catalog, Edge, Gap, Kind, Line, Named, Reference, Resource, Site, Tags};

/// The nesting depth beyond which a document is rejected.
const DEPTH: usize = 100;

/// The reason why a text isn't a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The text isn't valid JSON: the message of the parser.
    Json(String),
    /// A part is missing or has the wrong type: the name of the part, and the expected type.
    Shape(&'static str, &'static str),
    /// A text that isn't a reference to a resource.
    Reference(Str),
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Json(why) => write!(out, "this is not JSON: {why}"),
            ReadError::Shape(place, wanted) => {
                write!(out, "this is not a catalog: `{place}` must be {wanted}")
            }
            ReadError::Reference(text) => {
                write!(out, "this is not a catalog: `{text}` is not a resource such as `File[/tmp]`")
            }
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads a catalog. Lines before the first brace are skipped: `puppet catalog compile` prints messages there.
///
/// # Errors
/// If the text isn't a catalog.
pub fn from_json(text: &str) -> Result<Catalog, ReadError> {
    let start = text.lines().take_while(|it| !it.starts_with('{')).map(|it| it.len() + 1).sum();
    let text = text.get(start..).unwrap_or_default();
    let json: Json = serde_json::from_str(text).map_err(|error| ReadError::Json(error.to_string()))?;
    let Json::Object(map) = json else { return Err(ReadError::Shape("catalog", "an object")) };
    Ok(Catalog {
        name: text_of(&map, "name")?,
        environment: text_of(&map, "environment")?,
        tags: texts(&map, "tags")?.into_iter().collect(),
        classes: texts(&map, "classes")?,
        resources: list(&map, "resources")?.iter().map(resource).collect::<Result<_, _>>()?,
        exports: Vec::new(),
        export_edges: Vec::new(),
        lacks_imports: false,
        edges: list(&map, "edges")?.iter().map(edge).collect::<Result<_, _>>()?,
        gaps: match map.get("incomplete") {
            None => Vec::new(),
            Some(marking) => list(object(marking)?, "causes")?.iter().map(gap).collect::<Result<_, _>>()?,
        },
        contents: None,
    })
}

/// Reads a reason why a catalog is incomplete.
fn gap(json: &Json) -> Result<Gap, ReadError> {
    let map = object(json)?;
    let sites = |key: &'static str| -> Result<Vec<Site>, ReadError> {
        let site = |it: &Json| {
            let map = object(it)?;
            let count = map.get("count").and_then(Json::as_u64).and_then(|it| usize::try_from(it).ok());
            Ok(Site { line: line(map), count: count.unwrap_or(1) })
        };
        list(map, key)?.iter().map(site).collect()
    };
    Ok(Gap {
        cause: text_of(map, "cause")?,
        reason: map.get("reason").and_then(Json::as_str).map(Str::from),
        asked: sites("asked")?,
        skipped: sites("skipped")?,
    })
}

/// Reads the file and line of an object.
fn line(map: &Map<String, Json>) -> Option<Line> {
    let line = map.get("line").and_then(Json::as_u64).and_then(|it| u32::try_from(it).ok());
    let file = map.get("file").and_then(Json::as_str);
    file.zip(line).map(|(file, line)| Line { file: file.into(), line })
}

fn text_of(map: &Map<String, Json>, key: &'static str) -> Result<Str, ReadError> {
    map.get(key).and_then(Json::as_str).map(Str::from).ok_or(ReadError::Shape(key, "a string"))
}

fn list<'a>(map: &'a Map<String, Json>, key: &'static str) -> Result<&'a [Json], ReadError> {
    match map.get(key) {
        None => Ok(&[]),
        Some(Json::Array(list)) => Ok(list),
        Some(_) => Err(ReadError::Shape(key, "an array")),
    }
}

fn texts(map: &Map<String, Json>, key: &'static str) -> Result<Vec<Str>, ReadError> {
    let text = |it: &Json| it.as_str().map(Str::from).ok_or(ReadError::Shape(key, "an array of strings"));
    list(map, key)?.iter().map(text).collect()
}

fn object(json: &Json) -> Result<&Map<String, Json>, ReadError> {
    json.as_object().ok_or(ReadError::Shape("resources", "an array of objects"))
}

fn edge(json: &Json) -> Result<Edge, ReadError> {
    let map = object(json)?;
    let end = |key| {
        let text = text_of(map, key)?;
        Reference::read(&text).ok_or(ReadError::Reference(text))
    };
    Ok(Edge { source: end("source")?, target: end("target")? })
}

fn resource(json: &Json) -> Result<Resource, ReadError> {
    let map = object(json)?;
    let sensitive = texts(map, "sensitive_parameters")?;
    let mut parameters = Named::default();
    if let Some(given) = map.get("parameters") {
        let given = given.as_object().ok_or(ReadError::Shape("parameters", "an object"))?;
        for (name, json) in given {
            let value = value(json, 0).ok_or(ReadError::Shape("parameters", "less deeply nested"))?;
            let value = match sensitive.iter().any(|it| it.to_lowercase() == *name) {
                true => Value::Sensitive(Sensitive::new(value)),
                false => value,
            };
            parameters.insert(name.as_str().into(), value);
        }
    }
    Ok(Resource {
        reference: Reference { type_name: text_of(map, "type")?, title: text_of(map, "title")? },
        kind: map.get("kind").and_then(Json::as_str).and_then(Kind::by_name).unwrap_or(Kind::Unknown),
        tags: texts(map, "tags")?.into_iter().collect::<Tags>(),
        place: line(map),
        exported: map.get("exported").and_then(Json::as_bool).unwrap_or(false),
        parameters,
        spellings: sensitive.into_iter().filter(|it| it.to_lowercase() != **it).collect(),
    })
}

/// Reads a value of rich data. An object of a type that can't be created here stays a hash. `None` if the value is
/// nested too deeply.
pub fn value(json: &Json, depth: usize) -> Option<Value> {
    if depth > DEPTH {
        return None;
    }
    Some(match json {
        Json::Null => Value::Undef,
        Json::Bool(it) => Value::Boolean(*it),
        Json::Number(it) if it.is_f64() => Value::Float(it.as_f64().unwrap_or_default()),
        Json::Number(it) => Value::Integer(Integer::from_digits(&it.to_string(), 10)?),
        Json::String(it) => Value::from(it.as_str()),
        Json::Array(it) => {
            Value::Array(it.iter().map(|it| value(it, depth + 1)).collect::<Option<Vec<_>>>()?.into())
        }
        Json::Object(map) => match map.get(TYPE).and_then(Json::as_str) {
            Some(name) => match tagged(name, map, depth)? {
                Some(value) => value,
                None => hash(map, depth)?,
            },
            None => hash(map, depth)?,
        },
    })
}

fn hash(map: &Map<String, Json>, depth: usize) -> Option<Value> {
    let entries = map.iter().map(|(key, it)| Some((Value::from(key.as_str()), value(it, depth + 1)?)));
    Some(Value::Hash(Arc::new(entries.collect::<Option<Hash>>()?)))
}

fn tagged(name: &str, map: &Map<String, Json>, depth: usize) -> Option<Option<Value>> {
    let content = map.get(VALUE);
    let text = content.and_then(Json::as_str);
    Some(match name {
        "Default" => Some(Value::Default),
        "Sensitive" => {
            let inner = value(content.unwrap_or(&Json::Null), depth + 1)?;
            Some(Value::Sensitive(Sensitive::new(inner)))
        }
        "Integer" => text.and_then(|it| Integer::from_digits(it, 10)).map(Value::Integer),
        "Float" => match text {
            Some("NaN") => Some(Value::Float(f64::NAN)),
            Some("Infinity") => Some(Value::Float(f64::INFINITY)),
            Some("-Infinity") => Some(Value::Float(f64::NEG_INFINITY)),
            _ => None,
        },
        "Regexp" => text.and_then(|it| Regexp::new(it).ok()).map(Value::Regexp),
        "Binary" => text.and_then(|it| Binary::decode(it, BinaryFormat::Relaxed).ok()).map(Value::Binary),
        "SemVer" => text.and_then(|it| SemVer::parse(it).ok()).map(|it| Value::SemVer(Arc::new(it))),
        "Hash" => match content {
            Some(Json::Array(flat)) => {
                let mut hash = Hash::default();
                for pair in flat.chunks(2) {
                    if let [key, it] = pair {
                        hash.insert(value(key, depth + 1)?, value(it, depth + 1)?);
                    }
                }
                Some(Value::Hash(Arc::new(hash)))
            }
            _ => None,
        },
        _ => None,
    })
}
