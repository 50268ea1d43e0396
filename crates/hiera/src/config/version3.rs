//! Version 3, which is supported only in the global layer.

use std::sync::Arc;

use marotte_pcore::ops::Strictness;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::entry::text;
use super::lines::Needle;
use super::validate::{Reader, twice};
use super::{Config, Entry, Kind, Location, LocationKind, types};
use crate::merge::Strategy;
use crate::{LookupError, LookupHost};

/// Converts a version 3 file to a configuration: one level for each backend, with all paths.
pub(super) fn read<O: LookupHost + ?Sized>(
    reader: &mut Reader<'_, O>,
    value: &Hash,
) -> Result<Config, LookupError> {
    let path = reader.file.path.clone();
    if reader.outside.strict() != Strictness::Off {
        reader.outside.warn_once(format!(
            "{path}: Use of 'hiera.yaml' version 3 is deprecated. It should be converted to version 5"
        ));
    }
    let mut value = value.clone();
    let defaults: [(&str, Value); 5] = [
        ("version", 3.into()),
        ("backends", Value::Array(["yaml".into()].into())),
        ("hierarchy", Value::Array(["nodes/%{::trusted.certname}".into(), "common".into()].into())),
        ("merge_behavior", "native".into()),
        ("deep_merge_options", Value::Hash(Arc::default())),
    ];
    for (key, default) in defaults {
        if !value.get_str(key).is_some_and(Value::is_truthy) {
            value.insert(key.into(), default);
        }
    }
    let backends = texts(value.get_str("backends"));
    reader.assert(&types::version3(backends.iter().map(|it| &**it)), &value)?;
    let paths = texts(value.get_str("hierarchy"));
    let mut hierarchy: Vec<Entry> = Vec::new();
    for backend in backends {
        if hierarchy.iter().any(|it| it.name == backend) {
            let error = LookupError::issue(
                "hiera-backend-multiply-defined",
                format!("Backend '{backend}' is defined more than once."),
            );
            let text = reader.outside.data().hiera_config_text(&path);
            return Err(twice(error, Some(&path), text.as_deref(), &Needle::Word(&backend)));
        }
        hierarchy.push(entry(&value, backend, &paths));
    }
    Ok(Config {
        path: Some(path),
        root: reader.root(),
        version: 3,
        hierarchy,
        default_hierarchy: None,
        hash_strategy: strategy(&value),
    })
}

fn entry(value: &Hash, backend: Str, paths: &[Str]) -> Entry {
    let own = match value.get_str(&backend) {
        Some(Value::Hash(own)) => Arc::clone(own),
        _ => Arc::default(),
    };
    let (kind, function) = match &*backend {
        "yaml" | "json" | "hocon" => (Kind::DataHash, format!("{backend}_data").into()),
        "eyaml" => (Kind::LookupKey, "eyaml_lookup_key".into()),
        _ => (Kind::Hiera3Backend, backend.clone()),
    };
    let extension = match own.get_str("extension") {
        Some(extension) => format!(".{}", text(extension)),
        None if backend == "hocon" => ".conf".to_owned(),
        None => format!(".{backend}"),
    };
    let datadir = own.get_str("datadir").map(text);
    Entry {
        name: backend,
        kind,
        function,
        datadir: datadir
            .unwrap_or_else(|| "%{settings::codedir}/environments/%{::environment}/hieradata".into()),
        location: Some(Location {
            kind: LocationKind::Paths,
            texts: paths.to_vec(),
            key: "hierarchy",
            is_list: true,
        }),
        options: if kind == Kind::LookupKey { own } else { Arc::default() },
        extension: Some(extension.into()),
    }
}

/// Returns the merge strategy of `hiera_hash`.
fn strategy(value: &Hash) -> Option<Strategy> {
    let behavior = value.get_str("merge_behavior").and_then(Value::as_str)?;
    let options = match value.get_str("deep_merge_options") {
        Some(Value::Hash(options)) => options,
        _ => return None,
    };
    Strategy::of_version3(behavior, options)
}

fn texts(value: Option<&Value>) -> Vec<Str> {
    match value {
        Some(Value::Array(texts)) => texts.iter().map(text).collect(),
        Some(one) => vec![text(one)],
        None => Vec::new(),
    }
}
