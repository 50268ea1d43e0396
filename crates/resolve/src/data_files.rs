//! Queries for configuration and data files, split so that a change to an entry affects only the queries that read it.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::ReadError;
use marotte_db::{
    Below, Db, Environment, File, FileStatus, SourceError, below, environment_of, may_be_hiera, module_file,
    module_folder, source_text,
};
use marotte_hiera::config::{CONFIG_FILE_NAME, ConfigFile, FilePattern, Levels, Reader, levels};
use marotte_hiera::data::{DataError, Document, Places, parse, parse_json};
use marotte_hiera::exact::Exact;
use marotte_hiera::{DocumentFault, Format, Layer, LookupError, Section};
use marotte_pcore::dialect::Dialect;
use marotte_pcore::value::Value;
use marotte_text::{Str, TextRange};

/// The reason why a data or configuration file has no content.
#[derive(Clone, Debug)]
pub enum DataFault {
    /// The file has no text.
    Source(SourceError),
    /// The file is malformed, or contains something other than data.
    Data(DataError),
}

/// The content of a data file, with the positions of its parts. Not compared: it contains positions.
#[salsa::tracked(no_eq)]
pub fn document(db: &dyn Db, file: File, format: Format) -> Arc<Result<Document, DataFault>> {
    let source = source_text(db, file);
    Arc::new(match source.error() {
        Some(error) => Err(DataFault::Source(error.clone())),
        None => parse(format, source.text()).map_err(DataFault::Data),
    })
}

/// The entries of a file whose keys share a [prefix](marotte_hiera::section_prefix): the unit that lookups depend on.
#[salsa::tracked]
pub fn hiera_section(db: &dyn Db, file: File, format: Format, prefix: Str) -> Exact<Section> {
    Exact(match &**document(db, file, format) {
        Ok(document) => document.section(&prefix),
        Err(fault) => Err(told(db, file, fault)),
    })
}

/// The keys of a file that a module isn't allowed to set.
#[salsa::tracked]
pub fn foreign_keys(db: &dyn Db, file: File, format: Format, module: Str) -> Vec<Str> {
    document(db, file, format).as_ref().as_ref().map(|it| it.foreign_keys(&module)).unwrap_or_default()
}

/// The parsed `hiera.yaml`. None if the file doesn't exist.
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

/// The levels of a layer's `hiera.yaml`, independent of any node. None if the layer has no such file, or if it cannot be read.
#[salsa::tracked(returns(as_ref))]
pub fn hiera_levels(
    db: &dyn Db,
    environment: Environment,
    layer: Layer,
) -> Option<Result<Levels, LookupError>> {
    let file = config_file(db, environment, &layer)?;
    let config = hiera_config(db, file).as_ref()?.as_ref().ok()?;
    Some(levels(Dialect::puppet8(), &layer, config, source_text(db, file).text()))
}

/// The `hiera.yaml` of a layer, whether it exists or not. None for the global layer, and for a layer without a folder.
pub fn config_file(db: &dyn Db, environment: Environment, layer: &Layer) -> Option<File> {
    let folder = layer_folder(db, environment, layer)?;
    Some(db.files().file(db, &folder.join(CONFIG_FILE_NAME)))
}

fn layer_folder(db: &dyn Db, environment: Environment, layer: &Layer) -> Option<Utf8PathBuf> {
    match layer {
        // The server's global layer isn't known here.
        Layer::Global => None,
        Layer::Environment => environment.root(db).map(Utf8Path::to_owned),
        Layer::Module(name) => module_folder(db, environment, name.clone()).map(Utf8Path::to_owned),
    }
}

/// A file's role in Hiera.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HieraFile {
    /// The layer that the file belongs to.
    pub layer: Layer,
    /// The role in that layer.
    pub kind: HieraFileKind,
}

/// The role of a file in its layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HieraFileKind {
    /// The layer's configuration.
    Configuration,
    /// Data that may be read for some node.
    Data {
        /// The format of the data.
        format: Format,
        /// Values in it may be encrypted.
        encrypted: bool,
        /// The level reads the file for every node.
        for_all_nodes: bool,
    },
}

/// The file's role in Hiera, if it has one.
pub fn hiera_file(db: &dyn Db, file: File) -> Option<&HieraFile> {
    // Nothing is cached for code files, which are the majority.
    if may_be_hiera(file.path(db)) { file_in_layer(db, file) } else { None }
}

