//! Searches a tree for files: level by level, each folder once, without what git ignores.

mod ignored;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::{HashMap, HashMapExt as _};
use rayon::prelude::*;

use super::{Entry, EntryKind, FileType, ReadError, System};
use ignored::Ignored;
pub use ignored::{ignore_patterns, is_ignore_file, lists_above};

/// The options of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// Skip hidden names and the paths listed in `.gitignore` and `.ignore` files.
    pub ignore: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions { ignore: true }
    }
}

/// An event of a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEntry {
    /// A folder; its contents follow.
    Directory(Utf8PathBuf),
    /// A file that was found.
    File {
        /// The file's path below the root of the walk.
        path: Utf8PathBuf,
        /// A symbolic link is on the way from the root to the file, or is the file.
        through_link: bool,
    },
    /// A list of ignored files that is a symbolic link, or that is reached through one.
    LinkedList(Utf8PathBuf),
    /// A path that could not be visited.
    Problem {
        /// The path; characters that aren't UTF-8 are replaced.
        path: Utf8PathBuf,
        /// The reason why the path can't be walked.
        problem: WalkProblem,
    },
}

impl WalkEntry {
    /// The path of the entry.
    pub fn path(&self) -> &Utf8Path {
        match self {
            WalkEntry::Directory(path)
            | WalkEntry::File { path, .. }
            | WalkEntry::LinkedList(path)
            | WalkEntry::Problem { path, .. } => path,
        }
    }
}

/// The reason why a path could not be visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkProblem {
    /// A symbolic link that leads back to this folder above it.
    Loop(Utf8PathBuf),
    /// A symbolic link that leads out of the tree, and therefore isn't followed.
    LeavesTree,
    /// Too many folders are reached through symbolic links: the remaining ones weren't searched.
    TooMuch,
    /// The name is not UTF-8.
    NotUtf8,
    /// A folder without read permission, a dangling link, or an ignore file that cannot be read.
    Unreadable(ReadError),
    /// A setting names it as a folder, but it is something else.
    NotAFolder,
}

impl fmt::Display for WalkProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WalkProblem::Loop(above) => write!(f, "a symbolic link leads back to {above}"),
            WalkProblem::LeavesTree => f.write_str("a symbolic link leads out of the tree"),
            WalkProblem::TooMuch => f.write_str("symbolic links lead to more files than the limit allows"),
            WalkProblem::NotUtf8 => f.write_str("its name is not UTF-8"),
            WalkProblem::Unreadable(error) => error.fmt(f),
            WalkProblem::NotAFolder => f.write_str("it is not a folder"),
        }
    }
}

/// The limits on the folders searched through symbolic links, and on the paths reported again under further names: no real tree
/// reaches them.
const FOLDERS_BEHIND_LINKS: usize = 20_000;
const NAMED_AGAIN: usize = 200_000;

/// A level with fewer folders is read by one thread: handing them to others would take longer.
const FEW: usize = 16;

/// Visits everything below `root`, folders before their contents, in order of their paths.
pub(super) fn walk<S: System + ?Sized>(
    system: &S,
    root: &Utf8Path,
    options: WalkOptions,
    visit: &mut dyn FnMut(WalkEntry),
) {
    match system.metadata(root).map(|it| it.file_type) {
        Ok(FileType::Directory) => {}
        Ok(FileType::File) => return visit(WalkEntry::File { path: root.to_owned(), through_link: false }),
        Ok(FileType::Other) => return,
        Err(error) => {
            let problem = WalkProblem::Unreadable(error.into());
            return visit(WalkEntry::Problem { path: root.to_owned(), problem });
        }
    }
    let mut walk = Walk {
        system,
        met: Vec::new(),
        held: HashMap::new(),
        links: BTreeMap::new(),
        folders_left: FOLDERS_BEHIND_LINKS,
        names_left: NAMED_AGAIN,
    };
    let real = system.canonicalize(root).unwrap_or_else(|_| root.to_owned());
    let ignored = options.ignore.then(|| Ignored::above(system, root, &mut walk.met));
    walk.tree(Folder { path: root.to_owned(), real, ignored, through_link: false });
    while let Some((path, (folder, ignored))) = walk.links.pop_first() {
        walk.link(path, &folder, ignored);
    }
    walk.met.sort_unstable_by(|one, other| one.path().as_str().cmp(other.path().as_str()));
    walk.met.into_iter().for_each(visit);
}

struct Walk<'a, S: ?Sized> {
    system: &'a S,
    met: Vec<WalkEntry>,
    /// The contents of each folder that was read, without links, by the folder's path without links.
    held: HashMap<Utf8PathBuf, Arc<[(String, bool)]>>,
    /// Links that are still to be followed, with the real paths of their folders.
    links: BTreeMap<Utf8PathBuf, (Utf8PathBuf, Option<Arc<Ignored>>)>,
    folders_left: usize,
    names_left: usize,
}

/// A folder to search.
struct Folder {
    path: Utf8PathBuf,
    /// The path without links.
    real: Utf8PathBuf,
    /// The ignore rules that apply; None if nothing is ignored.
    ignored: Option<Arc<Ignored>>,
    through_link: bool,
}

/// The contents found in a folder.
struct Found {
    /// Names that aren't ignored.
    entries: Vec<Entry>,
    ignored: Option<Arc<Ignored>>,
    problems: Vec<WalkEntry>,
    is_readable: bool,
}

