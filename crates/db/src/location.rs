//! The real locations of files, and the files that a change reported under another name may affect.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;

use crate::system::{Resolved, System, resolve};
use crate::{Db, File};

/// The path of a file without links, as far as it exists. A switched link invalidates the query, once the file is
/// [refreshed](File::refresh).
#[salsa::tracked(returns(deref))]
pub fn real_path(db: &dyn Db, file: File) -> Utf8PathBuf {
    // A refreshed file whose location changed has another status or another revision.
    file.status(db);
    file.revision(db);
    let (system, path) = (db.system(), file.path(db));
    if let Some(mut resolver) = db.files().lasting_resolver() {
        return resolver.resolve(system, path).real;
    }
    let real = resolve(system, path).real;
    db.files().told(file, &real);
    real
}

/// The target of the symbolic link at a path, as it is written in the link; empty if there is none. Another text invalidates the
/// query, once the file is [refreshed](File::refresh), even if it leads to the same place.
#[salsa::tracked(returns(deref))]
pub fn link_target(db: &dyn Db, file: File) -> Utf8PathBuf {
    file.status(db);
    file.revision(db);
    let target = db.system().written_link(file.path(db)).unwrap_or_default();
    db.files().told_target(file, &target);
    target
}

/// The known files that a change at a path may affect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AffectedFiles {
    /// The files at the path or below it, under any name they are known by, and the targets of a symbolic link there.
    pub at_or_below: BTreeSet<File>,
    /// The enclosing folders: a name in them may have appeared or disappeared.
    pub ancestors: BTreeSet<File>,
}

/// The files whose paths contain symbolic links. Kept outside the queries: only the code that handles changes needs it, and that
/// code also needs links that no query has read.
#[derive(Debug, Default)]
pub(crate) struct Links {
    known: BTreeMap<File, Resolved>,
    /// The files by their paths without links.
    by_real: BTreeMap<Utf8PathBuf, BTreeSet<File>>,
    /// The files by the links on the way to them.
    by_link: BTreeMap<Utf8PathBuf, BTreeSet<File>>,
    /// The number of known files that were examined.
    pub(crate) seen: usize,
    /// The paths without links that queries have seen.
    pub(crate) told: HashMap<File, Utf8PathBuf>,
    /// The targets of links, as they are written, that queries have seen.
    pub(crate) told_targets: HashMap<File, Utf8PathBuf>,
}

impl Links {
    /// Sets the current location of a file.
    pub(crate) fn set(&mut self, file: File, path: &Utf8Path, resolved: Resolved) {
        if let Some(old) = self.known.remove(&file) {
            remove(&mut self.by_real, &old.real, file);
            old.links.iter().for_each(|link| remove(&mut self.by_link, link, file));
        }
        if resolved.real != path {
            self.by_real.entry(resolved.real.clone()).or_default().insert(file);
            for link in &resolved.links {
                self.by_link.entry(link.clone()).or_default().insert(file);
            }
            self.known.insert(file, resolved);
        }
    }

    /// The links on the way to files.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.by_link.keys()
    }

    /// The files whose path without links is this one.
    pub(crate) fn at(&self, real: &Utf8Path) -> impl Iterator<Item = File> {
        self.by_real.get(real).into_iter().flatten().copied()
    }

    /// The files whose path without links is at or below a path, or is reached through a link there.
    pub(crate) fn below(&self, path: &Utf8Path) -> impl Iterator<Item = File> {
        below(&self.by_real, path).chain(below(&self.by_link, path))
    }
}

fn remove(files: &mut BTreeMap<Utf8PathBuf, BTreeSet<File>>, path: &Utf8Path, file: File) {
    if let Some(at) = files.get_mut(path) {
        at.remove(&file);
        if at.is_empty() {
            files.remove(path);
        }
    }
}

fn below(files: &BTreeMap<Utf8PathBuf, BTreeSet<File>>, path: &Utf8Path) -> impl Iterator<Item = File> {
    // Paths are compared by component, so that a folder's contents follow it.
    let from = (Bound::Included(path), Bound::Unbounded);
    let near = files.range::<Utf8Path, _>(from).take_while(move |(it, _)| it.starts_with(path));
    near.flat_map(|(_, files)| files.iter().copied())
}

/// Resolves the paths of many files: each folder on the way once.
#[derive(Debug, Default)]
pub struct Resolver {
    folders: HashMap<Utf8PathBuf, Resolved>,
}

impl Resolver {
    /// Resolves an absolute path link by link, as [`resolve`](resolve()) does.
    pub fn resolve(&mut self, system: &dyn System, path: &Utf8Path) -> Resolved {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return resolve(system, path);
        };
        let folder = self.folder(system, folder);
        let real = folder.real.join(name);
        match system.read_link(&real) {
            Some(_) => resolve(system, path),
            None => Resolved { real, links: folder.links.clone() },
        }
    }

    fn folder(&mut self, system: &dyn System, path: &Utf8Path) -> &Resolved {
        let around: Vec<&Utf8Path> =
            path.ancestors().take_while(|it| !self.folders.contains_key(*it)).collect();
        for folder in around.into_iter().rev() {
            let above = folder.parent().zip(folder.file_name());
            let above = above.and_then(|(above, name)| Some((self.folders.get(above)?, name)));
            let resolved = match above {
                Some((above, name)) => {
                    let real = above.real.join(name);
                    match system.read_link(&real) {
                        Some(_) => resolve(system, folder),
                        None => Resolved { real, links: above.links.clone() },
                    }
                }
                None => resolve(system, folder),
            };
            self.folders.insert(folder.to_owned(), resolved);
        }
        self.folders.entry(path.to_owned()).or_default()
    }
}