#[salsa::tracked(returns(as_ref))]
fn file_in_layer(db: &dyn Db, file: File) -> Option<HieraFile> {
    let environment = environment_of(db, file);
    let layer = match module_file(db, file) {
        Some(place) => Layer::Module(place.module.clone()),
        None => Layer::Environment,
    };
    let kind = if config_file(db, environment, &layer)? == file {
        HieraFileKind::Configuration
    } else {
        let levels = hiera_levels(db, environment, layer.clone())?.as_ref().ok()?;
        data_kind(levels, file.path(db))?
    };
    Some(HieraFile { layer, kind })
}

/// The role of a file in the first level that may read it.
pub fn data_kind(levels: &Levels, path: &Utf8Path) -> Option<HieraFileKind> {
    let number = levels.of_file(path)?;
    let reader = &levels[number].reader;
    Some(HieraFileKind::Data {
        format: reader.format()?,
        encrypted: *reader == Reader::Encrypted,
        for_all_nodes: levels.fixed(path).contains(&number),
    })
}

/// The data files of a layer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataFiles {
    /// The files, each listed once, in the order of the first level that reads them.
    pub files: Vec<(File, Format)>,
    /// Whether the layer has no other data: no level calls a function, or reads data elsewhere.
    pub is_complete: bool,
    /// Whether the hierarchy is known: the configuration can be read, and no data provider takes its place.
    pub is_known: bool,
    /// Whether each location has files. Missing data may be elsewhere, such as secrets that are kept separately.
    pub has_all: bool,
}

/// Finds the data files of a layer; empty if the layer has no configuration.
#[salsa::tracked(returns(ref))]
pub fn data_files(db: &dyn Db, environment: Environment, layer: Layer) -> DataFiles {
    let Some(levels) = hiera_levels(db, environment, layer.clone()) else {
        let is_missing = config_file(db, environment, &layer)
            .is_none_or(|it| it.status(db) == FileStatus::Missing)
            && !has_data_provider(db, environment, &layer);
        return DataFiles {
            files: Vec::new(),
            is_complete: is_missing,
            is_known: is_missing,
            has_all: is_missing,
        };
    };
    let (Ok(levels), Some(root)) = (levels, layer_folder(db, environment, &layer)) else {
        return DataFiles::default();
    };
    let is_known = version(db, environment, &layer) == Some(5) || !has_data_provider(db, environment, &layer);
    let mut found = DataFiles { files: Vec::new(), is_complete: is_known, is_known, has_all: is_known };
    let mut seen = HashSet::new();
    let mut without: Vec<&FilePattern> = Vec::new();
    let mut folders: HashMap<&Str, DataFolder> = HashMap::new();
    for level in levels.iter() {
        let (Some(format), Some(patterns)) = (level.reader.format(), &level.files) else {
            found.is_complete = false;
            continue;
        };
        for pattern in patterns {
            if !pattern.is_in(&root) {
                found.is_complete = false;
                continue;
            }
            let (has_files, new) = match pattern.path() {
                Some(path) => {
                    let file = db.files().file(db, Utf8Path::new(&**path));
                    let exists = file.status(db) == FileStatus::Exists;
                    (exists, Vec::from_iter(exists.then_some(file)))
                }
                None => {
                    let folder = folders
                        .entry(pattern.folder())
                        .or_insert_with(|| DataFolder::new(db, pattern.folder()));
                    found.is_complete &= folder.is_complete;
                    let new = folder.take(pattern);
                    let new = new.iter().map(|it| db.files().file(db, it)).collect();
                    (folder.have(pattern), new)
                }
            };
            if !has_files {
                without.push(pattern);
            }
            let new = new.into_iter().filter(|it| seen.insert(*it));
            found.files.extend(new.map(|it| (it, format)));
        }
    }
    // Files for some nodes are in the same folder as those for others.
    let parents: HashSet<&str> =
        found.files.iter().filter_map(|(file, _)| Some(file.path(db).parent()?.as_str())).collect();
    let is_beside_others = |it: &FilePattern| it.path().is_none() && parents.contains(&**it.folder());
    found.has_all &= without.iter().all(|it| is_beside_others(it));
    found
}

/// The version of a layer's configuration.
fn version(db: &dyn Db, environment: Environment, layer: &Layer) -> Option<i64> {
    let config = hiera_config(db, config_file(db, environment, layer)?).as_ref()?.as_ref().ok()?;
    match config.value.as_ref()?.get_str("version")? {
        Value::Integer(version) => version.to_i64(),
        _ => None,
    }
}

