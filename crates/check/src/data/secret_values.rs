//! The places of secrets in data files: no finding quotes these lines.

use marotte_db::{File, source_text};
use marotte_hiera::data::Step;
use marotte_hiera::{Format, is_encrypted};
use marotte_pcore::value::Value;
use marotte_resolve::data_files::{HieraFileKind, document, hiera_file};
use marotte_text::{TextRange, TextSize};

use super::DataFile;
use super::class_key::{ClassKey, class_key};
use super::options::{Conversion, treatments};
use crate::secrets::is_sensitive;
use marotte_db::Db;
use marotte_infer::declared::declared;

/// The prefix of an encrypted string, inside the quotes.
const ENCRYPTED: &str = "ENC[";

/// The ranges of values of `Sensitive` parameters, of values that are converted to `Sensitive`, and of encrypted values. Empty
/// for other files than data.
#[salsa::tracked(returns(deref))]
pub fn secret_places(db: &dyn Db, file: File) -> Box<[TextRange]> {
    let Some(hiera) = hiera_file(db, file) else { return Box::new([]) };
    let format = match hiera.kind {
        HieraFileKind::Configuration => Format::Yaml,
        HieraFileKind::Data { format, .. } => format,
    };
    let text = source_text(db, file).text();
    let Ok(document) = &**document(db, file, format) else {
        // It isn't known which parts are values.
        return text
            .match_indices(ENCRYPTED)
            .map(|(at, it)| TextRange::at(size(at), TextSize::of(it)))
            .collect();
    };
    let data = DataFile::new(db, file, hiera, document);
    let entries = data.entries().filter(|it| has_encrypted(it.value) || is_secret(&data, it.key));
    entries.map(|it| it.key_range.cover(document.range_at(&[Step::Key(it.key.into())]))).collect()
}

fn size(at: usize) -> TextSize {
    // Texts that are too long for this are never read.
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

fn is_secret<'db>(data: &DataFile<'db>, key: &'db str) -> bool {
    let db = data.db;
    let is_declared = match class_key(data, key) {
        ClassKey::Parameter(item, index) => {
            let expected = declared(db, item).parameters.get(index);
            expected.is_some_and(|it| it.as_ref().is_some_and(is_sensitive))
        }
        _ => false,
    };
    let treated = || treatments(db, data.environment, key);
    is_declared || treated().is_some_and(|it| it.iter().any(|it| it.convert == Some(Conversion::Sensitive)))
}

fn has_encrypted(value: &Value) -> bool {
    match value {
        Value::String(text) => is_encrypted(text),
        Value::Array(elements) => elements.iter().any(has_encrypted),
        Value::Hash(hash) => hash.iter().any(|(_, value)| has_encrypted(value)),
        _ => false,
    }
}
