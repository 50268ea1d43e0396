//! Copies of the corpus that may be multiplied and edited.

use std::path::{Path, PathBuf};

use crate::{Result, files};

/// A folder for temporary files that is removed when this value is dropped.
pub(crate) struct Scratch {
    folder: PathBuf,
}

impl Scratch {
    /// Creates a new one. It is outside the repository, whose ignore files must not apply.
    pub(crate) fn new(purpose: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("marotte-bench-{purpose}-{}", std::process::id()));
        files::make_folder(&folder)?;
        Ok(Self { folder })
    }

    /// Returns the path of the folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Copies the files below `tree` with one of these extensions into the folder `name`, and returns its path.
    pub(crate) fn copy(&self, tree: &Path, extensions: &[&str], name: &str) -> Result<PathBuf> {
        let to = self.folder.join(name);
        for path in files::regular_files(tree, extensions)? {
            files::copy(&tree.join(&path), &to.join(&path))?;
        }
        Ok(to)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Leftovers in the folder for temporary files are harmless.
        let _ = files::remove_folder(&self.folder);
    }
}
