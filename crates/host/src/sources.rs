use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use camino::Utf8Path;
use marotte_db::{Db as _, File, relative_to, source_text};
use marotte_diagnostics::{FileId, Sources};
use marotte_text::LineIndex;

use super::ProjectDatabase;

/// The texts of a project's files, for displaying findings. Paths below the current folder are shown relative to it.
#[derive(Debug)]
pub struct ProjectSources<'db> {
    db: &'db ProjectDatabase,
    /// Whether a file is outside of the tree, for the files that were asked for: finding it out costs system calls.
    outside: Mutex<BTreeMap<FileId, bool>>,
}

impl<'db> ProjectSources<'db> {
    /// Creates a view of the texts in a database.
    pub fn new(db: &'db ProjectDatabase) -> Self {
        ProjectSources { db, outside: Mutex::default() }
    }

    /// A file whose text may be shown, because it is in the tree that the user means.
    fn shown(&self, id: FileId) -> Option<File> {
        let file = self.db.files().by_id(id)?;
        let mut outside = self.outside.lock().unwrap_or_else(PoisonError::into_inner);
        let is_outside = outside.entry(id).or_insert_with(|| self.db.system().is_outside(file.path(self.db)));
        (!*is_outside).then_some(file)
    }
}

impl Sources for ProjectSources<'_> {
    fn path(&self, file: FileId) -> &str {
        let Some(file) = self.db.files().by_id(file) else { return "" };
        let path = file.path(self.db);
        match relative_to(path, self.db.system().current_dir()).map(Utf8Path::as_str) {
            Some("") => ".",
            Some(relative) => relative,
            None => path.as_str(),
        }
    }

    fn text(&self, file: FileId) -> &str {
        self.shown(file).map_or("", |file| source_text(self.db, file).text())
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        static EMPTY: OnceLock<LineIndex> = OnceLock::new();
        match self.shown(file) {
            Some(file) => source_text(self.db, file).line_index(),
            None => EMPTY.get_or_init(|| LineIndex::new("")),
        }
    }
}
