use std::sync::Arc;

use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use crate::data::Step;
use crate::merge::Strategy;

/// The validated configuration of a layer.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The absolute path of the file. `None` for the default configuration, which applies if no file exists.
    pub(crate) path: Option<Str>,
    /// The folder that relative paths are resolved against.
    pub(crate) root: Str,
    pub(crate) version: i64,
    pub(crate) hierarchy: Vec<Entry>,
    /// `default_hierarchy`, if present.
    pub(crate) default_hierarchy: Option<Vec<Entry>>,
    /// The merge strategy of `hiera_hash`, if version 3 configures one.
    pub(crate) hash_strategy: Option<Strategy>,
}

/// The kind of function that an entry names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    DataHash,
    LookupKey,
    DataDig,
    Hiera3Backend,
    /// A function without arguments, from before contexts existed.
    V4DataHash,
}

impl Kind {
    /// The functions in the order in which an entry is searched for them; messages list them in this order, too.
    pub(crate) const ALL: [Kind; 4] = [Kind::DataHash, Kind::LookupKey, Kind::DataDig, Kind::Hiera3Backend];

    /// The key in the configuration, which messages use as well.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Kind::DataHash => "data_hash",
            Kind::LookupKey => "lookup_key",
            Kind::DataDig => "data_dig",
            Kind::Hiera3Backend => "hiera3_backend",
            Kind::V4DataHash => "v4_data_hash",
        }
    }
}

/// A level of a hierarchy.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: Str,
    pub(crate) kind: Kind,
    pub(crate) function: Str,
    /// The folder that relative locations are resolved against, before interpolation.
    pub(crate) datadir: Str,
    pub(crate) location: Option<Location>,
    pub(crate) options: Arc<Hash>,
    /// The extension that paths get.
    pub(crate) extension: Option<Str>,
}

/// The location of a level's data, before interpolation.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) kind: LocationKind,
    pub(crate) texts: Vec<Str>,
    /// The key that holds it in its level.
    pub(crate) key: &'static str,
    /// Whether the value of that key is an array.
    pub(crate) is_list: bool,
}

impl Location {
    /// Returns the path of one of the texts, relative to the level.
    pub(super) fn place(&self, index: usize) -> Box<[Step]> {
        let index = self.is_list.then_some(Step::Index(index));
        [Step::Key(self.key.into())].into_iter().chain(index).collect()
    }
}

/// The way in which locations are written.
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
    /// Creates the entry from a hash that conforms to the types of version 5.
    pub(super) fn of_hash(hash: &Hash, defaults: &Hash) -> Entry {
        let named = |hash: &Hash| {
            let mut kinds = Kind::ALL.into_iter().chain([Kind::V4DataHash]);
            kinds.find_map(|kind| Some((kind, text(hash.get_str(kind.key())?))))
        };
        // An entry without a function is rejected unless the defaults have one.
        let (kind, function) =
            named(hash).or_else(|| named(defaults)).unwrap_or((Kind::DataHash, "yaml_data".into()));
        let datadir = hash.get_str("datadir").or_else(|| defaults.get_str("datadir"));
        let location = LOCATION_KEYS.into_iter().find_map(|(key, kind)| {
            let (texts, is_list) = match hash.get_str(key)? {
                Value::Array(texts) => (texts.iter().map(text).collect(), true),
                one => (vec![text(one)], false),
            };
            Some(Location { kind, texts, key, is_list })
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
