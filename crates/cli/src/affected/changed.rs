use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{self, Entry, EntryKind, FileType, Metadata, ReadError};

/// The state of the files that change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum FileState {
    /// The files are unchanged.
    Kept,
    /// The files exist but can't be read, so that any evaluation that reads them gets an error.
    Unreadable,
    /// The files don't exist, and neither do folders without any other files: git has no empty folders.
    Gone,
    /// Paths that aren't files are folders whose contents can't be read.
    Folder,
}

impl FileState {
    const ALL: [FileState; 4] = [FileState::Kept, FileState::Unreadable, FileState::Gone, FileState::Folder];
}

/// A copy of another system in which some files may change state, whether they exist or not. A path that isn't a file may be, or
/// become, a folder or a link to one: it changes with everything below it. A caller that changes the state must
/// notify the database, as it does for a change on disk.
#[derive(Debug)]
pub(super) struct ChangedSystem {
    base: Arc<dyn System>,
    /// The paths of each file: as the user names it, and with all links resolved.
    each: Vec<[Utf8PathBuf; 2]>,
    /// All paths in `each`.
    files: BTreeSet<Utf8PathBuf>,
    /// Those of them that may be folders: what exists there isn't a file.
    trees: BTreeSet<Utf8PathBuf>,
    /// The folders that contain paths of `files`, at any depth.
    around: BTreeSet<Utf8PathBuf>,
    state: AtomicU8,
    /// The number of the only file that changes, or [`ALL`].
    only: AtomicUsize,
}

/// The value of `only` if all files change.
const ALL: usize = usize::MAX;

impl ChangedSystem {
    /// Creates a system in which all files are unchanged. `files` are absolute paths.
    pub(super) fn new(base: Arc<dyn System>, files: &[Utf8PathBuf]) -> ChangedSystem {
        let each: Vec<[Utf8PathBuf; 2]> = files.iter().map(|it| [real(&*base, it), it.clone()]).collect();
        let files: BTreeSet<Utf8PathBuf> = each.iter().flatten().cloned().collect();
        let trees = files.iter().filter(|it| !base.is_file(it)).cloned().collect();
        let around = files.iter().flat_map(|it| it.ancestors().skip(1)).map(Utf8Path::to_owned).collect();
        ChangedSystem {
            base,
            each,
            files,
            trees,
            around,
            state: AtomicU8::new(FileState::Kept as u8),
            only: AtomicUsize::new(ALL),
        }
    }

    /// Returns the paths of a file, by its number: as the user names it, and with all links resolved.
    pub(super) fn paths_of(&self, file: usize) -> impl Iterator<Item = &Utf8PathBuf> {
        self.each.get(file).into_iter().flatten()
    }

    /// Sets the state of all files.
    pub(super) fn set(&self, state: FileState) {
        self.only.store(ALL, Ordering::SeqCst);
        self.state.store(state as u8, Ordering::SeqCst);
    }

    /// Sets the state of one of the files, and leaves the others unchanged.
    pub(super) fn set_only(&self, file: usize, state: FileState) {
        self.only.store(file, Ordering::SeqCst);
        self.state.store(state as u8, Ordering::SeqCst);
    }

    /// Whether a path is that of a file that changes, or below one.
    fn changes(&self, path: &Utf8Path) -> bool {
        let is_one = |path: &Utf8Path| match self.only.load(Ordering::SeqCst) {
            ALL => true,
            only => self.each.get(only).is_some_and(|it| it.iter().any(|it| it == path)),
        };
        self.files.contains(path) && is_one(path)
            || !self.trees.is_empty()
                && path.ancestors().skip(1).any(|it| self.trees.contains(it) && is_one(it))
    }

    /// The paths of the files that change.
    fn changing(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.files.iter().filter(|it| self.changes(it))
    }

    /// The state of all files that change.
    fn state(&self) -> FileState {
        let state = self.state.load(Ordering::SeqCst);
        FileState::ALL.into_iter().find(|it| *it as u8 == state).unwrap_or(FileState::Kept)
    }

