//! The update of the database after paths may have changed.

use std::collections::BTreeSet;

use camino::Utf8Path;
use marotte_db::{AffectedFiles, Db as _, EnvironmentSet, File, FileStatus, Settings};
use marotte_diagnostics::rules::Subject;

use super::Project;
use super::stale::Stale;
use crate::change::{Applied, ChangeBatch};
use crate::discovery;

impl Project {
    /// Reads the paths that may have changed, and updates the database.
    ///
    /// Computations on clones are cancelled, but only if anything changed.
    pub fn apply(&mut self, batch: &ChangeBatch) -> Applied {
        let mut layout = batch.is_rescan();
        let moved = self.moved_manifests(batch);
        let ruby = self.moved_ruby(batch);
        let is_moved = |path: &Utf8Path| moved.contains(path) || ruby.covers(path);
        let mut touched = BTreeSet::new();
        let mut folders = BTreeSet::new();
        if batch.is_rescan() {
            touched.extend(self.db.files().all());
        } else {
            let of_user = self.db.system().user_excludes().map(|it| it.path);
            for path in batch.paths() {
                let AffectedFiles { at_or_below, ancestors } = self.db.files().affected_by(&self.db, path);
                let system = self.db.system();
                layout |= !is_moved(path)
                    && (discovery::is_landmark(path)
                        || of_user.as_ref() == Some(path)
                        // Lists of ignored files apply up to the top of a repository.
                        || path.file_name() == Some(".git")
                        || system.read_link(path).is_some()
                        // Where only the folder is told, anything may have appeared in it, or be another configuration.
                        || system.is_directory(path)
                        // Modules may be anywhere, as long as a folder of the module path is missing.
                        || self.is_around_modules(path)
                        || (discovery::is_candidate(path) || discovery::is_support(path))
                            && at_or_below.iter().all(|it| self.is_unlisted(*it)));
                touched.extend(at_or_below);
                // A query may have read the names in an enclosing folder.
                folders.extend(ancestors.into_iter().filter(|it| it.status(&self.db) != FileStatus::Exists));
            }
        }
        let mut applied = Applied::default();
        let seen = self.seen_by_others(&touched);
        let ruby_before = self.ruby_before(&touched, &ruby);
        let mut changed = BTreeSet::new();
        for file in touched {
            let status = file.status(&self.db);
            if file.refresh(&mut self.db) {
                applied.files += 1;
                changed.insert(file);
            }
            layout |= file.status(&self.db) != status && !is_moved(file.path(&self.db));
        }
        for folder in folders {
            let has_changed = folder.refresh(&mut self.db);
            applied.layout |= has_changed && !Project::has_only(&moved, &ruby, batch, folder.path(&self.db));
        }
        let mut listed = BTreeSet::new();
        let may_rename = batch.paths().any(|it| self.deciding.contains(it));
        layout |= may_rename && !(moved.is_empty() && ruby.is_empty()) || !self.is_settled(&ruby);
        if layout || may_rename {
            let discovered = self.discover();
            applied.files += discovered.files;
            applied.layout |= discovered.layout;
        } else {
            listed = self.list(moved);
            let of_ruby = self.list_ruby(&ruby);
            applied.files += of_ruby.iter().filter(|it| changed.insert(**it)).count();
            let unknown = listed.iter().filter(|it| changed.insert(**it)).count();
            applied.files += unknown;
        }
        // An edit of any file may begin to use something that was unused, or stop using it.
        if layout
            || applied.layout
            || !changed.is_empty() && Settings::get(&self.db).rules(&self.db).has(Subject::Tree)
        {
            self.stale = Stale::All;
        } else {
            self.concern(&changed, &seen, &listed, &ruby_before, &ruby);
        }
        if matches!(self.stale, Stale::All) {
            self.forget_contents();
        }
        applied
    }

    /// Whether a file exists, but neither the list of files to check nor that of support files has it, because a query requested it
    /// after the last discovery. A check that runs while a file is created may find it before the watcher reports it.
    fn is_unlisted(&self, file: File) -> bool {
        let number = usize::try_from(file.id(&self.db).0).unwrap_or(usize::MAX);
        number >= self.discovered
            && file.status(&self.db) == FileStatus::Exists
            && !self.files.contains(&file)
            && !self.support.contains(&file)
    }

    /// Whether a path is a folder of a module path, or contains one.
    fn is_around_modules(&self, path: &Utf8Path) -> bool {
        let mut environments = EnvironmentSet::get(&self.db).environments(&self.db).iter();
        environments.any(|it| it.module_path(&self.db).iter().any(|folder| folder.starts_with(path)))
    }
}