/// Whether a layer names a data provider, which replaces a configuration before version 5. True if that cannot be determined.
fn has_data_provider(db: &dyn Db, environment: Environment, layer: &Layer) -> bool {
    let Some(root) = layer_folder(db, environment, layer) else { return false };
    let text = |name: &str| {
        let source = source_text(db, db.files().file(db, &root.join(name)));
        match source.error() {
            None => Some(source.text()),
            Some(SourceError::Read(ReadError::NotFound)) => Some(""),
            Some(_) => None,
        }
    };
    match layer {
        Layer::Global => false,
        Layer::Environment => text("environment.conf")
            .is_none_or(|it| it.lines().any(|it| it.trim_start().starts_with("environment_data_provider"))),
        Layer::Module(_) => text("metadata.json").is_none_or(|text| {
            // The reference itself fails on a file that isn't JSON.
            let Ok(Document { value: Value::Hash(metadata), .. }) = parse_json(text) else { return false };
            metadata.get_str("data_provider").is_some_and(|it| it.as_str().is_some())
        }),
    }
}

/// The top-level keys of a layer's files.
#[salsa::tracked(returns(ref))]
pub fn layer_keys(db: &dyn Db, environment: Environment, layer: Layer) -> BTreeSet<Str> {
    let files = &data_files(db, environment, layer).files;
    files.iter().flat_map(|(file, format)| data_keys(db, *file, *format)).cloned().collect()
}

/// The top-level keys of a data file. Empty if the file cannot be read: any lookup in it fails.
#[salsa::tracked(returns(ref))]
pub fn data_keys(db: &dyn Db, file: File, format: Format) -> BTreeSet<Str> {
    top_keys(db, file, format).into_iter().flatten().map(|it| it.key).collect()
}

/// The files below a folder, of which patterns take those that match them.
struct DataFolder {
    files: Vec<Utf8PathBuf>,
    /// Whether all files are known.
    is_complete: bool,
    /// The reversed paths of all files, in order, with their numbers.
    ends: Vec<(String, usize)>,
    /// Those that no pattern has taken yet.
    left: BTreeSet<(String, usize)>,
}

impl DataFolder {
    fn new(db: &dyn Db, folder: &str) -> DataFolder {
        let Below { files, is_complete } = below(db, Utf8Path::new(folder), |_| true);
        let reversed = files.iter().enumerate().map(|(number, it)| (reversed(it.as_str()), number));
        let left: BTreeSet<(String, usize)> = reversed.collect();
        DataFolder { files, is_complete, ends: left.iter().cloned().collect(), left }
    }

    /// Takes the files that match a pattern, by path.
    fn take(&mut self, pattern: &FilePattern) -> Vec<Utf8PathBuf> {
        let end = reversed(pattern.end());
        let range = self.left.range((end.clone(), 0)..).take_while(|it| it.0.starts_with(&end));
        let matching = range.filter(|it| pattern.may_be(self.files[it.1].as_str()));
        let taken: Vec<(String, usize)> = matching.cloned().collect();
        taken.iter().for_each(|it| _ = self.left.remove(it));
        let mut numbers: Vec<usize> = taken.into_iter().map(|it| it.1).collect();
        numbers.sort_unstable();
        numbers.into_iter().map(|it| self.files[it].clone()).collect()
    }

    /// Whether a file matches a pattern, taken or not.
    fn have(&self, pattern: &FilePattern) -> bool {
        let end = reversed(pattern.end());
        let range = &self.ends[self.ends.partition_point(|it| it.0 < end)..];
        let mut range = range.iter().take_while(|it| it.0.starts_with(&end));
        range.any(|it| pattern.may_be(self.files[it.1].as_str()))
    }
}

fn reversed(text: &str) -> String {
    text.chars().rev().collect()
}

/// A top-level key of a data file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopKey {
    /// The key as written.
    pub key: Str,
    /// The range of the key.
    pub key_range: TextRange,
    /// The range of the value.
    pub value_range: TextRange,
}

/// The top-level keys of a data file with their ranges, in order, without evaluating anything. None if the file has no content,
/// or isn't a hash.
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
            DocumentFault::unreadable(error, source_text(db, file).line_index().position(error.range.start()))
        }
    }
}
