use std::fmt;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{Signal, paths};
use crate::ChangeBatch;

/// Watches paths of the machine and sends a signal when something may have changed.
///
/// The folder around each root is watched too, so that a root that is deleted, moved or replaced is noticed when it
/// comes back; so are files, which editors replace rather than write.
#[derive(Debug)]
pub struct FileWatcher {
    system: Arc<dyn System>,
    watcher: RecommendedWatcher,
    roots: Vec<Utf8PathBuf>,
    /// Some folder may not be read, so the trees are watched piece by piece, and pieces may be added.
    pieces: bool,
}

/// Why something cannot be watched.
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
    /// Starts to watch absolute paths, which need not exist as long as the folders around them do.
    pub fn new(
        system: Arc<dyn System>,
        roots: Vec<Utf8PathBuf>,
        signals: Sender<Signal>,
    ) -> Result<Self, WatchError> {
        let watched = roots.clone();
        let watcher = notify::recommended_watcher(move |event| {
            if let Some(batch) = paths::batch(event, &watched) {
                // When nobody listens any more, nothing is lost.
                let _ = signals.send(Signal::Changed(batch));
            }
        });
        let error = |error| WatchError { path: roots.first().cloned().unwrap_or_default(), error };
        let mut watcher =
            FileWatcher { system, watcher: watcher.map_err(error)?, roots: roots.clone(), pieces: false };
        for root in &roots {
            if let Some(parent) = root.parent() {
                watcher.watch(parent, RecursiveMode::NonRecursive)?;
            }
        }
        for root in &roots {
            watcher.watch_tree(root)?;
        }
        Ok(watcher)
    }

    /// Watches roots anew that may have been replaced. To be called before the batch is looked at.
    pub fn follow(&mut self, batch: &ChangeBatch) -> Result<(), WatchError> {
        for root in self.roots.clone() {
            if batch.is_rescan() || batch.paths().any(|path| root.starts_with(path)) {
                // It may not be watched any more; then there is nothing to end.
                let _ = self.watcher.unwatch(root.as_std_path());
                self.watch_tree(&root)?;
            } else if self.pieces {
                self.watch_tree(&root)?;
            }
        }
        Ok(())
    }

    /// A root that is missing will be seen to come back by the folder around it. A folder that may not be read is left
    /// out, as it is when files are looked for.
    fn watch_tree(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
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

    /// The folders in a folder, without symbolic links, which might lead back.
    fn folders_of(&self, folder: &Utf8Path) -> Vec<Utf8PathBuf> {
        let Ok(real) = self.system.canonicalize(folder) else { return Vec::new() };
        let entries = self.system.list(folder).unwrap_or_default().into_iter();
        let folders = entries.filter(|entry| entry.is_directory);
        let no_link =
            |name: &str| self.system.canonicalize(&folder.join(name)).is_ok_and(|it| it == real.join(name));
        folders.filter(|entry| no_link(&entry.name)).map(|entry| folder.join(entry.name)).collect()
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
