//! Files of facts, in their various formats.

use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::ReadError;
use marotte_db::{DEFAULT_MAX_FILE_SIZE, System};
use marotte_hiera::data::{DataError, Permitted, parse_json, parse_yaml};
use marotte_pcore::value::{Hash, Value};
use marotte_text::{LineIndex, Str};

/// The facts of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// The node's name, if the file contains it.
    pub name: Option<Str>,
    /// The facts.
    pub values: Arc<Hash>,
}

/// The reason why a file cannot be used as facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactsError {
    /// The file cannot be read.
    Unreadable(Utf8PathBuf, ReadError),
    /// The file isn't UTF-8.
    NotUtf8(Utf8PathBuf),
    /// The file isn't valid YAML or JSON, or contains something other than data: the error, its line and its column.
    Data(Utf8PathBuf, DataError, u32, u32),
    /// The document isn't a hash.
    NoHash(Utf8PathBuf),
}

impl fmt::Display for FactsError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FactsError::Unreadable(path, error) => write!(out, "cannot read the facts in {path}: {error}"),
            FactsError::NotUtf8(path) => write!(out, "cannot read the facts in {path}: it is not UTF-8"),
            FactsError::Data(path, error, line, column) => {
                write!(out, "cannot read the facts: {error} (file: {path}, line: {line}, column: {column})")
            }
            FactsError::NoHash(path) => {
                write!(out, "the facts in {path} are not a hash of facts")
            }
        }
    }
}

impl std::error::Error for FactsError {}

/// The YAML class tag of facts that an agent caches.
const CACHED: &str = "Puppet::Node::Facts";

impl Facts {
    /// Reads a file: JSON if its name ends with `json`, else YAML.
    ///
    /// The facts are the whole document, as Facter prints it, or under `values` next to the `name` of the node, as `puppet
    /// facts` and the cache of an agent write it, or next to its `certname`, as PuppetDB exports it and answers about factsets and
    /// the inventory.
    ///
    /// # Errors
    /// If the file cannot be read, or has another format.
    pub fn read(system: &dyn System, path: &Utf8Path) -> Result<Facts, FactsError> {
        let path = system.absolute(path);
        let bytes = match system.read(&path, DEFAULT_MAX_FILE_SIZE) {
            Ok(bytes) => bytes,
            Err(error) => return Err(FactsError::Unreadable(path, error)),
        };
        let Ok(text) = String::from_utf8(bytes) else { return Err(FactsError::NotUtf8(path)) };
        let document = if path.as_str().ends_with("json") {
            parse_json(&text)
        } else {
            parse_yaml(&text, Permitted { symbols: true, classes: &[CACHED] })
        };
        match document {
            Ok(document) => match document.value {
                Value::Hash(hash) => Facts::from_hash(&hash).ok_or(FactsError::NoHash(path)),
                _ => Err(FactsError::NoHash(path)),
            },
            Err(error) => {
                let at = LineIndex::new(&text).position(error.range.start());
                Err(FactsError::Data(path, error, at.line, at.column))
            }
        }
    }

    /// The same facts under another node name, which replaces the one in the file.
    #[must_use]
    pub fn named(self, name: &str) -> Facts {
        Facts { name: Some(name.into()), ..self }
    }

    /// Returns the facts of a document. None if it is about a node, but does not contain its facts.
    fn from_hash(hash: &Arc<Hash>) -> Option<Facts> {
        let is_about = |key: &Value| key.as_str().is_some_and(|it| ENVELOPE.contains(&it));
        let name = hash.get_str("name").or_else(|| hash.get_str("certname"));
        let facts = hash.get_str("values").or_else(|| hash.get_str("facts"));
        match (name, facts) {
            (Some(Value::String(name)), Some(facts @ Value::Hash(_))) if hash.keys().all(is_about) => {
                let values = listed(facts)?;
                let kept = |(key, _): &(&Value, &Value)| key.as_str() != Some("_timestamp");
                let values = values.iter().filter(kept).map(|(key, value)| (key.clone(), value.clone()));
                Some(Facts { name: Some(name.clone()), values: Arc::new(sanitized_hash(&values.collect())) })
            }
            _ => Some(Facts { name: None, values: Arc::new(sanitized_hash(hash)) }),
        }
    }
}

/// The keys next to the facts of a node: of `puppet facts`, of the cache of an agent, and of PuppetDB's exports, factsets and
/// inventory.
const ENVELOPE: [&str; 12] = [
    "name",
    "certname",
    "values",
    "facts",
    "trusted",
    "timestamp",
    "producer_timestamp",
    "producer",
    "expiration",
    "environment",
    "hash",
    "package_inventory",
];

