//! Documents of data: YAML, JSON and HOCON, read as the reference reads them (G6).
//!
//! A [`Document`] is a value, and beside it, in the same shape, the [`Places`] at which its parts stand.

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
/// If it is not in the format, or holds something else than data.
pub fn parse(format: Format, text: &str) -> Result<Document, DataError> {
    match format {
        Format::Yaml => parse_yaml(text, Permitted::DATA),
        Format::Json => parse_json(text),
        Format::Hocon => parse_hocon(text),
    }
}

/// How deeply data may be nested. Layers above walk values by recursion.
pub const DEPTH_LIMIT: usize = 128;

/// How many digits an integer may have: reading and printing takes the square of their number.
pub const DIGIT_LIMIT: usize = 20_000;

/// Refuses a text that stands for an integer of too many digits.
fn check_digits(text: &str) -> Result<(), DataErrorKind> {
    if text.len() > DIGIT_LIMIT { Err(DataErrorKind::Digits) } else { Ok(()) }
}

/// How many values aliases and substitutions may stand for, all together.
const ALIASED_LIMIT: usize = 1_000_000;

/// What a file of data says, and where.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value. Of an empty document: `undef`.
    pub value: Value,
    /// Where its parts stand.
    pub places: Places,
    /// The keys that stand in their hash before: of their values, the last counts.
    pub repeated: Box<[Repeated]>,
}

/// A key that a hash has twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Where it stands again.
    pub again: TextRange,
    /// Where it stands before.
    pub before: TextRange,
}

/// A step from a value into what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The value of a key.
    Key(Str),
    /// An element.
    Index(usize),
}

impl Step {
    /// The part of a value to which the step leads, and its places. None if there is no such part.
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
    /// Where a part of a configuration stands, as far as there is one.
    pub fn range_of(&self, part: &ConfigPart) -> TextRange {
        let (value, places) = self.part_at(&part.steps);
        let at = part.key.as_ref().and_then(|key| places.key(value, key));
        at.unwrap_or(places.range)
    }

    /// Where a part of the document stands, as far as the steps lead: a step that leads nowhere is the end.
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

    /// The entries of a hash at the top, with the places of key and value. None if it is no hash.
    pub fn entries(&self) -> Option<impl Iterator<Item = (&Value, TextRange, &Value, &Places)>> {
        self.places.entries(&self.value)
    }

    /// The entries whose keys have a [prefix](crate::section_prefix).
    ///
    /// # Errors
    /// If it is no hash.
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

    /// The keys that a module may not have, because they are not its own.
    pub fn foreign_keys(&self, module: &str) -> Vec<Str> {
        let Some(entries) = self.entries() else { return Vec::new() };
        let keys = entries.map(|(key, ..)| interpolated(Dialect::puppet8(), key));
        keys.filter(|it| !may_have(module, it)).map(Str::from).collect()
    }
}
