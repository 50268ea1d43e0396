//! Hiera's files: the configuration of each layer, and the files that match a pattern.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use indexmap::IndexSet;
use marotte_db::{Db, File, FileStatus, listing, listing_error, source_text};
use marotte_eval::ReadError;
use marotte_hiera::config::CONFIG_FILE_NAME;
use marotte_hiera::{DataProvider, DocumentFault, Layer, LayerConfig, Presence};
use marotte_resolve::data_files::hiera_config;
use marotte_text::Str;

use super::Run;
use crate::files::{check_readable, file_at, missing_folder, module};
use crate::glob::{alternatives, is_pattern, matcher};
use crate::layout;

/// The limits of `**`: the depth of folders, and the number of folders that a pattern may read.
const GLOB_DEPTH: usize = 64;
const GLOB_LIMIT: usize = 100_000;

/// The configuration of a layer.
pub(crate) fn layer_config(db: &dyn Db, run: Run, layer: &Layer) -> Result<LayerConfig, ReadError> {
    let environment = run.environment(db);
    let path = match layer {
        Layer::Global => match &run.policy(db).hiera_config {
            Some(path) => path.clone(),
            None => return Ok(LayerConfig::None),
        },
        Layer::Environment => match environment.root(db) {
            Some(root) => root.join(CONFIG_FILE_NAME),
            None => return Ok(LayerConfig::None),
        },
        Layer::Module(name) => match module(db, environment, name) {
            Some(module) => module.join(CONFIG_FILE_NAME),
            None => return Ok(LayerConfig::NoModule),
        },
    };
    let file = file_at(db, &path);
    check_readable(db, run, file)?;
    match &**hiera_config(db, file) {
        Some(Ok(config)) => Ok(LayerConfig::File(Arc::clone(config))),
        Some(Err(fault)) => Err(ReadError(match fault {
            DocumentFault::Unreadable(why) => format!("({path}): {why}"),
            other => other.message(path.as_str()),
        })),
        None if *layer == Layer::Global => {
            let root = path.parent().unwrap_or(&path);
            Ok(LayerConfig::Default(root.as_str().into()))
        }
        None => Ok(LayerConfig::None),
    }
}

/// The data provider that a module's metadata or the environment's configuration names.
pub(crate) fn data_provider(db: &dyn Db, run: Run, layer: &Layer) -> Option<DataProvider> {
    let environment = run.environment(db);
    let (name, root) = match layer {
        Layer::Global => return None,
        Layer::Environment => {
            let root = environment.root(db)?;
            (environment_provider(db, file_at(db, &root.join(layout::ENVIRONMENT_FILE)))?, root)
        }
        Layer::Module(name) => {
            let root = module(db, environment, name)?;
            (module_provider(db, file_at(db, &root.join(layout::METADATA_FILE)))?, root)
        }
    };
    Some(DataProvider { name: name.into(), root: root.as_str().into() })
}

/// The data provider that the configuration of an environment names. Catalogs don't depend on the rest of the configuration.
#[salsa::tracked(returns(as_deref))]
fn environment_provider(db: &dyn Db, file: File) -> Option<Str> {
    layout::data_provider(text(db, file)?).map(Into::into)
}

/// The data provider that the metadata of a module names. Catalogs don't depend on the rest of the metadata.
#[salsa::tracked(returns(as_deref))]
fn module_provider(db: &dyn Db, file: File) -> Option<Str> {
    let metadata: serde_json::Value = serde_json::from_str(text(db, file)?).ok()?;
    Some(metadata.get("data_provider")?.as_str()?.into())
}

fn text(db: &dyn Db, file: File) -> Option<&str> {
    let source = source_text(db, file);
    source.error().is_none().then(|| source.text())
}

/// Whether there is a file or folder at a path. What may not be read may be said to be missing: that a folder does not exist is no
/// secret.
///
/// # Errors
/// If it may not be read, and is in a folder that exists or whose answers are recorded.
pub(crate) fn exists(db: &dyn Db, run: Run, path: &Utf8Path) -> Result<Presence, ReadError> {
    let file = file_at(db, path);
    match check_readable(db, run, file) {
        Ok(()) if file.status(db) == FileStatus::Missing => Ok(Presence::Missing),
        Ok(()) => Ok(Presence::Exists),
        Err(error) => match missing_folder(db, run, file) {
            Some(folder) => Ok(Presence::NoFolder(folder.as_str().into())),
            None => Err(error),
        },
    }
}

/// The files that match a pattern, as Ruby's `Dir.glob` finds them.
pub(crate) fn glob(db: &dyn Db, run: Run, pattern: &str) -> Result<Vec<Str>, ReadError> {
    let mut found = Vec::new();
    let mut folders = 0;
    for pattern in alternatives(pattern) {
        let mut glob = Glob { db, folders, found: IndexSet::new() };
        let components: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty()).collect();
        let fixed = components.iter().take_while(|it| !is_pattern(it)).count();
        let base: Utf8PathBuf = [&"/"].into_iter().chain(&components[..fixed]).collect();
        check_readable(db, run, file_at(db, &base))?;
        glob.search(&base, &components[fixed..], 0)?;
        folders = glob.folders;
        found.extend(glob.found);
    }
    for path in &found {
        check_readable(db, run, file_at(db, path))?;
    }
    Ok(found.into_iter().map(|it| it.as_str().into()).collect())
}

struct Glob<'a> {
    db: &'a dyn Db,
    folders: usize,
    /// Each file once, however many ways `**` leads to it.
    found: IndexSet<Utf8PathBuf>,
}

impl Glob<'_> {
    fn search(&mut self, folder: &Utf8Path, components: &[&str], depth: usize) -> Result<(), ReadError> {
        let Some((first, rest)) = components.split_first() else {
            // What cannot be read is found, too, and is an error when it is read.
            let status = file_at(self.db, folder).status(self.db);
            if !matches!(status, FileStatus::Folder | FileStatus::Missing) {
                self.found.insert(folder.to_owned());
            }
            return Ok(());
        };
        if !is_pattern(first) {
            return self.search(&folder.join(first), rest, depth);
        }
        self.folders += 1;
        if self.folders > GLOB_LIMIT {
            return Err(ReadError(format!("the pattern looks into more than {GLOB_LIMIT} folders")));
        }
        let folder_file = file_at(self.db, folder);
        if let Some(error) = listing_error(self.db, folder_file) {
            return Err(ReadError(format!("'{folder}' cannot be read: {error}")));
        }
        let entries = listing(self.db, folder_file).iter();
        let entries: Vec<_> = entries.filter(|it| !it.name.starts_with('.')).collect();
        if *first == "**" && !rest.is_empty() {
            self.search(folder, rest, depth)?;
            if depth < GLOB_DEPTH {
                // Links are only followed where a name or a pattern other than `**` matches them.
                for it in entries.iter().filter(|it| it.is_directory && !it.is_link) {
                    self.search(&folder.join(&it.name), components, depth + 1)?;
                }
            }
            return Ok(());
        }
        let matcher = matcher(first).map_err(ReadError)?;
        for it in entries.iter().filter(|it| matcher.is_match(&it.name)) {
            self.search(&folder.join(&it.name), rest, depth)?;
        }
        Ok(())
    }
}
