use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use gix::ObjectId;
use marotte_db::System;
use marotte_db::system::{Entry, EntryKind, FileType, Metadata, Output, ReadError, UserExcludes, resolve};

use crate::snapshot::{self, Found, Snapshot};
use crate::untracked::Untracked;

/// A system that shows the files of one revision in the working tree of a repository. Files that git ignores, and everything
/// outside of the working tree, are those on the disk.
pub struct RevisionSystem {
    /// A single handle suffices: callers cache what they read.
    repository: Mutex<gix::Repository>,
    root: Utf8PathBuf,
    snapshot: Snapshot,
    untracked: Untracked,
    disk: Arc<dyn System>,
}

impl fmt::Debug for RevisionSystem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RevisionSystem").field("root", &self.root).finish_non_exhaustive()
    }
}

/// The location of a path after its links have been followed.
enum Place<'s> {
    /// In the revision.
    Revision(Found<'s>),
    /// On the disk: outside of the working tree, or ignored by git.
    Disk,
    /// A folder on the disk that isn't in the revision, but contains files that git ignores.
    Around,
}

impl RevisionSystem {
    pub(crate) fn new(
        repository: gix::ThreadSafeRepository,
        root: Utf8PathBuf,
        snapshot: Snapshot,
        untracked: Untracked,
        disk: Arc<dyn System>,
    ) -> RevisionSystem {
        let repository = Mutex::new(repository.to_thread_local());
        RevisionSystem { repository, root, snapshot, untracked, disk }
    }

    /// Whether a path without links is on the disk, so that it is the same for every revision.
    pub fn is_on_disk(&self, path: &Utf8Path) -> bool {
        matches!(self.place(path), Some(Place::Disk))
    }

    /// Returns the location of a path, without following links. None if a link is a component of the path.
    fn place(&self, path: &Utf8Path) -> Option<Place<'_>> {
        let Ok(below) = path.strip_prefix(&self.root) else { return Some(Place::Disk) };
        if below.components().next() == Some(Utf8Component::Normal(".git")) {
            return Some(Place::Disk);
        }
        match self.snapshot.find(below) {
            Found::Behind => None,
            Found::Missing(first) if self.untracked.has(below, first) => Some(Place::Disk),
            Found::Missing(_) if self.untracked.holds(below) => Some(Place::Around),
            found => Some(Place::Revision(found)),
        }
    }

    /// Returns the path with its links resolved, and its location.
    fn real(&self, path: &Utf8Path) -> (Utf8PathBuf, Place<'_>) {
        if !has_dots(path)
            && let Some(place) = self.place(path)
            && !matches!(place, Place::Revision(Found::Entry(snapshot::Entry::Link(_))))
        {
            // On the disk, there may be links that lead back into the revision.
            if matches!(place, Place::Revision(_) | Place::Around)
                || !path.starts_with(&self.root) && self.disk.is_direct(path)
            {
                return (path.to_owned(), place);
            }
        }
        let real = resolve(self, path).real;
        // Beyond the limit of links, nothing is there.
        let place = self.place(&real).unwrap_or(Place::Revision(Found::Missing(0)));
        (real, place)
    }

    fn header(&self, id: ObjectId) -> io::Result<u64> {
        let repository = self.repository.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(repository.find_header(id).map_err(io::Error::other)?.size())
    }
}

fn has_dots(path: &Utf8Path) -> bool {
    path.components().any(|it| it == Utf8Component::ParentDir)
}

