//! The data files that a `hiera.yaml` refers to.

use marotte_db::{File, FileStatus, environment_of, source_text};
use marotte_hiera::Format;
use marotte_hiera::data::{Inner, Places};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, data_files, document, hiera_file, hiera_levels};
use marotte_text::{Str, TextRange};

use crate::Db;
use crate::token::unquoted;

/// A path in a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataPath {
    /// The range of the path, without quotes.
    pub(crate) range: TextRange,
    /// The existing files that it may match.
    pub(crate) files: Vec<File>,
    /// The only file that it can match, whether or not it exists. None for a path with variables or wildcards.
    pub(crate) only: Option<Str>,
}

/// The paths in a configuration, in order. Empty for other files.
pub(crate) fn data_paths(db: &dyn Db, file: File) -> Vec<DataPath> {
    let Some(hiera) = hiera_file(db, file).filter(|it| it.kind == HieraFileKind::Configuration) else {
        return Vec::new();
    };
    let environment = environment_of(db, file);
    let (Some(Ok(levels)), Ok(document)) =
        (hiera_levels(db, environment, hiera.layer.clone()), &**document(db, file, Format::Yaml))
    else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    strings(&document.value, &document.places, &mut texts);
    let known = &data_files(db, environment, hiera.layer.clone()).files;
    let text = source_text(db, file).text();
    let mut found = Vec::new();
    for pattern in levels.iter().flat_map(|it| it.files.iter().flatten()) {
        let files: Vec<File> = match pattern.path() {
            Some(path) => vec![db.files().file(db, camino::Utf8Path::new(&**path))],
            None => {
                let all = known.iter().map(|(file, _)| *file);
                all.filter(|it| pattern.may_be(it.path(db).as_str())).collect()
            }
        };
        let files: Vec<File> = files.into_iter().filter(|it| it.status(db) == FileStatus::Exists).collect();
        for (_, range) in texts.iter().filter(|(it, _)| *it == pattern.text) {
            let (range, only) = (unquoted(text, *range), pattern.path().cloned());
            found.push(DataPath { range, files: files.clone(), only });
        }
    }
    found.sort_by_key(|it| (it.range.start(), it.range.end()));
    found.dedup();
    found
}

fn strings(value: &Value, places: &Places, found: &mut Vec<(Str, TextRange)>) {
    match (value, &places.inner) {
        (Value::String(text), _) => found.push((text.clone(), places.range)),
        (Value::Array(all), Inner::Elements(inner)) => {
            all.iter().zip(inner.iter()).for_each(|(it, places)| strings(it, places, found));
        }
        _ => {
            for (_, _, value, places) in places.entries(value).into_iter().flatten() {
                strings(value, places, found);
            }
        }
    }
}
