//! The files whose findings a change may affect.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_check::data::interface::{DataInterface, data_interface};
use marotte_check::incremental::change::{Change, counts_names};
use marotte_check::incremental::dependencies::Dependencies;
use marotte_check::incremental::interface::{Interface, counts_words, interface, outlines};
use marotte_check::shadowed_facts;
use marotte_db::system::FileType;
use marotte_db::{Db as _, File, FileStatus, by_parts, environment_of, module_file, module_folder};
use marotte_text::Str;

use super::Project;
use super::ruby::{MovedRuby, RubyBefore};
use crate::change::ChangeBatch;
use crate::discovery;
use crate::driver::caught;

/// A change of more files than these was made by a tool, and most likely affects other files, too.
pub(super) const MOST: usize = 64;

/// The interface of a file.
pub(super) enum Seen {
    /// With the names of legacy facts that the code sets as variables, on which findings in templates depend.
    Code(Arc<Interface>, BTreeSet<Str>),
    Data(Box<DataInterface>),
}

impl Seen {
    /// The interface of code that doesn't exist.
    fn missing() -> Seen {
        Seen::Code(Arc::new(Interface::missing()), BTreeSet::new())
    }
}

/// The files whose kept findings may be outdated.
#[derive(Clone, Debug)]
pub(super) enum Stale {
    /// All files are stale.
    All,
    /// Only these files are stale. Some may have disappeared.
    Files(BTreeSet<File>),
}

impl Project {
    /// The paths of manifests that appeared or disappeared beside other manifests of their module: nothing but the list of files
    /// has to be updated.
    pub(super) fn moved_manifests(&self, batch: &ChangeBatch) -> BTreeSet<Utf8PathBuf> {
        // Files that git ignores may be in the list, too.
        if batch.is_rescan() || self.third_party || batch.paths().count() > MOST {
            return BTreeSet::new();
        }
        batch.paths().filter(|it| self.is_moved_manifest(it, batch)).cloned().collect()
    }

    fn is_moved_manifest(&self, path: &Utf8Path, batch: &ChangeBatch) -> bool {
        let (db, system) = (&self.db, self.db.system());
        let Some(folder) = path.parent().filter(|_| path.extension() == Some("pp")) else { return false };
        // A link that leads to the file, or led to nothing until now, counts instead of the file, or dangles.
        if self.has_linked_code
            // Another manifest may decide on the module's name.
            || self.deciding.iter().any(|it| it.parent() == Some(folder))
            || self.paths.iter().any(|it| it == path)
            || self.exclude.contains(path.as_str())
        {
            return false;
        }
        let is_there = match system.metadata(path) {
            Ok(it) if it.file_type == FileType::File && system.read_link(path).is_none() => true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => false,
            _ => return false,
        };
        let known = db.files().known(path);
        let is_moved = match known.map(|it| (it.status(db), self.files.contains(&it))) {
            Some((FileStatus::Exists, is_checked)) => is_checked && !is_there,
            Some((FileStatus::Missing, _)) | None => is_there,
            _ => false,
        };
        if !is_moved {
            return false;
        }
        let near = db.files().affected_by(db, folder).at_or_below;
        // Through links, the folder has other names, too.
        if near.iter().any(|it| !it.path(db).starts_with(folder)) {
            return false;
        }
        let is_beside = |it: &File| {
            let other = it.path(db);
            other.parent() == Some(folder)
                && self.files.contains(it)
                && !self.paths.contains(other)
                && !batch.touches(other)
                && module_file(db, *it)
                    .is_some_and(|it| matches!(it.folder(), Some("manifests" | "functions")))
        };
        near.iter().any(is_beside) && (!is_there || discovery::finds(system, folder, path, self.walk))
    }

    /// Whether only names of [moved manifests](Project::moved_manifests) and of [Ruby files](Project::moved_ruby) appeared in a folder,
    /// or disappeared from it.
    pub(super) fn has_only(
        moved: &BTreeSet<Utf8PathBuf>,
        ruby: &MovedRuby,
        batch: &ChangeBatch,
        folder: &Utf8Path,
    ) -> bool {
        let mut own = batch.paths().filter(|it| it.parent() == Some(folder)).peekable();
        own.peek().is_some() && own.all(|it| moved.contains(it) || ruby.has(it))
    }

    /// Adds manifests that appeared to the list of files, and removes those that disappeared. Returns all of them.
    pub(super) fn list(&mut self, moved: BTreeSet<Utf8PathBuf>) -> BTreeSet<File> {
        let db = &self.db;
        let listed: BTreeSet<File> = moved.iter().map(|path| db.files().file(db, path)).collect();
        let files = Arc::make_mut(&mut self.files);
        for file in &listed {
            match file.status(db) {
                FileStatus::Exists => {
                    let before = |it: &File| by_parts(it.path(db), file.path(db)).is_lt();
                    files.shift_insert(files.partition_point(before), *file);
                }
                _ => drop(files.shift_remove(file)),
            }
        }
        listed
    }

