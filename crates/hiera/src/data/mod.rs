//! Data documents: YAML, JSON and HOCON, read as the reference reads them (G6).
//!
//! A [`Document`] consists of a value and, in a parallel structure, the [`Places`] of its parts.

mod error;
mod hocon;
mod json;
mod places;
mod scalar;
mod tag;
mod write;
mod yaml;

pub use error::{DataError, DataErrorKind};
pub use hocon::parse_hocon;
pub use json::parse_json;
pub use places::{Inner, Places};
pub use write::write_yaml;
pub use yaml::{Permitted, parse_yaml};

use std::sync::Arc;

use marotte_pcore::dialect::Dialect;
use marotte_pcore::format::interpolated;
use marotte_pcore::infer::infer_set;
use marotte_pcore::value::Value;
use marotte_text::{Str, TextRange};

use crate::key::may_have;
use crate::{ConfigPart, DocumentFault, Format, section_prefix};

/// Reads a document of a format.
///
/// # Errors
/// If it isn't valid in the format, or contains something other than data.
pub fn parse(format: Format, text: &str) -> Result<Document, DataError> {
    match format {
        Format::Yaml => parse_yaml(text, Permitted::DATA),
        Format::Json => parse_json(text),
        Format::Hocon => parse_hocon(text),
    }
}

/// The maximum nesting depth of data. Layers above walk values recursively.
pub const DEPTH_LIMIT: usize = 128;

/// The maximum number of digits of an integer: reading and printing take time quadratic in it.
pub const DIGIT_LIMIT: usize = 20_000;

/// Rejects the text of an integer with too many digits.
fn check_digits(text: &str) -> Result<(), DataErrorKind> {
    if text.len() > DIGIT_LIMIT { Err(DataErrorKind::Digits) } else { Ok(()) }
}

/// The maximum number of values that aliases and substitutions may expand to, in total.
const ALIASED_LIMIT: usize = 1_000_000;

/// The content of a data file, with positions.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value; `undef` for an empty document.
    pub value: Value,
    /// The places of its parts.
    pub places: Places,
    /// The keys that occur more than once in their hash: the last value of a key applies.
    pub repeated: Box<[Repeated]>,
}

/// A repeated key of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The range of the repetition.
    pub again: TextRange,
    /// The range of the occurrence before it.
    pub before: TextRange,
}

/// A step from a value into one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The value of a key.
    Key(Str),
    /// The element at an index of an array.
    Index(usize),
}

impl Step {
    /// Returns the part of a value that the step leads to, with its places. `None` if the value has no such part.
    pub fn lead<'v>(&self, value: &'v Value, places: &'v Places) -> Option<(&'v Value, &'v Places)> {
        match (self, value, &places.inner) {
            (Step::Key(key), ..) => {
                let entry = places.entries(value)?.find(|(it, ..)| it.as_str() == Some(key));
                entry.map(|(_, _, value, places)| (value, places))
            }
            (Step::Index(index), Value::Array(elements), Inner::Elements(inner)) => {
                elements.get(*index).zip(inner.get(*index))
            }
            _ => None,
        }
    }
}

impl Document {
    /// Returns the range of a part of a configuration, or of the innermost enclosing part that exists.
    pub fn range_of(&self, part: &ConfigPart) -> TextRange {
        let (value, places) = self.part_at(&part.steps);
        let at = part.key.as_ref().and_then(|key| places.key(value, key));
        at.unwrap_or(places.range)
    }

    /// Returns the range of a part of the document. Stops at the first step that leads nowhere.
    pub fn range_at<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> TextRange {
        self.part_at(steps).1.range
    }

    fn part_at<'s>(&self, steps: impl IntoIterator<Item = &'s Step>) -> (&Value, &Places) {
        let (mut value, mut places) = (&self.value, &self.places);
        for step in steps {
            let Some(found) = step.lead(value, places) else { break };
            (value, places) = found;
        }
        (value, places)
    }

    /// Returns the entries of the top-level hash, with the places of key and value. `None` if the document isn't a hash.
    pub fn entries(&self) -> Option<impl Iterator<Item = (&Value, TextRange, &Value, &Places)>> {
        self.places.entries(&self.value)
    }

    /// Returns the entries whose keys have a [prefix](crate::section_prefix).
    ///
    /// # Errors
    /// If the document isn't a hash.
    pub fn section(&self, prefix: &str) -> crate::Section {
        let Some(entries) = self.entries() else {
            let says_nothing = matches!(self.value, Value::Undef | Value::Boolean(false));
            let actual = (!says_nothing).then(|| infer_set(Dialect::puppet8(), &self.value));
            return Err(DocumentFault::NotHash(actual));
        };
        let own = |key: &Value| key.as_str().is_some_and(|it| section_prefix(it) == prefix);
        let entries = entries.filter(|(key, ..)| own(key));
        Ok(Arc::new(entries.map(|(key, _, value, _)| (key.clone(), value.clone())).collect()))
    }

    /// Returns the keys that aren't permitted in the data of a module, because they are outside of its namespace.
    pub fn foreign_keys(&self, module: &str) -> Vec<Str> {
        let Some(entries) = self.entries() else { return Vec::new() };
        let keys = entries.map(|(key, ..)| interpolated(Dialect::puppet8(), key));
        keys.filter(|it| !may_have(module, it)).map(Str::from).collect()
    }
}
