use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::ErrorKind;
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::system::{Resolved, resolve};
use marotte_db::{Resolver, System};
use notify::{Config, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::paths::{self, Anchors};
use super::{Signal, Watched};
use crate::ChangeBatch;

/// Watches paths of the machine and sends a signal when they may have changed.
///
/// Trees are watched recursively. The folder around each tree is watched too, so that a tree that is deleted, moved or replaced
/// is noticed when it reappears; so are the folders around single files, which editors replace rather than write; and so are the
/// folders of symbolic links on the way to either, which deployments switch. These folders are watched without the folders in
/// them, and events of other names in them are dropped.
#[derive(Debug)]
pub struct FileWatcher {
    system: Arc<dyn System>,
    watcher: RecommendedWatcher,
    roots: Vec<Root>,
    /// The single files that are watched, by path, and the links on the way to them.
    files: BTreeMap<Utf8PathBuf, Resolved>,
    /// The folders that are watched without the folders in them, by their paths without links.
    folders: BTreeSet<Utf8PathBuf>,
    /// The paths whose events matter.
    anchors: Arc<RwLock<Anchors>>,
    /// Whether some folder cannot be read, so that the trees are watched folder by folder, and new folders have to be added.
    pieces: bool,
}

#[derive(Clone, Debug)]
struct Root {
    path: Utf8PathBuf,
    resolved: Resolved,
}

/// The reason why a path cannot be watched.
#[derive(Debug)]
pub struct WatchError {
    path: Utf8PathBuf,
    error: notify::Error,
}

impl fmt::Display for WatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot watch {}: ", self.path)?;
        match &self.error.kind {
            notify::ErrorKind::MaxFilesWatch => f.write_str(
                "the system allows no more watched folders (on Linux, raise fs.inotify.max_user_watches)",
            ),
            notify::ErrorKind::PathNotFound => f.write_str("there is no such folder"),
            _ => write!(f, "{}", self.error),
        }
    }
}

impl std::error::Error for WatchError {}

impl FileWatcher {
    /// Starts watching paths.
    pub fn new(
        system: Arc<dyn System>,
        watched: Watched,
        signals: Sender<Signal>,
    ) -> Result<Self, WatchError> {
        let anchors = Arc::<RwLock<Anchors>>::default();
        let shared = Arc::clone(&anchors);
        // Links are followed explicitly, so that none leads to a place that shouldn't be watched.
        let config = Config::default().with_follow_symlinks(false);
        let tell = move |event| {
            let anchors = shared.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(batch) = paths::batch(event, &anchors) {
                // If the receiver is gone, nothing is lost.
                let _ = signals.send(Signal::Changed(batch));
            }
        };
        let watcher = RecommendedWatcher::new(tell, config);
        let error = |error| WatchError { path: watched.trees.first().cloned().unwrap_or_default(), error };
        let watcher = watcher.map_err(error)?;
        let mut watcher = FileWatcher {
            system,
            watcher,
            roots: Vec::new(),
            files: BTreeMap::new(),
            folders: BTreeSet::new(),
            anchors,
            pieces: false,
        };
        watcher.set(watched)?;
        Ok(watcher)
    }

    /// Replaces the watched paths. Returns the paths that weren't watched before, which may have changed unnoticed.
    pub fn set(&mut self, watched: Watched) -> Result<ChangeBatch, WatchError> {
        let Watched { trees, files } = watched;
        let known: Vec<Utf8PathBuf> = self.roots.iter().map(|it| it.path.clone()).collect();
        let new: Vec<Utf8PathBuf> = trees.iter().filter(|it| !known.contains(it)).cloned().collect();
        let known = std::mem::take(&mut self.files);
        // Former trees stay watched: their events are ignored.
        self.resolve(trees, files);
        // The enclosing folders come first: watching a folder non-recursively after its tree would replace the recursive watch.
        self.watch_folders(false)?;
        for root in &new {
            self.watch_tree(root)?;
        }
        // The tree around a file without links has already reported its events.
        let is_new = |(path, resolved): &(&Utf8PathBuf, &Resolved)| {
            !known.contains_key(*path) && (!resolved.links.is_empty() || !self.is_in_root(path))
        };
        let files = self.files.iter().filter(is_new).map(|(path, _)| path.clone());
        Ok(new.into_iter().chain(files).collect())
    }

