//! The data entries of a key, level by level.

use marotte_check::{is_secret_key, semantics};
use marotte_db::{Environment, File, source_text};
use marotte_hiera::{Layer, has_secret_block};
use marotte_resolve::data_files::{data_files, data_keys, top_keys};
use marotte_text::TextRange;

use crate::Db;
use crate::files::hiera_files;
use crate::token::slice;
use crate::words::has_words;

/// An entry in a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataEntry {
    pub(crate) file: File,
    pub(crate) key: TextRange,
    pub(crate) value: TextRange,
}

/// The entries of a key, in the order of the levels: those of the environment, then those of the key's module.
pub(crate) fn entries_of_key(db: &dyn Db, environment: Environment, key: &str) -> Vec<DataEntry> {
    let module = key.split_once("::").map(|(module, _)| Layer::Module(module.into()));
    let mut found = Vec::new();
    for layer in [Some(Layer::Environment), module].into_iter().flatten() {
        for (file, format) in &data_files(db, environment, layer).files {
            if data_keys(db, *file, *format).contains(key) {
                let keys = top_keys(db, *file, *format).into_iter().flatten();
                found.extend(keys.filter(|it| it.key == key).map(|it| DataEntry {
                    file: *file,
                    key: it.key_range,
                    value: it.value_range,
                }));
            }
        }
    }
    found
}

/// Whether the values of a key must not be shown: a parameter, a lookup or data requires, or may require, `Sensitive` values.
pub(crate) fn is_secret(db: &dyn Db, environment: Environment, key: &str, entries: &[DataEntry]) -> bool {
    if entries.iter().any(|it| is_secret_key(db, it.file, key)) {
        return true;
    }
    semantics::becomes_sensitive(db, environment, key).unwrap_or_else(|| {
        let files = hiera_files(db, environment);
        files.iter().any(|it| has_words(db, *it, "lookup_options sensitive"))
    })
}

/// The source text of an entry's value, limited in lines and letters. None if it is encrypted.
pub(crate) fn shown_value(db: &dyn Db, entry: &DataEntry) -> Option<String> {
    const LINES: usize = 12;
    const LETTERS: usize = 600;
    let text = slice(source_text(db, entry.file).text(), entry.value);
    if text.contains("ENC[") || has_secret_block(text) {
        return None;
    }
    let before = &source_text(db, entry.file).text()[..usize::from(entry.value.start())];
    let before = before.rsplit('\n').next().unwrap_or_default();
    // The first line begins after its indentation; the others are moved by as much.
    let indent = if before.trim().is_empty() { before.len() } else { 0 };
    let moved = |line: &str| {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        line[blanks.min(indent)..].to_owned()
    };
    let mut shown: String =
        text.lines().take(LINES).map(moved).collect::<Vec<_>>().join("\n").chars().take(LETTERS).collect();
    if text.trim_end().lines().count() > LINES || shown.chars().count() == LETTERS {
        shown.push('…');
    }
    Some(shown)
}
