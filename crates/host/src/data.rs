//! Hiera's files: the configuration of each layer, and the files that match a pattern.

use std::collections::BTreeSet;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use globset::GlobMatcher;
use marotte_db::{Db, File, FileStatus, listing, listing_error, real_path, source_text};
use marotte_eval::ReadError;
use marotte_hiera::config::CONFIG_FILE_NAME;
use marotte_hiera::{DataProvider, DocumentFault, Layer, LayerConfig, Presence};
use marotte_resolve::data_files::{hiera_config, hiera_levels};
use marotte_text::Str;

use super::Run;
use crate::files::{check_readable, file_at, is_readable, missing_folder, module};
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

/// Returns the folders outside of the code tree in which levels of any `hiera.yaml` look for data, directly or through links, and that
/// may not be read: values of that data would take the place of others.
pub fn unread_data(db: &dyn Db, run: Run) -> BTreeSet<Utf8PathBuf> {
    let environment = run.environment(db);
    let modules = environment.modules(db).iter().map(|(name, _)| Layer::Module(name.clone()));
    let layers = [Layer::Environment].into_iter().chain(modules);
    let levels = layers.filter_map(|it| hiera_levels(db, environment, it)?.as_ref().ok());
    let patterns = levels.flat_map(|it| it.iter().flat_map(|it| it.files.iter().flatten()));
    let mut open: Vec<Utf8PathBuf> = patterns.map(|it| Utf8PathBuf::from(&**it.folder())).collect();
    let (mut seen, mut unread) = (BTreeSet::new(), BTreeSet::new());
    while let Some(folder) = open.pop() {
        // A hierarchy beside the code has no data of its own below it.
        if Some(&*folder) == environment.root(db) || seen.len() > GLOB_LIMIT || !seen.insert(folder.clone()) {
            continue;
        }
        let file = file_at(db, &folder);
        if !is_readable(db, run, file) {
            unread.insert(real_path(db, file).to_owned());
            continue;
        }
        let entries = listing(db, file).iter().filter(|it| it.is_link || it.is_directory);
        open.extend(entries.map(|it| folder.join(&it.name)));
    }
    unread
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
        let components: Vec<&str> = pattern.split('/').filter(|it| !it.is_empty()).collect();
        let fixed = components.iter().take_while(|it| !is_pattern(it)).count();
        let base: Utf8PathBuf = [&"/"].into_iter().chain(&components[..fixed]).collect();
        check_readable(db, run, file_at(db, &base))?;
        let mut glob = Glob::new(db, &components[fixed..], folders)?;
        glob.search(&base, &BTreeSet::from([0]), 0)?;
        folders = glob.folders;
        found.extend(glob.found);
    }
    for path in &found {
        check_readable(db, run, file_at(db, path))?;
    }
    Ok(found.into_iter().map(|it| it.as_str().into()).collect())
}

/// A component of a pattern.
enum Component<'a> {
    /// A plain name.
    Name(&'a str),
    /// A name with wildcards.
    Wildcards(GlobMatcher),
    /// `**` before another component: any number of folders.
    Folders,
}

/// A search as Ruby's: it goes through the entries of a folder once, by name, with all components that they may match. So a folder's
/// files come in its place among the other entries.
struct Glob<'a> {
    db: &'a dyn Db,
    components: Vec<Component<'a>>,
    folders: usize,
    found: Vec<Utf8PathBuf>,
}

impl<'a> Glob<'a> {
    fn new(db: &'a dyn Db, components: &[&'a str], folders: usize) -> Result<Glob<'a>, ReadError> {
        let last = components.len().saturating_sub(1);
        let of = |(index, it): (usize, &&'a str)| match *it {
            "**" if index < last => Ok(Component::Folders),
            it if is_pattern(it) => matcher(it).map(Component::Wildcards).map_err(ReadError),
            it => Ok(Component::Name(it)),
        };
        let components = components.iter().enumerate().map(of).collect::<Result<_, _>>()?;
        Ok(Glob { db, components, folders, found: Vec::new() })
    }

    /// Searches a path for the components at some positions; the position after the last one means the path itself.
    fn search(&mut self, path: &Utf8Path, at: &BTreeSet<usize>, depth: usize) -> Result<(), ReadError> {
        let mut open = at.clone();
        for position in at {
            // `**` also means no folder at all.
            let folders =
                self.components[*position..].iter().take_while(|it| matches!(it, Component::Folders));
            open.extend((1..=folders.count()).map(|it| position + it));
        }
        if open.remove(&self.components.len()) {
            // What cannot be read is found, too, and is an error when it is read.
            let status = file_at(self.db, path).status(self.db);
            if !matches!(status, FileStatus::Folder | FileStatus::Missing) {
                self.found.push(path.to_owned());
            }
        }
        if let [position] = open.iter().copied().collect::<Vec<_>>()[..]
            && let Component::Name(name) = self.components[position]
        {
            return self.search(&path.join(name), &BTreeSet::from([position + 1]), depth);
        }
        if open.is_empty() {
            return Ok(());
        }
        self.folders += 1;
        if self.folders > GLOB_LIMIT {
            return Err(ReadError(format!("the pattern looks into more than {GLOB_LIMIT} folders")));
        }
        let folder = file_at(self.db, path);
        if let Some(error) = listing_error(self.db, folder) {
            return Err(ReadError(format!("'{path}' cannot be read: {error}")));
        }
        for entry in listing(self.db, folder) {
            let is_hidden = entry.name.starts_with('.');
            let next = |position: &usize| match &self.components[*position] {
                Component::Name(name) => (entry.name == *name).then_some(position + 1),
                Component::Wildcards(it) => (!is_hidden && it.is_match(&entry.name)).then_some(position + 1),
                // Links are only followed where a name or a pattern other than `**` matches them.
                Component::Folders => {
                    (!is_hidden && entry.is_directory && !entry.is_link && depth < GLOB_DEPTH)
                        .then_some(*position)
                }
            };
            let at: BTreeSet<usize> = open.iter().filter_map(next).collect();
            if !at.is_empty() {
                self.search(&path.join(&entry.name), &at, depth + 1)?;
            }
        }
        Ok(())
    }
}
