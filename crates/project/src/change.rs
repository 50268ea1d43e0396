use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::{Db, File};

/// What may have changed outside since the last time: paths, no claims.
///
/// A path stands for all that is below it. Whether anything did change is found out by looking, when the batch is applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeBatch {
    paths: BTreeSet<Utf8PathBuf>,
    rescan: bool,
}

impl ChangeBatch {
    /// An empty batch.
    pub fn new() -> Self {
        ChangeBatch::default()
    }

    /// A batch that says that anything may have changed: whoever watches has lost track.
    pub fn everything() -> Self {
        ChangeBatch { rescan: true, ..ChangeBatch::default() }
    }

    /// Adds a file or folder that was written, made, deleted, or moved away or here. Its path is absolute.
    pub fn touch(&mut self, path: impl Into<Utf8PathBuf>) {
        self.paths.insert(path.into());
    }

    /// Adds all that another batch says.
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

    /// The files and folders that somebody asked for and that may be different now: those at the paths and below them, and the
    /// folders around, in which a name may have come or gone.
    pub fn known(&self, db: &dyn Db) -> BTreeSet<File> {
        if self.rescan {
            return db.files().all().into_iter().collect();
        }
        let touched = self.paths.iter().map(|path| db.files().touched(db, path));
        touched.flat_map(|it| it.here.into_iter().chain(it.around)).collect()
    }

    /// Whether something at a path, or above it, may have changed.
    pub fn touches(&self, path: &Utf8Path) -> bool {
        self.rescan || self.paths.iter().any(|it| path.starts_with(it))
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        !self.rescan && self.paths.is_empty()
    }
}

impl<P: Into<Utf8PathBuf>> FromIterator<P> for ChangeBatch {
    fn from_iter<I: IntoIterator<Item = P>>(paths: I) -> Self {
        ChangeBatch { paths: paths.into_iter().map(Into::into).collect(), rescan: false }
    }
}

/// What a batch came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Files whose text came, went or changed.
    pub files: usize,
    /// The list of files to check, the folders that could not be read, the places of modules or the names in a folder that
    /// somebody asked for are different.
    pub layout: bool,
}

impl Applied {
    /// Whether any answer can be different now.
    pub fn anything(self) -> bool {
        self.files > 0 || self.layout
    }
}