    /// Renews the watches of paths that may have been replaced. To be called before the batch is applied.
    pub fn follow(&mut self, batch: &ChangeBatch) -> Result<(), WatchError> {
        let before = self.roots.clone();
        let files = std::mem::take(&mut self.files).into_keys().collect();
        self.resolve(before.iter().map(|it| it.path.clone()).collect(), files);
        let is_touched =
            |Root { path, resolved }: &Root| resolved.links.iter().chain([path]).any(|it| batch.touches(it));
        let (touched, others): (Vec<Root>, Vec<Root>) = before.into_iter().partition(is_touched);
        for Root { resolved, .. } in &touched {
            // The watch may be gone already; then there is nothing to end.
            let _ = self.watcher.unwatch(resolved.real.as_std_path());
        }
        // A folder that was replaced is a different one to the machine.
        self.watch_folders(!touched.is_empty() || self.files.keys().any(|it| batch.touches(it)))?;
        for Root { path, .. } in &touched {
            self.watch_tree(path)?;
        }
        if self.pieces {
            others.iter().try_for_each(|it| self.watch_tree(&it.path))?;
        }
        Ok(())
    }

    /// Records the current targets of the watched paths.
    fn resolve(&mut self, roots: Vec<Utf8PathBuf>, files: BTreeSet<Utf8PathBuf>) {
        let resolved = |path: Utf8PathBuf| Root { resolved: resolve(&*self.system, &path), path };
        self.roots = roots.into_iter().map(resolved).collect();
        let mut resolver = Resolver::default();
        let mut resolved = |path: Utf8PathBuf| (path.clone(), resolver.resolve(&*self.system, &path));
        self.files = files.into_iter().map(&mut resolved).collect();
        let mut anchors = Anchors::default();
        for Root { path, resolved } in &self.roots {
            anchors.trees.extend(resolved.links.iter().chain([path, &resolved.real]).cloned());
        }
        for (path, resolved) in &self.files {
            for place in resolved.links.iter().chain([path, &resolved.real]) {
                anchors.files.entry(place.clone()).or_default().insert(path.clone());
            }
        }
        *self.anchors.write().unwrap_or_else(PoisonError::into_inner) = anchors;
    }

    /// Watches the folder around each tree and file, or the nearest existing one, and those around the links on the way, as far
    /// as they are in no tree. Folders that are watched already are watched again if `renew` is set.
    fn watch_folders(&mut self, renew: bool) -> Result<(), WatchError> {
        let resolved = self.roots.iter().map(|it| &it.resolved).chain(self.files.values());
        let places: BTreeSet<&Utf8PathBuf> =
            resolved.flat_map(|it| it.links.iter().chain([&it.real])).collect();
        let around = |place: &Utf8PathBuf| {
            place.ancestors().skip(1).find(|it| self.system.is_directory(it)).map(Utf8Path::to_owned)
        };
        let needed: BTreeSet<Utf8PathBuf> =
            places.into_iter().filter_map(around).filter(|it| !self.is_in_root(it)).collect();
        for folder in std::mem::take(&mut self.folders) {
            if needed.contains(&folder) && !renew {
                self.folders.insert(folder);
            } else if !needed.contains(&folder) && !self.is_in_root(&folder) {
                let _ = self.watcher.unwatch(folder.as_std_path());
            }
        }
        for folder in needed {
            if self.folders.contains(&folder) {
                continue;
            }
            match self.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.folders.insert(folder)),
                // Folders around the trees needn't be readable.
                Err(error)
                    if is(&error.error, ErrorKind::NotFound)
                        || is(&error.error, ErrorKind::PermissionDenied) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn is_in_root(&self, path: &Utf8Path) -> bool {
        self.roots.iter().any(|it| path.starts_with(&it.path) || path.starts_with(&it.resolved.real))
    }

    /// A missing root is noticed when it reappears, by the folder around it. An unreadable folder is left out, as during
    /// discovery.
    fn watch_tree(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
        // The machine follows a watched link, but doesn't report events of links below.
        let real = resolve(&*self.system, root).real;
        let root = if real == *root { root } else { real.as_path() };
        match self.watch(root, RecursiveMode::Recursive) {
            Err(error) if is(&error.error, ErrorKind::NotFound) => Ok(()),
            Err(error) if is(&error.error, ErrorKind::PermissionDenied) => {
                self.pieces = true;
                if self.watch(root, RecursiveMode::NonRecursive).is_err() {
                    return Ok(());
                }
                self.folders_of(root).iter().try_for_each(|folder| self.watch_tree(folder))
            }
            watched => watched,
        }
    }

    /// Returns the folders in a folder, without symbolic links, which might lead back.
    fn folders_of(&self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let entries = self.system.list(folder).unwrap_or_default().into_iter();
        let folders = entries.filter(|entry| entry.is_directory && !entry.is_link);
        folders.map(|entry| folder.join(entry.name)).collect()
    }

    fn watch(&mut self, path: &Utf8Path, mode: RecursiveMode) -> Result<(), WatchError> {
        self.watcher
            .watch(path.as_std_path(), mode)
            .map_err(|error| WatchError { path: path.to_owned(), error })
    }
}

fn is(error: &notify::Error, kind: ErrorKind) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => kind == ErrorKind::NotFound,
        notify::ErrorKind::Io(error) => error.kind() == kind,
        _ => false,
    }
}
