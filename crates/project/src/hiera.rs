//! Files of configuration and of data as queries, cut so that an entry that nobody read wakes nobody.

use std::sync::Arc;

use marotte_db::system::ReadError;
use marotte_db::{Db, File, SourceError, line_index, source_text};
use marotte_hiera::config::ConfigFile;
use marotte_hiera::data::{DataError, Document, Places, parse};
use marotte_hiera::{DocumentFault, Format, Section};
use marotte_pcore::value::Value;
use marotte_text::{Str, TextRange};

use crate::evaluation::Exact;

/// Why a file of data or of configuration says nothing.
#[derive(Clone, Debug)]
pub enum DataFault {
    /// It has no text.
    Source(SourceError),
    /// It is not in its format, or holds something else than data.
    Data(DataError),
}

/// What a file of data says, with the places of its parts. Not compared: it holds positions.
#[salsa::tracked(no_eq)]
pub fn document(db: &dyn Db, file: File, format: Format) -> Arc<Result<Document, DataFault>> {
    let source = source_text(db, file);
    Arc::new(match source.error() {
        Some(error) => Err(DataFault::Source(error.clone())),
        None => parse(format, source.text()).map_err(DataFault::Data),
    })
}

/// The entries of a file whose keys have one [prefix](marotte_hiera::section_prefix): what lookups depend on.
#[salsa::tracked]
pub fn hiera_section(db: &dyn Db, file: File, format: Format, prefix: Str) -> Exact<Section> {
    Exact(match &**document(db, file, format) {
        Ok(document) => document.section(&prefix),
        Err(fault) => Err(told(db, file, fault)),
    })
}

/// The keys of a file that a module may not have.
#[salsa::tracked]
pub fn foreign_keys(db: &dyn Db, file: File, format: Format, module: Str) -> Vec<Str> {
    document(db, file, format).as_ref().as_ref().map(|it| it.foreign_keys(&module)).unwrap_or_default()
}

/// What a `hiera.yaml` says. None if there is no such file.
#[salsa::tracked]
pub fn hiera_config(db: &dyn Db, file: File) -> Exact<Option<Result<Arc<ConfigFile>, DocumentFault>>> {
    let source = source_text(db, file);
    match source.error() {
        Some(SourceError::Read(ReadError::NotFound)) => return Exact(None),
        Some(error) => return Exact(Some(Err(told(db, file, &DataFault::Source(error.clone()))))),
        None => {}
    }
    let config = ConfigFile::parse(file.path(db).as_str(), source.text());
    Exact(Some(config.map(Arc::new).map_err(|error| told(db, file, &DataFault::Data(error)))))
}

/// A key at the top of a file of data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopKey {
    /// The key.
    pub key: Str,
    /// Where it stands.
    pub key_range: TextRange,
    /// Where its value stands.
    pub value_range: TextRange,
}

/// The keys at the top of a file of data with their places, in order: nothing is evaluated for them. None if the file says
/// nothing, or is no hash.
pub fn top_keys(db: &dyn Db, file: File, format: Format) -> Option<Vec<TopKey>> {
    let document = document(db, file, format).as_ref().as_ref().ok()?;
    let entries = document.entries()?;
    let of_entry = |(key, key_range, _, places): (&Value, TextRange, &Value, &Places)| {
        Some(TopKey { key: key.as_str()?.into(), key_range, value_range: places.range })
    };
    Some(entries.filter_map(of_entry).collect())
}

fn told(db: &dyn Db, file: File, fault: &DataFault) -> DocumentFault {
    match fault {
        DataFault::Source(error) => {
            DocumentFault::Refused(format!("'{}' cannot be read: {error}", file.path(db)).into())
        }
        DataFault::Data(error) => {
            DocumentFault::unreadable(error, line_index(db, file).position(error.range.start()))
        }
    }
}
