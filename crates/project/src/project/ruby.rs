//! Changes of Ruby files below the `lib` of modules: those that appear or disappear, and the files whose findings they may affect.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_check::incremental::change::Change;
use marotte_check::incremental::interface::{counts_words, outlines};
use marotte_check::incremental::ruby::{RubyChange, RubyInterface};
use marotte_check::{is_task_metadata, is_yaml_plan};
use marotte_db::system::FileType;
use marotte_db::{Db as _, EnvironmentSet, File, FileStatus, source_text};
use marotte_resolve::data_files::{HieraFileKind, hiera_file};
use marotte_text::Str;

use super::Project;
use super::stale::{MOST, Stale};
use crate::change::ChangeBatch;
use crate::discovery;
use crate::driver::caught;

/// The folder of a module that contains its Ruby code.
const LIB: &str = "lib";

/// The interfaces of Ruby files before a change, by path. None for those that could not be read.
pub(super) type RubyBefore = BTreeMap<Utf8PathBuf, Option<RubyInterface>>;

/// Ruby files of modules that appeared or disappeared, alone or with their folders.
#[derive(Debug, Default)]
pub(super) struct MovedRuby {
    /// The paths of a batch at and below which nothing else appeared or disappeared.
    paths: BTreeSet<Utf8PathBuf>,
    created: BTreeSet<Utf8PathBuf>,
    removed: BTreeSet<File>,
}

impl MovedRuby {
    /// Whether only Ruby files and their folders can have appeared at a path, or disappeared from it.
    pub(super) fn covers(&self, path: &Utf8Path) -> bool {
        self.paths.iter().any(|it| path.starts_with(it))
    }