    /// The interfaces of files, unless there are too many to be worth comparing.
    pub(super) fn seen_by_others(&self, files: &BTreeSet<File>) -> BTreeMap<File, Seen> {
        if matches!(self.stale, Stale::All) || files.len() > MOST {
            return BTreeMap::new();
        }
        files.iter().filter_map(|it| Some((*it, self.seen(*it)?))).collect()
    }

    /// The interface of a file to check. None for files other than code and data, for missing files, and if the query panics.
    fn seen(&self, file: File) -> Option<Seen> {
        let db = &self.db;
        let path = file.path(db);
        if !self.files.contains(&file)
            || file.status(db) != FileStatus::Exists
            || discovery::is_landmark(path)
        {
            return None;
        }
        let seen = || match discovery::is_puppet(path) {
            true => Some(Seen::Code(Arc::clone(interface(db, file)), shadowed_facts(db, file))),
            false => data_interface(db, file).map(|it| Seen::Data(Box::new(it))),
        };
        caught(db, seen).ok().flatten()
    }

    /// Marks the files whose findings may change because some files have changed; `seen` are the previous interfaces of these, and
    /// those that were [listed](Project::list) anew appeared or disappeared. `ruby_before` are the previous interfaces of Ruby files.
    pub(super) fn concern(
        &mut self,
        changed: &BTreeSet<File>,
        seen: &BTreeMap<File, Seen>,
        listed: &BTreeSet<File>,
        ruby_before: &RubyBefore,
        moved_ruby: &MovedRuby,
    ) {
        let missing = Seen::missing();
        let Stale::Files(mut stale) = std::mem::replace(&mut self.stale, Stale::All) else { return };
        let (mut other_outlines, mut other_reads) = (BTreeSet::new(), BTreeSet::new());
        for &file in changed {
            let path = file.path(&self.db);
            if let Some(before) = ruby_before.get(path) {
                let (outlines, reads) = (&mut other_outlines, &mut other_reads);
                if !self.concern_ruby(file, before.as_ref(), &mut stale, outlines, reads) {
                    return;
                }
                continue;
            }
            // The folders of Ruby files.
            let is_file = file.status(&self.db) == FileStatus::Exists;
            if !is_file && path.extension() != Some("rb") && moved_ruby.covers(path) {
                continue;
            }
            let (mut before, mut after) = (seen.get(&file), self.seen(file));
            if listed.contains(&file) {
                match file.status(&self.db) {
                    FileStatus::Missing => after = Some(Seen::missing()),
                    _ => before = Some(&missing),
                }
            }
            let change = match (before, after) {
                (Some(Seen::Code(_, before)), Some(Seen::Code(_, after))) if *before != after => None,
                (Some(Seen::Code(before, _)), Some(Seen::Code(after, _))) if *before == after => {
                    Some(Change::default())
                }
                (Some(Seen::Code(before, _)), Some(Seen::Code(after, _))) => Change::of_code(before, &after),
                (Some(Seen::Data(before)), Some(Seen::Data(after))) => Change::of_data(before, &after),
                _ => None,
            };
            let Some(mut change) = change else { return };
            if change.data {
                self.forget_reads();
            }
            change.resolve_anew(self.index.said_elsewhere(file, &change.moved));
            stale.insert(file);
            stale.extend(self.findings.pointing_at(file.id(&self.db)));
            let is_counting =
                |it: &File| counts_words(&self.db, *it) || counts_names(&self.db, *it, &change.uses);
            stale.extend(self.beside(file).into_iter().filter(is_counting));
            if !self.index.concern(&self.db, file, &change, &self.findings, &mut stale) {
                return;
            }
            other_outlines.extend(change.outlines);
            other_reads.extend(change.reads);
        }
        let now = |file: File| caught(&self.db, || Arc::clone(outlines(&self.db, file))).ok();
        let compared = |file: File, dependencies: &Dependencies| {
            self.index.with_other_outlines(file, dependencies, now(file))
        };
        // A cycle that opens or closes changes the outlines of its members, but not of every definition between them.
        let any = |_, dependencies: &Dependencies| dependencies.defines.to_vec();
        if !self.index.follow(other_outlines, &compared, &mut stale)
            || !self.index.follow(other_reads, &any, &mut stale)
        {
            return;
        }
        let is_gone = |it: &File| {
            it.status(&self.db) == FileStatus::Missing && (self.index.has(*it) || self.findings.has(*it))
        };
        stale.retain(|it| self.files.contains(it) || self.support.contains(it) || is_gone(it));
        self.stale = Stale::Files(stale);
    }

    /// The files of code in the module of a file.
    pub(super) fn beside(&self, file: File) -> Vec<File> {
        let db = &self.db;
        let environment = environment_of(db, file);
        let folder = module_file(db, file).and_then(|it| module_folder(db, environment, it.module.clone()));
        let beside = folder.map(|it| db.files().known_below(it)).unwrap_or_default();
        let is_code = |it: &File| discovery::is_puppet(it.path(db)) && self.files.contains(it);
        beside.into_iter().filter(is_code).collect()
    }
}