impl System for RevisionSystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let (real, place) = self.real(path);
        let id = match place {
            Place::Disk => return self.disk.read(&real, limit),
            Place::Revision(Found::Entry(snapshot::Entry::File(id))) => *id,
            Place::Revision(Found::Missing(_) | Found::Behind) => return Err(ReadError::NotFound),
            Place::Revision(_) | Place::Around => return Err(ReadError::NotAFile),
        };
        let size = self.header(id).map_err(ReadError::from)?;
        if size > limit {
            return Err(ReadError::TooLarge { size, limit });
        }
        let repository = self.repository.lock().unwrap_or_else(PoisonError::into_inner);
        let blob = repository.find_blob(id).map_err(|error| ReadError::Other(error.to_string()));
        blob.map(|mut it| it.take_data())
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let (real, place) = self.real(path);
        let file_type = match place {
            Place::Disk => return self.disk.metadata(&real),
            Place::Revision(Found::Entry(snapshot::Entry::File(id))) => {
                // A file whose object is missing, as in partial clones, still exists: reading it is an error.
                let len = self.header(*id).unwrap_or_default();
                return Ok(Metadata { file_type: FileType::File, len });
            }
            Place::Revision(Found::Root | Found::Entry(snapshot::Entry::Folder(_))) | Place::Around => {
                FileType::Directory
            }
            Place::Revision(Found::Missing(_) | Found::Behind | Found::Entry(snapshot::Entry::Link(_))) => {
                return Err(io::ErrorKind::NotFound.into());
            }
            Place::Revision(Found::Entry(snapshot::Entry::NotUtf8)) => FileType::Other,
        };
        Ok(Metadata { file_type, len: 0 })
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let (real, _) = self.real(&self.absolute(path));
        self.metadata(&real).map(|_| real)
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        match self.place(path)? {
            Place::Disk => self.disk.read_link(path),
            Place::Revision(Found::Entry(snapshot::Entry::Link(target))) => target.clone(),
            Place::Revision(_) | Place::Around => None,
        }
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        let (real, place) = self.real(directory);
        let none = snapshot::Folder::new();
        let folder = match place {
            Place::Disk => return self.disk.entries(&real),
            Place::Around => &none,
            Place::Revision(Found::Missing(_) | Found::Behind) => {
                return Err(io::ErrorKind::NotFound.into());
            }
            Place::Revision(found) => self.snapshot.folder(found).ok_or(io::ErrorKind::NotADirectory)?,
        };
        let mut entries: BTreeMap<String, EntryKind> = BTreeMap::new();
        // What the disk has beside the revision, as far as git leaves it alone.
        for it in self.disk.entries(&real).unwrap_or_default() {
            let is_there = || matches!(self.place(&real.join(&it.name)), Some(Place::Disk | Place::Around));
            if it.kind != EntryKind::NotUtf8 && !folder.contains_key(&it.name) && is_there() {
                entries.insert(it.name, it.kind);
            }
        }
        for (name, entry) in folder {
            let kind = match entry {
                snapshot::Entry::Folder(_) => EntryKind::Directory,
                snapshot::Entry::File(_) => EntryKind::File,
                snapshot::Entry::Link(_) => EntryKind::Link,
                snapshot::Entry::NotUtf8 => EntryKind::NotUtf8,
            };
            entries.insert(name.clone(), kind);
        }
        Ok(entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        match self.place(path) {
            Some(Place::Revision(found)) => {
                !matches!(found, Found::Missing(_) | Found::Entry(snapshot::Entry::Link(_)))
                    && self.disk.is_direct(&self.root)
            }
            Some(Place::Disk | Place::Around) => self.disk.is_direct(path),
            None => false,
        }
    }

    fn current_dir(&self) -> &Utf8Path {
        self.disk.current_dir()
    }

    fn user_excludes(&self) -> Option<UserExcludes> {
        self.disk.user_excludes()
    }

    fn write_atomically(&self, path: &Utf8Path, _: &[u8]) -> io::Result<()> {
        Err(unsupported(&format!("{path} is not written: revisions do not change")))
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        Err(unsupported(&format!("{path} is not made: revisions do not change")))
    }

    fn run(&self, _: &[&str]) -> io::Result<Output> {
        // It would find the files of the working tree.
        Err(unsupported("no command is run for a revision of git, whose files are not on the disk"))
    }
}

fn unsupported(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}
