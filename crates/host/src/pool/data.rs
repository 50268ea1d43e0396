//! Values in messages: rich data, in which numbers represent the values that only marotte knows.

use std::sync::Arc;

use marotte_catalog::read;
use marotte_catalog::rich_data::{TYPE, VALUE, rich_data};
use marotte_eval::NoAnswer;
use marotte_pcore::value::{Hash, Sensitive, Value};
use marotte_ruby_eval::{Host, HostError};
use serde_json::{Map, Value as Json, json};

/// The key of the number that represents a value that only marotte knows.
const NUMBER: &str = "__number";

/// The depth beyond which results are refused.
const DEPTH: usize = 100;

/// The values of a computation that only marotte knows: objects, lambdas, types. Messages refer to them by their indexes.
#[derive(Debug, Default)]
pub(super) struct Values(Vec<Value>);

impl Values {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes a value.
    ///
    /// # Errors
    /// If the value is unknown.
    pub(super) fn write(&mut self, value: &Value) -> Result<Json, HostError> {
        if let Some(by) = value.unknown() {
            return Err(HostError::Unknown(by));
        }
        Ok(self.written(value))
    }

    fn written(&mut self, value: &Value) -> Json {
        match value {
            Value::Array(elements) => elements.iter().map(|it| self.written(it)).collect(),
            Value::Hash(entries) => self.written_hash(entries),
            Value::Sensitive(it) => json!({ TYPE: "Sensitive", VALUE: self.written(it.unwrap()) }),
            Value::Object(_) | Value::Callable(_) | Value::Iterator(_) => self.numbered(value, Map::new()),
            Value::Type(it) => {
                let tagged = [(TYPE, Json::from("Type")), (VALUE, Json::from(it.to_string()))];
                self.numbered(value, tagged.into_iter().map(|(key, it)| (key.to_owned(), it)).collect())
            }
            Value::Timespan(_)
            | Value::Timestamp(_)
            | Value::SemVer(_)
            | Value::SemVerRange(_)
            | Value::Binary(_)
            | Value::Uri(_) => match rich_data(value) {
                Json::Object(tagged) => self.numbered(value, tagged),
                other => other,
            },
            _ => rich_data(value),
        }
    }

    fn written_hash(&mut self, entries: &Hash) -> Json {
        let is_plain = entries.keys().all(|it| it.as_str().is_some_and(|it| it != TYPE));
        if is_plain {
            let entries = entries
                .iter()
                .map(|(key, it)| (key.as_str().unwrap_or_default().to_owned(), self.written(it)));
            return Json::Object(entries.collect());
        }
        let flat: Vec<Json> =
            entries.iter().flat_map(|(key, it)| [key, it]).map(|it| self.written(it)).collect();
        json!({ TYPE: "Hash", VALUE: flat })
    }

    fn numbered(&mut self, value: &Value, mut tagged: Map<String, Json>) -> Json {
        if !tagged.contains_key(TYPE) {
            tagged.insert(TYPE.to_owned(), "Remote".into());
        }
        tagged.insert(NUMBER.to_owned(), self.0.len().into());
        self.0.push(value.clone());
        Json::Object(tagged)
    }

    /// Reads a value.
    ///
    /// # Errors
    /// If it isn't a value of Puppet.
    pub(super) fn read(&self, json: &Json, host: &mut dyn Host) -> Result<Value, NoAnswer> {
        self.read_at(json, host, 0)
    }

    fn read_at(&self, json: &Json, host: &mut dyn Host, depth: usize) -> Result<Value, NoAnswer> {
        let refused = || NoAnswer::Unsupported("such a value".to_owned());
        if depth > DEPTH {
            return Err(NoAnswer::Unsupported("values nested as deeply".to_owned()));
        }
        let mut nested = |it: &Json| self.read_at(it, host, depth + 1);
        Ok(match json {
            Json::Array(elements) => {
                Value::Array(elements.iter().map(nested).collect::<Result<Vec<_>, _>>()?.into())
            }
            Json::Object(map) => match map.get(TYPE).and_then(Json::as_str) {
                None => {
                    let entries = map.iter().map(|(key, it)| Ok((Value::from(key.as_str()), nested(it)?)));
                    Value::Hash(Arc::new(entries.collect::<Result<Hash, NoAnswer>>()?))
                }
                Some("Sensitive") => {
                    Value::Sensitive(Sensitive::new(nested(map.get(VALUE).unwrap_or(&Json::Null))?))
                }
                Some("Hash") => {
                    let flat = map.get(VALUE).and_then(Json::as_array).ok_or_else(refused)?;
                    let mut hash = Hash::default();
                    for pair in flat.chunks_exact(2) {
                        hash.insert(nested(&pair[0])?, nested(&pair[1])?);
                    }
                    Value::Hash(Arc::new(hash))
                }
                Some("Float") => match map.get(VALUE).and_then(Json::as_str) {
                    Some("NaN") => Value::Float(f64::NAN),
                    Some("Infinity") => Value::Float(f64::INFINITY),
                    Some("-Infinity") => Value::Float(f64::NEG_INFINITY),
                    _ => return Err(refused()),
                },
                Some(name) => {
                    let number = map.get(NUMBER).and_then(Json::as_u64);
                    if let Some(number) = number {
                        let known = usize::try_from(number).ok().and_then(|it| self.0.get(it));
                        return known.cloned().ok_or_else(refused);
                    }
                    match (name, map.get(VALUE).and_then(Json::as_str)) {
                        ("Type", Some(text)) => host.parse_type(text).map_err(NoAnswer::Host)?,
                        ("Default" | "Regexp" | "Binary" | "SemVer", _) => {
                            let value = read::value(json, depth).ok_or_else(refused)?;
                            match value {
                                // If no value can be created from the hash, the result is the hash itself.
                                Value::Hash(_) => return Err(refused()),
                                value => value,
                            }
                        }
                        _ => return Err(NoAnswer::Unsupported(format!("a {name} as a value of Puppet"))),
                    }
                }
            },
            other => read::value(other, depth).ok_or_else(refused)?,
        })
    }
}
