use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, File};

/// Paths that may have changed on disk since the last check; hints, not facts.
///
/// A path includes everything below it. Actual changes are determined when the batch is applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeBatch {
    paths: BTreeSet<Utf8PathBuf>,
    rescan: bool,
}

impl ChangeBatch {
    /// Creates an empty batch.
    pub fn new() -> Self {
        ChangeBatch::default()
    }

    /// A batch after which anything may have changed: the watcher has lost events.
    pub fn everything() -> Self {
        ChangeBatch { rescan: true, ..ChangeBatch::default() }
    }

    /// Adds a file or folder that was written, created, deleted, or moved from or to this path. The path is absolute.
    pub fn touch(&mut self, path: impl Into<Utf8PathBuf>) {
        self.paths.insert(path.into());
    }

    /// Adds the contents of another batch.
    pub fn merge(&mut self, other: ChangeBatch) {
        self.rescan |= other.rescan;
        self.paths.extend(other.paths);
    }

    /// Whether anything may have changed.
    pub fn is_rescan(&self) -> bool {
        self.rescan
    }

    /// The paths that may have changed, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.paths.iter()
    }

    /// The requested files and folders that may have changed: those at the paths and below them, and the enclosing folders, in
    /// which a name may have appeared or disappeared.
    pub fn known(&self, db: &dyn Db) -> BTreeSet<File> {
        if self.rescan {
            return db.files().all().into_iter().collect();
        }
        let affected = self.paths.iter().map(|path| db.files().affected_by(db, path));
        affected.flat_map(|it| it.at_or_below.into_iter().chain(it.ancestors)).collect()
    }

    /// Whether a path, or one of its ancestors, may have changed.
    pub fn touches(&self, path: &Utf8Path) -> bool {
        self.rescan || self.paths.iter().any(|it| path.starts_with(it))
    }

    /// Whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        !self.rescan && self.paths.is_empty()
    }
}

impl<P: Into<Utf8PathBuf>> FromIterator<P> for ChangeBatch {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        ChangeBatch { paths: paths.into_iter().map(Into::into).collect(), rescan: false }
    }
}

/// The result of applying a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The number of files whose text was added, removed or changed.
    pub files: usize,
    /// The list of files to check, the unreadable folders, the locations of modules, or the names in a folder that a query has
    /// read changed.
    pub layout: bool,
}

impl Applied {
    /// Whether any result may change.
    pub fn anything(self) -> bool {
        self.files > 0 || self.layout
    }
}