impl<S: System + ?Sized> Walk<'_, S> {
    /// Searches a tree level by level, and collects its links.
    fn tree(&mut self, root: Folder) {
        let mut level = vec![root];
        while !level.is_empty() {
            if level[0].through_link {
                self.limit(&mut level);
            }
            let found = self.look_into(&level);
            let mut next = Vec::new();
            for (folder, found) in level.into_iter().zip(found) {
                self.enter(folder, found, &mut next);
            }
            level = next;
        }
    }

    /// Drops the folders of a level that exceed the limit.
    fn limit(&mut self, level: &mut Vec<Folder>) {
        for folder in level.drain(self.folders_left.min(level.len())..) {
            self.problem(folder.path, WalkProblem::TooMuch);
        }
        self.folders_left -= level.len();
    }

    /// Reads the folders of a level, in parallel if there are many.
    fn look_into(&self, level: &[Folder]) -> Vec<Found> {
        let system = self.system;
        match level.len() < FEW {
            true => level.iter().map(|it| look_into(system, it)).collect(),
            false => level.par_iter().map(|it| look_into(system, it)).collect(),
        }
    }

    /// Records the contents of a folder.
    fn enter(&mut self, folder: Folder, found: Found, next: &mut Vec<Folder>) {
        self.met.push(WalkEntry::Directory(folder.path.clone()));
        self.met.extend(found.problems);
        if !found.is_readable {
            return;
        }
        let mut held = Vec::new();
        for entry in found.entries {
            let path = folder.path.join(&entry.name);
            match entry.kind {
                EntryKind::NotUtf8 => self.problem(path, WalkProblem::NotUtf8),
                EntryKind::Other => self
                    .met
                    .push(WalkEntry::Problem { path, problem: WalkProblem::Unreadable(ReadError::NotAFile) }),
                EntryKind::Link => {
                    self.links.insert(path, (folder.real.clone(), found.ignored.clone()));
                }
                EntryKind::File => {
                    self.met.push(WalkEntry::File { path, through_link: folder.through_link });
                    held.push((entry.name, false));
                }
                EntryKind::Directory => {
                    let real = folder.real.join(&entry.name);
                    let (ignored, through_link) = (found.ignored.clone(), folder.through_link);
                    held.push((entry.name, true));
                    match self.held.contains_key(&real) {
                        true => self.name_again(path, real),
                        false => next.push(Folder { path, real, ignored, through_link }),
                    }
                }
            }
        }
        self.held.insert(folder.real, held.into());
    }

    /// Follows a link that is in a folder.
    fn link(&mut self, path: Utf8PathBuf, folder: &Utf8Path, ignored: Option<Arc<Ignored>>) {
        if self.system.leaves(&path) {
            return self.problem(path, WalkProblem::LeavesTree);
        }
        match self.system.metadata(&path).map(|it| it.file_type) {
            Err(error) => self.problem(path, WalkProblem::Unreadable(error.into())),
            Ok(FileType::Other) => self.problem(path, WalkProblem::Unreadable(ReadError::NotAFile)),
            Ok(FileType::File) => self.met.push(WalkEntry::File { path, through_link: true }),
            Ok(FileType::Directory) => match self.system.canonicalize(&path) {
                Err(error) => self.problem(path, WalkProblem::Unreadable(error.into())),
                Ok(target) if folder.starts_with(&target) => {
                    let shown = path.ancestors().skip(1);
                    let mut shown =
                        shown.filter(|it| self.system.canonicalize(it).is_ok_and(|it| it == target));
                    let above = shown.next().unwrap_or(&target).to_owned();
                    self.problem(path, WalkProblem::Loop(above));
                }
                Ok(target) if self.held.contains_key(&target) => self.name_again(path, target),
                Ok(real) => self.tree(Folder { path, real, ignored, through_link: true }),
            },
        }
    }

    /// Reports the contents of a folder that was already read under another path, without reading it again.
    fn name_again(&mut self, path: Utf8PathBuf, real: Utf8PathBuf) {
        let mut open = vec![(path, real)];
        while let Some((path, real)) = open.pop() {
            let held = self.held.get(&real).cloned().unwrap_or_default();
            if self.names_left < held.len() {
                self.problem(path, WalkProblem::TooMuch);
                return;
            }
            self.names_left -= held.len();
            for (name, is_folder) in held.iter() {
                let path = path.join(name);
                match is_folder {
                    true => open.push((path, real.join(name))),
                    false => self.met.push(WalkEntry::File { path, through_link: true }),
                }
            }
            self.met.push(WalkEntry::Directory(path));
        }
    }

    fn problem(&mut self, path: Utf8PathBuf, problem: WalkProblem) {
        self.met.push(WalkEntry::Problem { path, problem });
    }
}

fn look_into<S: System + ?Sized>(system: &S, folder: &Folder) -> Found {
    let mut problems = Vec::new();
    let entries = system.entries(&folder.path);
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            let problem = WalkProblem::Unreadable(error.into());
            problems.push(WalkEntry::Problem { path: folder.path.clone(), problem });
            return Found { entries: Vec::new(), ignored: None, problems, is_readable: false };
        }
    };
    let names: BTreeSet<&str> =
        entries.iter().map(|it| it.name.as_str()).filter(|it| ignored::NAMES.contains(it)).collect();
    if folder.ignored.is_some() {
        problems.extend(ignored::linked_lists(system, &folder.path, &entries));
    }
    let ignored = folder.ignored.as_ref().map(|it| it.with(system, &folder.path, &names, &mut problems));
    if let Some(ignored) = &ignored {
        entries.retain(|it| !ignored.has(&folder.path.join(&it.name), it, system));
    }
    Found { entries, ignored, problems, is_readable: true }
}