/// The facts under a key of an envelope: a hash, or `{"data": [{"name": …, "value": …}]}`, as PuppetDB lists those of a factset. None
/// if a factset only refers to them: `{"href": …}`.
fn listed(facts: &Value) -> Option<Hash> {
    let Value::Hash(facts) = facts else { return None };
    let Some(Value::Array(data)) = facts.get_str("data") else {
        return facts.get_str("href").is_none().then(|| Hash::clone(facts));
    };
    let fact = |it: &Value| match it {
        Value::Hash(it) => Some((it.get_str("name")?.clone(), it.get_str("value")?.clone())),
        _ => None,
    };
    data.iter().map(fact).collect()
}

/// A fact as an agent sends it: its Ruby object's `to_s` instead of anything but text, numbers, Booleans and collections of them,
/// thus an empty string instead of null.
fn sanitized(value: &Value) -> Value {
    match value {
        Value::Undef => Value::String(Str::default()),
        Value::Array(elements) => Value::Array(elements.iter().map(sanitized).collect()),
        Value::Hash(entries) => Value::Hash(Arc::new(sanitized_hash(entries))),
        _ => value.clone(),
    }
}

fn sanitized_hash(entries: &Hash) -> Hash {
    entries.iter().map(|(key, value)| (sanitized(key), sanitized(value))).collect()
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    fn read(name: &str, text: &str) -> Result<Facts, FactsError> {
        Facts::read(&MemorySystem::with_files([(name, text)]), Utf8Path::new(name))
    }

    #[test]
    fn facts_are_read_in_all_shapes() {
        let plain = read("/f.yaml", "os:\n  family: Debian\n").unwrap();
        assert!(plain.name.is_none() && plain.values.get_str("os").is_some());
        for (name, text) in [
            ("/f.json", r#"{"name": "n.example", "values": {"a": 1, "_timestamp": "x"}, "timestamp": "t"}"#),
            ("/f.yaml", "name: n.example\nvalues:\n  a: 1\n"),
            (
                "/f.json",
                r#"{"certname": "n.example", "environment": "production", "producer": null,
                    "producer_timestamp": "t", "timestamp": "t", "values": {"a": 1}}"#,
            ),
            (
                "/f.json",
                r#"{"certname": "n.example", "hash": "0", "timestamp": "t", "environment": "production",
                    "facts": {"data": [{"name": "a", "value": 1}], "href": "/pdb/query/v4/factsets/n/facts"}}"#,
            ),
            (
                "/f.json",
                r#"{"certname": "n.example", "timestamp": "t", "environment": "production", "facts": {"a": 1},
                    "trusted": {"certname": "n.example"}}"#,
            ),
            ("/f.yaml", "--- !ruby/object:Puppet::Node::Facts\nname: n.example\nvalues:\n  a: 1\n"),
        ] {
            let facts = read(name, text).unwrap();
            assert_eq!(facts.name.as_deref(), Some("n.example"), "{text}");
            assert_eq!(facts.values.len(), 1, "{text}");
        }
    }

    #[test]
    fn null_is_an_empty_string_as_agents_send_it() {
        let facts = read("/f.json", r#"{"a": null, "b": {"c": [null, 1, true]}}"#).unwrap();
        let expected = read("/f.json", r#"{"a": "", "b": {"c": ["", 1, true]}}"#).unwrap();
        assert_eq!(facts, expected);
    }

    #[test]
    fn a_fact_may_be_called_values() {
        let facts = read("/f.yaml", "name: n\nvalues: {}\nkernel: Linux\n").unwrap();
        assert_eq!(facts.values.len(), 3);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        assert_eq!(
            read("/f.yaml", "a: 1\nb: 2001-01-01\n").unwrap_err().to_string(),
            "cannot read the facts: Tried to load unspecified class: Date (file: /f.yaml, line: 2, column: 4)"
        );
        assert_eq!(read("/f.yaml", "- a").unwrap_err(), FactsError::NoHash("/f.yaml".into()));
        let referred =
            r#"{"certname": "n.example", "facts": {"href": "/pdb/query/v4/factsets/n.example/facts"}}"#;
        assert_eq!(read("/f.json", referred).unwrap_err(), FactsError::NoHash("/f.json".into()));
        assert!(matches!(read("/f.json", "{").unwrap_err(), FactsError::Data(..)));
        let missing = Facts::read(&MemorySystem::new(), "/none.yaml".into());
        assert_eq!(missing.unwrap_err(), FactsError::Unreadable("/none.yaml".into(), ReadError::NotFound));
    }
}
