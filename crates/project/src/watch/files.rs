use std::fmt;
use std::sync::mpsc::Sender;

use camino::{Utf8Path, Utf8PathBuf};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{Signal, paths};
use crate::ChangeBatch;

/// Watches paths of the machine and sends a signal when something may have changed.
///
/// The folder around each root is watched too, so that a root that is deleted, moved or replaced is noticed when it
/// comes back; so are files, which editors replace rather than write.
#[derive(Debug)]
pub struct FileWatcher {
    watcher: RecommendedWatcher,
    roots: Vec<Utf8PathBuf>,
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
    pub fn new(roots: Vec<Utf8PathBuf>, signals: Sender<Signal>) -> Result<Self, WatchError> {
        let watched = roots.clone();
        let watcher = notify::recommended_watcher(move |event| {
            if let Some(batch) = paths::batch(event, &watched) {
                // When nobody listens any more, nothing is lost.
                let _ = signals.send(Signal::Changed(batch));
            }
        });
        let error = |error| WatchError { path: roots.first().cloned().unwrap_or_default(), error };
        let mut watcher = FileWatcher { watcher: watcher.map_err(error)?, roots: roots.clone() };
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
            }
        }
        Ok(())
    }

    /// A root that is missing will be seen to come back by the folder around it.
    fn watch_tree(&mut self, root: &Utf8Path) -> Result<(), WatchError> {
        match self.watch(root, RecursiveMode::Recursive) {
            Err(error) if is_missing(&error.error) => Ok(()),
            watched => watched,
        }
    }

    fn watch(&mut self, path: &Utf8Path, mode: RecursiveMode) -> Result<(), WatchError> {
        self.watcher
            .watch(path.as_std_path(), mode)
            .map_err(|error| WatchError { path: path.to_owned(), error })
    }
}

fn is_missing(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => error.kind() == std::io::ErrorKind::NotFound,
        _ => false,
    }
}