    /// Returns the state of the file at a path.
    fn of(&self, path: &Utf8Path) -> FileState {
        let state = self.state();
        if state == FileState::Kept {
            return state;
        }
        let is = |path: &Utf8Path| match state {
            // A file stays one.
            FileState::Folder => {
                self.changes(path) && (self.trees.contains(path) || !self.files.contains(path))
            }
            FileState::Gone => self.changes(path) || self.is_emptied(path),
            _ => self.changes(path),
        };
        if is(path) || is(&real(&*self.base, path)) { state } else { FileState::Kept }
    }

    /// Whether a folder contains files that change, and nothing else.
    fn is_emptied(&self, folder: &Utf8Path) -> bool {
        self.around.contains(folder)
            && self.changing().any(|it| it != folder && it.starts_with(folder))
            && self.base.entries(folder).is_ok_and(|entries| {
                entries.iter().all(|it| {
                    let path = folder.join(&it.name);
                    self.changes(&path) || it.kind == EntryKind::Directory && self.is_emptied(&path)
                })
            })
    }

    /// Whether a path is a folder because a file that may be new is below it.
    fn is_new_folder(&self, path: &Utf8Path) -> bool {
        matches!(self.state(), FileState::Unreadable | FileState::Folder)
            && self.around.contains(path)
            && self.changing().any(|it| it != path && it.starts_with(path))
    }

    /// Whether a path itself is a folder that may be new, rather than below one.
    fn is_tree(&self, path: &Utf8Path) -> bool {
        self.trees.contains(path) || self.trees.contains(&real(&*self.base, path))
    }
}

/// Resolves the links in the part of a path that exists.
fn real(system: &dyn System, path: &Utf8Path) -> Utf8PathBuf {
    let found = path.ancestors().find_map(|it| {
        let real = system.canonicalize(it).ok()?;
        Some(path.strip_prefix(it).map_or(real.clone(), |rest| match rest.as_str() {
            "" => real,
            _ => real.join(rest),
        }))
    });
    found.unwrap_or_else(|| path.to_owned())
}

fn not_found() -> io::Error {
    io::Error::from(io::ErrorKind::NotFound)
}

