//! The externally visible part of a data file.

use std::collections::{BTreeMap, BTreeSet};

use marotte_db::{Db, File};
use marotte_hiera::exact::Same as _;
use marotte_hiera::{Format, is_encrypted};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_text::Str;

use super::encrypted::is_beside_encrypted;
use super::options::file_options;
use super::reads::{KeyReads, data_reads};
use crate::analysis::names::mentions::{Mentions, mentions_in_text};

/// The content of a data file that checks of other files may read, without ranges.
#[derive(Clone, Debug)]
pub struct DataInterface {
    pub(crate) rest: Rest,
    /// The values with their keys, in order.
    pub(crate) values: Vec<(Str, Value)>,
    /// The words and titles in its text.
    pub(crate) mentions: Mentions,
    /// Whether the file has syntax errors, so that nobody knows its keys.
    pub(crate) is_broken: bool,
}

/// The interface without the values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rest {
    pub(crate) format: Format,
    keys: Vec<Str>,
    encrypted: BTreeSet<Str>,
    pub(crate) reads: KeyReads,
}

impl PartialEq for DataInterface {
    fn eq(&self, other: &DataInterface) -> bool {
        self.rest == other.rest
            && self.is_broken == other.is_broken
            && self.mentions == other.mentions
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(one, other)| one.1.is_same(&other.1))
    }
}

impl DataInterface {
    /// Returns the keys that only one of two interfaces has, and those whose values only one of them encrypts. None if a file has a
    /// key twice.
    pub(crate) fn other_keys(&self, other: &DataInterface) -> Option<BTreeSet<Str>> {
        let keys = |it: &DataInterface| -> Option<BTreeSet<Str>> {
            let keys: BTreeSet<Str> = it.rest.keys.iter().cloned().collect();
            (keys.len() == it.rest.keys.len()).then_some(keys)
        };
        let (one, other_keys) = (keys(self)?, keys(other)?);
        let moved = one.symmetric_difference(&other_keys);
        Some(moved.chain(self.rest.encrypted.symmetric_difference(&other.rest.encrypted)).cloned().collect())
    }

    /// Returns the keys that both interfaces have with different values, for programs.
    pub(crate) fn other_values(&self, other: &DataInterface) -> BTreeSet<Str> {
        let before: BTreeMap<&Str, &Value> = self.values.iter().map(|(key, value)| (key, value)).collect();
        let both = other.values.iter().filter_map(|(key, value)| Some((key, value, *before.get(key)?)));
        both.filter(|(_, value, before)| !value.is_same(before)).map(|(key, ..)| key.clone()).collect()
    }
}

/// The interface of a data file. None for other files, for files that configure lookups, and for files with syntax errors where values may
/// be encrypted: a change to these may affect every file.
pub fn data_interface(db: &dyn Db, file: File) -> Option<DataInterface> {
    let HieraFileKind::Data { format, .. } = hiera_file(db, file)?.kind else { return None };
    let reads = data_reads(db, file, format).clone();
    let mentions = mentions_in_text(db, file).clone();
    let Ok(document) = &**document(db, file, format) else {
        let (keys, encrypted) = (Vec::new(), BTreeSet::new());
        let rest = Rest { format, keys, encrypted, reads };
        // The values of other files count as encrypted only where all are known.
        return (!is_beside_encrypted(db, file)).then_some(DataInterface {
            rest,
            values: Vec::new(),
            mentions,
            is_broken: true,
        });
    };
    let mut values = Vec::new();
    let mut encrypted = BTreeSet::new();
    for (key, _, value, _) in document.entries()? {
        let key: Str = key.as_str()?.into();
        if matches!(value, Value::String(text) if is_encrypted(text)) {
            encrypted.insert(key.clone());
        }
        values.push((key, value.clone()));
    }
    if !file_options(db, file, format).as_ref()?.is_empty() {
        return None;
    }
    let keys = values.iter().map(|it| it.0.clone()).collect();
    Some(DataInterface { rest: Rest { format, keys, encrypted, reads }, values, mentions, is_broken: false })
}
