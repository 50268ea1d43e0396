//! Looks for files: level by level, each folder once, and past what git leaves alone.

mod ignored;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::{HashMap, HashMapExt as _};

use super::{Entry, EntryKind, FileType, ReadError, System};
use ignored::Ignored;

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// Leave out hidden names and what `.gitignore` and `.ignore` files name.
    pub ignore: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions { ignore: true }
    }
}

/// What a walk meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEntry {
    /// A folder; what it holds follows.
    Directory(Utf8PathBuf),
    /// A file.
    File {
        /// Its path below the root of the walk.
        path: Utf8PathBuf,
        /// A symbolic link stands between the root and the file, or is the file.
        through_link: bool,
    },
    /// Something that could not be visited.
    Problem {
        /// Where; characters that are not UTF-8 are replaced.
        path: Utf8PathBuf,
        /// Why.
        problem: WalkProblem,
    },
}

impl WalkEntry {
    /// Where it is.
    pub fn path(&self) -> &Utf8Path {
        match self {
            WalkEntry::Directory(path) | WalkEntry::File { path, .. } | WalkEntry::Problem { path, .. } => {
                path
            }
        }
    }
}

/// Why something could not be visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkProblem {
    /// A symbolic link that leads back to this folder above it.
    Loop(Utf8PathBuf),
    /// A symbolic link that leads out of the tree, and is not followed for that.
    LeavesTree,
    /// Too much is behind symbolic links: what is left of it was not looked at.
    TooMuch,
    /// The name is not UTF-8.
    NotUtf8,
    /// A folder that may not be read, a link to nothing, a file that says what to leave out and cannot be read.
    Unreadable(ReadError),
}

/// What lies behind symbolic links is looked at up to so many folders, and named again under further paths up to so many
/// times: nobody has as many.
const FOLDERS_BEHIND_LINKS: usize = 20_000;
const NAMED_AGAIN: usize = 200_000;

/// A level with fewer folders is read by one thread: to start others would take longer.
const FEW: usize = 16;

/// Visits everything below `root`, folders before what they hold, in order of their paths.
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
    /// What each folder that was looked into holds, without links, by its path without links.
    held: HashMap<Utf8PathBuf, Arc<[(String, bool)]>>,
    /// Links that are still to be followed, with the real paths of the folders that they are in.
    links: BTreeMap<Utf8PathBuf, (Utf8PathBuf, Option<Arc<Ignored>>)>,
    folders_left: usize,
    names_left: usize,
}

/// A folder to look into.
struct Folder {
    path: Utf8PathBuf,
    /// The path without links.
    real: Utf8PathBuf,
    /// What is to be left out; none if nothing is.
    ignored: Option<Arc<Ignored>>,
    through_link: bool,
}

/// What was found in a folder.
struct Found {
    /// Names that are not left out.
    entries: Vec<Entry>,
    ignored: Option<Arc<Ignored>>,
    problems: Vec<WalkEntry>,
    is_readable: bool,
}

impl<S: System + ?Sized> Walk<'_, S> {
    /// Looks at a tree level by level, and notes its links.
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

    /// Leaves out what is too much of a level.
    fn limit(&mut self, level: &mut Vec<Folder>) {
        for folder in level.drain(self.folders_left.min(level.len())..) {
            self.problem(folder.path, WalkProblem::TooMuch);
        }
        self.folders_left -= level.len();
    }

    /// Reads the folders of a level, in parallel if there are many.
    fn look_into(&self, level: &[Folder]) -> Vec<Found> {
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(8);
        if level.len() < FEW || threads == 1 {
            return level.iter().map(|it| look_into(self.system, it)).collect();
        }
        let (next, all) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(level.len())));
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let mut own = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(folder) = level.get(index) else { break };
                        own.push((index, look_into(self.system, folder)));
                    }
                    all.lock().unwrap_or_else(PoisonError::into_inner).extend(own);
                });
            }
        });
        let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
        all.sort_unstable_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, found)| found).collect()
    }

    /// Takes in what a folder holds.
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

    /// Names what a folder holds that was looked into already under another path, without looking again.
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
    let ignored = folder.ignored.as_ref().map(|it| it.with(system, &folder.path, &names, &mut problems));
    if let Some(ignored) = &ignored {
        entries.retain(|it| !ignored.has(&folder.path.join(&it.name), it, system));
    }
    Found { entries, ignored, problems, is_readable: true }
}
