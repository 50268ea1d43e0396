//! Version 4, which is supported only in environments and modules.

use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::entry::text;
use super::lines::Needle;
use super::validate::{Reader, hash};
use super::{Config, Entry, Kind, Location, LocationKind, types};
use crate::{LookupError, LookupHost};

/// Converts a version 4 file to a configuration.
pub(super) fn read<O: LookupHost + ?Sized>(
    reader: &mut Reader<'_, O>,
    value: &Hash,
) -> Result<Config, LookupError> {
    let path = &reader.file.path;
    if reader.outside.strict() != Strictness::Off {
        reader.outside.warn_once(format!(
            "{path}: Use of 'hiera.yaml' version 4 is deprecated. It should be converted to version 5"
        ));
    }
    let mut value = value.clone();
    let missing = |it: Option<&Value>| !it.is_some_and(Value::is_truthy);
    if missing(value.get_str("datadir")) {
        value.insert("datadir".into(), "data".into());
    }
    if missing(value.get_str("hierarchy")) {
        let common = hash([("name", "common".into()), ("backend", "yaml".into())]);
        value.insert("hierarchy".into(), Value::Array([common].into()));
    }
    reader.assert(&types::version4(), &value)?;
    let datadir = value.get_str("datadir").map(text).unwrap_or_default();
    let mut hierarchy = Vec::new();
    if let Some(Value::Array(entries)) = value.get_str("hierarchy") {
        for entry in entries.iter() {
            let Value::Hash(entry) = entry else { continue };
            hierarchy.push(read_entry(reader, entry, &datadir)?);
        }
    }
    Ok(Config {
        path: Some(reader.file.path.clone()),
        root: reader.root(),
        version: 4,
        hierarchy,
        default_hierarchy: None,
        hash_strategy: None,
    })
}

fn read_entry<O: LookupHost + ?Sized>(
    reader: &mut Reader<'_, O>,
    entry: &Hash,
    datadir: &Str,
) -> Result<Entry, LookupError> {
    let name = entry.get_str("name").map(text).unwrap_or_default();
    let backend = entry.get_str("backend").map(text).unwrap_or_default();
    let (function, extension) = match &*backend {
        "yaml" => ("yaml_data", ".yaml"),
        "json" => ("json_data", ".json"),
        "hocon" => ("hocon_data", ".conf"),
        other => {
            let message = format!("No data provider is registered for backend '{other}'");
            return Err(reader.fail("hiera-no-provider-for-backend", message, Some(Needle::Word(other))));
        }
    };
    let (texts, key, is_list) = match (entry.get_str("paths"), entry.get_str("path")) {
        (Some(Value::Array(paths)), _) => (paths.iter().map(text).collect(), "paths", true),
        (_, Some(path)) => (vec![text(path)], "path", false),
        _ => (vec![name.clone()], "name", false),
    };
    Ok(Entry {
        name,
        kind: Kind::DataHash,
        function: function.into(),
        datadir: entry.get_str("datadir").map_or_else(|| datadir.clone(), text),
        location: Some(Location { kind: LocationKind::Paths, texts, key, is_list }),
        options: Default::default(),
        extension: Some(extension.into()),
    })
}
