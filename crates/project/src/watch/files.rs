use std::fmt;
use std::io::ErrorKind;
use std::sync::mpsc::Sender;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{Resolved, resolve};
use notify::{Config, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{Signal, paths};
use crate::ChangeBatch;

/// Watches paths of the machine and sends a signal when they may have changed.
///
/// The folder around each root is watched too, so that a root that is deleted, moved or replaced is noticed when it reappears;
/// so are the folders around files, which editors replace rather than write; and so are symbolic links on the way to a root,
/// which deployments switch.
#[derive(Debug)]
pub struct FileWatcher {
    system: Arc<dyn System>,
    watcher: RecommendedWatcher,
    roots: Vec<Root>,
    /// The paths whose events matter: the roots, under all their names, and the links on the way.
    anchors: Arc<RwLock<Vec<Utf8PathBuf>>>,
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
    /// Starts watching absolute paths, which needn't exist.
    pub fn new(
        system: Arc<dyn System>,
        roots: Vec<Utf8PathBuf>,
        signals: Sender<Signal>,
    ) -> Result<Self, WatchError> {
        let anchors = Arc::<RwLock<Vec<Utf8PathBuf>>>::default();
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
        let error = |error| WatchError { path: roots.first().cloned().unwrap_or_default(), error };
        let watcher = watcher.map_err(error)?;
        let mut watcher = FileWatcher { system, watcher, roots: Vec::new(), anchors, pieces: false };
        watcher.set_roots(roots)?;
        Ok(watcher)
    }

    /// Replaces the watched paths (absolute). Returns the paths that weren't watched before, which may have changed unnoticed.
    pub fn set_roots(&mut self, roots: Vec<Utf8PathBuf>) -> Result<ChangeBatch, WatchError> {
        let known: Vec<Utf8PathBuf> = self.roots.iter().map(|it| it.path.clone()).collect();
        let new: Vec<Utf8PathBuf> = roots.iter().filter(|it| !known.contains(it)).cloned().collect();
        // Former roots stay watched: their events are ignored.
        self.resolve(roots);
        // The enclosing folders come first: watching a folder non-recursively after its tree would replace the recursive watch.
        for root in &new {
            self.watch_around(root)?;
        }
        for root in &new {
            self.watch_tree(root)?;
        }
        Ok(new.into_iter().collect())
    }

    /// Renews the watches of roots that may have been replaced. To be called before the batch is applied.
    pub fn follow(&mut self, batch: &ChangeBatch) -> Result<(), WatchError> {
        let before = self.roots.clone();
        self.resolve(before.iter().map(|it| it.path.clone()).collect());
        for Root { path, resolved } in &before {
            let mut places = resolved.links.iter().chain([path]);
            if places.any(|it| batch.touches(it)) {
                // The watch may be gone already; then there is nothing to end.
                let _ = self.watcher.unwatch(resolved.real.as_std_path());
                self.watch_around(path)?;
                self.watch_tree(path)?;
            } else if self.pieces {
                self.watch_tree(path)?;
            }
        }
        Ok(())
    }

    /// Records the current targets of the roots.
    fn resolve(&mut self, roots: Vec<Utf8PathBuf>) {
        let resolved = |path: Utf8PathBuf| Root { resolved: resolve(&*self.system, &path), path };
        self.roots = roots.into_iter().map(resolved).collect();
        let anchors = self
            .roots
            .iter()
            .flat_map(|Root { path, resolved }| resolved.links.iter().chain([path, &resolved.real]).cloned());
        *self.anchors.write().unwrap_or_else(PoisonError::into_inner) = anchors.collect();
    }

    /// Watches the folder around a root, or the nearest existing one, and those around the links on the way.
    fn watch_around(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
        let own = self.roots.iter().filter(|it| it.path == root);
        // A replaced file is a different one to the machine, wherever its real path is.
        let links = own.flat_map(|it| it.resolved.links.iter().chain([&it.resolved.real]));
        let places: Vec<Utf8PathBuf> = links.cloned().chain([root.to_owned()]).collect();
        for place in &places {
            let around = place.ancestors().skip(1).find(|it| self.system.is_directory(it));
            // The contents of a root are watched with it.
            let Some(folder) = around.filter(|it| !self.is_in_root(it)) else { continue };
            match self.watch(folder, RecursiveMode::NonRecursive) {
                Err(error) if is(&error.error, ErrorKind::NotFound) => {}
                watched => watched?,
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