    /// Whether a path of the batch is one of these.
    pub(super) fn has(&self, path: &Utf8Path) -> bool {
        self.paths.contains(path)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

impl Project {
    /// The Ruby files of modules that appeared or disappeared: nothing but the list of files has to be updated.
    pub(super) fn moved_ruby(&self, batch: &ChangeBatch) -> MovedRuby {
        let mut moved = MovedRuby::default();
        // Files that git ignores may be in the list, too.
        if batch.is_rescan() || self.third_party || self.has_linked_ruby || batch.paths().count() > MOST {
            return moved;
        }
        for path in batch.paths() {
            if let Some((created, removed)) = self.moved_ruby_at(path) {
                moved.paths.insert(path.clone());
                moved.created.extend(created);
                moved.removed.extend(removed);
            }
        }
        moved
    }

    /// The Ruby files that appeared at or below a path, and those that disappeared. None if something else may have changed there, or
    /// nothing.
    fn moved_ruby_at(&self, path: &Utf8Path) -> Option<(BTreeSet<Utf8PathBuf>, BTreeSet<File>)> {
        let (db, system) = (&self.db, self.db.system());
        let module = self.module_around(path)?;
        let lib = module.join(LIB);
        let near = db.files().affected_by(db, &lib).at_or_below;
        // Through links, the folder has other names, too.
        if !path.starts_with(&lib)
            || system.read_link(&lib).is_some()
            || near.iter().any(|it| !it.path(db).starts_with(&lib))
            || self.problems.keys().any(|it| it.starts_with(&module))
            || self.paths.iter().any(|it| it.starts_with(&lib))
        {
            return None;
        }
        let mut present = BTreeSet::new();
        self.collect(path, &mut present, &mut 0)?;
        let mut known = BTreeMap::new();
        for file in near.into_iter().filter(|it| it.path(db).starts_with(path)) {
            match file.status(db) {
                FileStatus::Exists => _ = known.insert(file.path(db).clone(), file),
                FileStatus::Folder | FileStatus::Missing => {}
                FileStatus::Special | FileStatus::Unsearchable => return None,
            }
        }
        let created: BTreeSet<_> = present.iter().filter(|it| !known.contains_key(*it)).cloned().collect();
        let removed: Vec<_> = known.iter().filter(|(it, _)| !present.contains(*it)).collect();
        let is_plain = |it: &Utf8Path| it.extension() == Some("rb") && !self.exclude.contains(it.as_str());
        if !created.iter().all(|it| is_plain(it))
            || !removed.iter().all(|(it, file)| is_plain(it) && self.is_listed(**file))
            || created.is_empty() && removed.is_empty() && system.is_file(path)
        {
            return None;
        }
        let is_found = |it: &BTreeSet<Utf8PathBuf>| {
            let found = discovery::found_below(system, &module, self.walk);
            it.iter().all(|it| !discovery::is_support(it) || found.contains(it))
        };
        let is_whole = created.is_empty() || self.is_searched(&module) && is_found(&created);
        is_whole.then(|| (created, removed.into_iter().map(|(_, file)| *file).collect()))
    }

    /// Whether a Ruby file is in the list of files on which findings depend, if it belongs there.
    fn is_listed(&self, file: File) -> bool {
        !discovery::is_support(file.path(&self.db)) || self.support.contains(&file)
    }

    /// The folder of the module that contains a path.
    fn module_around(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let environments = EnvironmentSet::get(&self.db).environments(&self.db);
        let is_module = |folder: &&Utf8Path| {
            environments.iter().any(|it| it.modules(&self.db).iter().any(|(_, it)| it == *folder))
        };
        path.ancestors().skip(1).find(is_module).map(Utf8Path::to_owned)
    }

    /// Whether the search for files looks into the folder of a module.
    fn is_searched(&self, module: &Utf8Path) -> bool {
        let manifests = module.join("manifests");
        let known = self.db.files().known_below(&manifests);
        let is_found = |it: &File| {
            let path = it.path(&self.db);
            path.parent() == Some(&manifests) && self.files.contains(it) && !self.paths.contains(path)
        };
        known.iter().any(is_found)
    }

    /// Collects the files at and below a path. None if there are links or special files, or too many files and folders.
    fn collect(&self, path: &Utf8Path, found: &mut BTreeSet<Utf8PathBuf>, visited: &mut usize) -> Option<()> {
        let system = self.db.system();
        *visited += 1;
        if system.read_link(path).is_some() || *visited > MOST {
            return None;
        }
        match system.metadata(path).map(|it| it.file_type) {
            Ok(FileType::File) => _ = found.insert(path.to_owned()),
            Ok(FileType::Directory) => {
                for entry in system.list(path).ok()? {
                    self.collect(&path.join(entry.name), found, visited)?;
                }
            }
            Ok(FileType::Other) => return None,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(_) => return None,
        }
        Some(())
    }

    /// Whether what appeared is still there, and what disappeared is not.
    pub(super) fn is_settled(&self, moved: &MovedRuby) -> bool {
        let db = &self.db;
        moved.created.iter().all(|it| db.files().file(db, it).status(db) == FileStatus::Exists)
            && moved.removed.iter().all(|it| it.status(db) == FileStatus::Missing)
    }

    /// Adds Ruby files that appeared to the list, and removes those that disappeared. Returns all of them.
    pub(super) fn list_ruby(&mut self, moved: &MovedRuby) -> BTreeSet<File> {
        let db = &self.db;
        let created: BTreeSet<File> = moved.created.iter().map(|it| db.files().file(db, it)).collect();
        if !created.is_empty() || !moved.removed.is_empty() {
            let kept =
                self.support.iter().filter(|it| !moved.removed.contains(*it) && !created.contains(*it));
            let new = created.iter().filter(|it| discovery::is_support(it.path(db)));
            let mut support: Vec<File> = kept.chain(new).copied().collect();
            support.sort_by(|one, other| one.path(db).cmp(other.path(db)));
            self.support = support.into();
        }
        created.into_iter().chain(moved.removed.iter().copied()).collect()
    }

    /// The interfaces of Ruby files of modules that may have changed, appeared or disappeared, unless there are too many to be worth
    /// comparing.
    pub(super) fn ruby_before(&self, touched: &BTreeSet<File>, moved: &MovedRuby) -> RubyBefore {
        if matches!(self.stale, Stale::All) || touched.len() > MOST {
            return RubyBefore::new();
        }
        let touched = touched.iter().map(|it| it.path(&self.db));
        let ruby = touched.chain(&moved.created).filter(|it| it.extension() == Some("rb"));
        let of_modules =
            ruby.filter(|it| self.module_around(it).is_some_and(|module| it.starts_with(module.join(LIB))));
        let of = |it: &Utf8PathBuf| (it.clone(), self.ruby_interface(it));
        of_modules.map(of).collect()
    }

    fn ruby_interface(&self, path: &Utf8Path) -> Option<RubyInterface> {
        caught(&self.db, || RubyInterface::of(&self.db, path)).ok().flatten()
    }

    /// Whether a template in ERB contains one of some names: the files that render it may have findings about the name.
    fn is_in_template(&self, names: &BTreeSet<Str>) -> bool {
        let db = &self.db;
        let is_template =
            |it: &File| it.path(db).extension() == Some("erb") && it.status(db) == FileStatus::Exists;
        let has_name = |it: File| {
            let text = source_text(db, it).text().to_ascii_lowercase();
            names.iter().any(|name| text.contains(name.as_str()))
        };
        !names.is_empty() && db.files().all().into_iter().filter(is_template).any(has_name)
    }

    /// Adds the files whose findings may change because a Ruby file has changed, and the names of definitions whose outlines may differ,
    /// or depend on others than before. False if these may be any files.
    #[must_use]
    pub(super) fn concern_ruby(
        &self,
        file: File,
        before: Option<&RubyInterface>,
        stale: &mut BTreeSet<File>,
        other_outlines: &mut BTreeSet<Str>,
        other_reads: &mut BTreeSet<Str>,
    ) -> bool {
        let (db, path) = (&self.db, file.path(&self.db));
        let (Some(before), Some(after)) = (before, self.ruby_interface(path)) else { return false };
        let Ok(Some(change)) = caught(db, || RubyChange::of(db, path, before, &after)) else { return false };
        stale.insert(file);
        stale.extend(self.findings.pointing_at(file.id(db)));
        stale.extend(self.beside(file).into_iter().filter(|it| counts_words(db, *it)));
        // The index doesn't have these files.
        let is_code_in_data = |it: &File| is_yaml_plan(db, *it) || is_task_metadata(db, *it);
        if !change.functions.is_empty() && self.support.iter().any(is_code_in_data)
            || self.is_in_template(&change.functions)
        {
            return false;
        }
        let mut definitions = BTreeSet::new();
        for name in &change.functions {
            for (user, dependencies) in self.index.saying(name) {
                // It decides on what is data.
                if hiera_file(db, user).is_some_and(|it| it.kind == HieraFileKind::Configuration) {
                    return false;
                }
                stale.insert(user);
                definitions.extend(dependencies.defines.iter().cloned());
                let now = caught(db, || Arc::clone(outlines(db, user))).ok();
                other_outlines.extend(self.index.with_other_outlines(user, dependencies, now));
            }
        }
        other_reads.extend(change.reads);
        stale.extend(self.index.users(&definitions));
        let change = Change { resources: change.resources, ..Change::default() };
        self.index.concern(db, file, &change, &self.findings, stale)
    }
}
