use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::merge::Strategy;

/// What a layer's configuration says, checked.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Its absolute path. None for the one that holds where there is no file.
    pub(crate) path: Option<Str>,
    /// The folder that relative paths start from.
    pub(crate) root: Str,
    pub(crate) version: i64,
    pub(crate) hierarchy: Vec<Entry>,
    /// `default_hierarchy`, if there is one.
    pub(crate) default_hierarchy: Option<Vec<Entry>>,
    /// How `hiera_hash` merges, if version 3 says it.
    pub(crate) hash_strategy: Option<Strategy>,
}

/// What kind of function an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    DataHash,
    LookupKey,
    DataDig,
    Hiera3Backend,
}

impl Kind {
    /// In the order in which an entry is searched for them.
    pub(crate) const ALL: [Kind; 4] = [Kind::DataHash, Kind::LookupKey, Kind::DataDig, Kind::Hiera3Backend];

    /// The key in the configuration, which is what messages say, too.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Kind::DataHash => "data_hash",
            Kind::LookupKey => "lookup_key",
            Kind::DataDig => "data_dig",
            Kind::Hiera3Backend => "hiera3_backend",
        }
    }
}

/// One level of a hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: Str,
    pub(crate) kind: Kind,
    pub(crate) function: Str,
    /// Where relative locations start from, not interpolated yet.
    pub(crate) datadir: Str,
    pub(crate) location: Option<Location>,
    pub(crate) options: Arc<Hash>,
    /// What paths end in.
    pub(crate) extension: Option<Str>,
}

/// Where the data of a level is, not interpolated yet.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) kind: LocationKind,
    pub(crate) texts: Vec<Str>,
}

/// How locations are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocationKind {
    Paths,
    Globs,
    Uris,
    MappedPaths,
}

/// The keys of locations, in the order of messages.
pub(super) const LOCATION_KEYS: [(&str, LocationKind); 7] = [
    ("path", LocationKind::Paths),
    ("paths", LocationKind::Paths),
    ("glob", LocationKind::Globs),
    ("globs", LocationKind::Globs),
    ("uri", LocationKind::Uris),
    ("uris", LocationKind::Uris),
    ("mapped_paths", LocationKind::MappedPaths),
];

impl Entry {
    /// Of an entry that fits the types of version 5.
    pub(super) fn of_hash(hash: &Hash, defaults: &Hash) -> Entry {
        let named = |hash: &Hash| {
            Kind::ALL.into_iter().find_map(|kind| Some((kind, text(hash.get_str(kind.key())?))))
        };
        // An entry without a function is refused unless the defaults have one.
        let (kind, function) =
            named(hash).or_else(|| named(defaults)).unwrap_or((Kind::DataHash, "yaml_data".into()));
        let datadir = hash.get_str("datadir").or_else(|| defaults.get_str("datadir"));
        let location = LOCATION_KEYS.into_iter().find_map(|(key, kind)| {
            let texts = match hash.get_str(key)? {
                Value::Array(texts) => texts.iter().map(text).collect(),
                one => vec![text(one)],
            };
            Some(Location { kind, texts })
        });
        let options = hash.get_str("options").or_else(|| defaults.get_str("options"));
        let options = match options {
            Some(Value::Hash(options)) => Arc::clone(options),
            _ => Arc::default(),
        };
        Entry {
            name: hash.get_str("name").map(text).unwrap_or_default(),
            kind,
            function,
            datadir: datadir.map_or_else(|| "data".into(), text),
            location,
            options,
            extension: None,
        }
    }
}

pub(super) fn text(value: &Value) -> Str {
    value.as_str().unwrap_or_default().into()
}