impl system::Layer for ChangedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.of(path) {
            FileState::Kept => self.base.read(path, limit),
            FileState::Unreadable | FileState::Folder => Err(ReadError::PermissionDenied),
            FileState::Gone => Err(ReadError::NotFound),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        match self.of(path) {
            FileState::Kept => self.base.metadata(path).or_else(|error| match self.is_new_folder(path) {
                true => Ok(Metadata { file_type: FileType::Directory, len: 0 }),
                false => Err(error),
            }),
            FileState::Folder if self.is_tree(path) => {
                Ok(Metadata { file_type: FileType::Directory, len: 0 })
            }
            FileState::Unreadable | FileState::Folder => Ok(Metadata { file_type: FileType::File, len: 0 }),
            FileState::Gone => Err(not_found()),
        }
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        match self.of(path) {
            FileState::Kept if self.is_new_folder(path) => Ok(real(&*self.base, path)),
            FileState::Kept => self.base.canonicalize(path),
            FileState::Unreadable | FileState::Folder => Ok(real(&*self.base, path)),
            FileState::Gone => Err(not_found()),
        }
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        // A link changes together with its target, and still leads there.
        if self.changes(path) && self.of(path) != FileState::Kept { None } else { self.base.read_link(path) }
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        let state = self.state();
        match self.of(directory) {
            FileState::Gone => return Err(not_found()),
            FileState::Unreadable | FileState::Folder => {
                return Err(io::Error::from(io::ErrorKind::PermissionDenied));
            }
            FileState::Kept => {}
        }
        let found = self.base.entries(directory);
        let mut entries = match found {
            Err(_) if self.is_new_folder(directory) => Vec::new(),
            found => found?,
        };
        if state == FileState::Kept {
            return Ok(entries);
        }
        entries.retain(|it| self.of(&directory.join(&it.name)) != FileState::Gone);
        let folders = [directory.to_owned(), real(&*self.base, directory)];
        let is_there = |it: &&Utf8PathBuf| matches!(self.of(it), FileState::Unreadable | FileState::Folder);
        for path in self.changing().filter(is_there) {
            let Some(rest) = folders.iter().find_map(|it| path.strip_prefix(it).ok()) else { continue };
            let mut names = rest.components();
            let Some(name) = names.next().map(|it| it.as_str().to_owned()) else { continue };
            let is_folder = names.next().is_some() || state == FileState::Folder && self.trees.contains(path);
            let kind = if is_folder { EntryKind::Directory } else { EntryKind::File };
            match entries.iter_mut().find(|it| it.name == name) {
                Some(known) if self.trees.contains(path) && !is_folder => known.kind = kind,
                Some(_) => {}
                None => entries.push(Entry { name, kind }),
            }
        }
        entries.sort();
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    #[test]
    fn files_change_whether_they_exist_or_not() {
        let base = Arc::new(MemorySystem::with_files([("/a/x", "1"), ("/a/y", "2")]));
        let system = ChangedSystem::new(base, &["/a/x".into(), "/a/b/new".into()]);
        let names = |folder: &str| {
            let entries = system.entries(folder.into()).ok()?;
            Some(entries.into_iter().map(|it| it.name).collect::<Vec<_>>().join(" "))
        };
        let text = |path: &str| system.read(path.into(), 10).map_err(|it| it.to_string());
        assert_eq!((names("/a").as_deref(), text("/a/x")), (Some("x y"), Ok(b"1".to_vec())));
        system.set(FileState::Unreadable);
        assert_eq!((names("/a").as_deref(), names("/a/b").as_deref()), (Some("b x y"), Some("new")));
        assert!(system.is_directory("/a/b".into()) && system.is_file("/a/b/new".into()));
        assert_eq!((text("/a/x"), text("/a/y")), (Err("permission denied".to_owned()), Ok(b"2".to_vec())));
        system.set(FileState::Gone);
        assert_eq!((names("/a").as_deref(), names("/a/b")), (Some("y"), None));
        assert!(!system.is_file("/a/x".into()) && !system.is_directory("/a/b".into()));
        system.set_only(1, FileState::Gone);
        assert_eq!((names("/a").as_deref(), names("/a/b")), (Some("x y"), None));
        system.set_only(1, FileState::Unreadable);
        assert_eq!((names("/a").as_deref(), names("/a/b").as_deref()), (Some("b x y"), Some("new")));
        assert_eq!(text("/a/x"), Ok(b"1".to_vec()));
    }

    #[test]
    fn what_is_no_file_may_be_a_folder() {
        let base = Arc::new(MemorySystem::with_files([
            ("/m/b/files/x", ""),
            ("/m/old/x", ""),
            ("/m/file", ""),
            ("/m/kept", ""),
        ]));
        let system = ChangedSystem::new(
            base,
            &["/m/new".into(), "/m/old".into(), "/m/b/files/x".into(), "/m/file".into()],
        );
        let kinds = |folder: &str| {
            let kind =
                |it: Entry| format!("{}{}", it.name, if it.kind == EntryKind::Directory { "/" } else { "" });
            let entries = system.entries(folder.into()).map_err(|it| it.kind())?;
            Ok(entries.into_iter().map(kind).collect::<Vec<_>>().join(" "))
        };
        let denied = Err(io::ErrorKind::PermissionDenied);
        system.set(FileState::Folder);
        assert_eq!(kinds("/m").as_deref(), Ok("b/ file kept new/ old/"));
        assert_eq!((kinds("/m/new"), kinds("/m/old")), (denied.clone(), denied));
        assert!(system.is_directory("/m/new".into()) && system.is_file("/m/new/any/file".into()));
        assert!(system.is_file("/m/file".into()) && system.is_file("/m/b/files/x".into()));
        system.set(FileState::Unreadable);
        assert_eq!(kinds("/m").as_deref(), Ok("b/ file kept new old"));
        // A folder without files goes, too.
        system.set(FileState::Gone);
        assert_eq!((kinds("/m").as_deref(), kinds("/m/b")), (Ok("kept"), Err(io::ErrorKind::NotFound)));
        assert!(!system.is_directory("/m/b/files".into()));
    }
}
