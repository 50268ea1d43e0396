use std::sync::OnceLock;

use camino::Utf8Path;
use marotte_db::{Db as _, Source, relative_to, source_text};
use marotte_diagnostics::{FileId, Sources};
use marotte_text::LineIndex;

use super::ProjectDatabase;

/// The texts of a project's files, for displaying findings. Paths below the current folder are shown relative to it.
#[derive(Debug)]
pub struct ProjectSources<'db> {
    db: &'db ProjectDatabase,
}

impl<'db> ProjectSources<'db> {
    /// Creates a view of the texts in a database.
    pub fn new(db: &'db ProjectDatabase) -> Self {
        ProjectSources { db }
    }

    /// The text of a file if it may be shown, because it was read in the tree that the user means.
    fn shown(&self, id: FileId) -> Option<&'db Source> {
        let file = self.db.files().by_id(id)?;
        let source = source_text(self.db, file);
        (!self.db.system().was_outside(file.path(self.db))).then_some(source)
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
        self.shown(file).map_or("", Source::text)
    }

    fn line_index(&self, file: FileId) -> &LineIndex {
        static EMPTY: OnceLock<LineIndex> = OnceLock::new();
        match self.shown(file) {
            Some(source) => source.line_index(),
            None => EMPTY.get_or_init(|| LineIndex::new("")),
        }
    }
}
