use std::collections::BTreeMap;
use std::io;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, EntryKind, FileType, Metadata, ReadError, System};

/// Another system overlaid with some files: standard input under a name, an editor's unsaved text.
///
/// The overlay may change while others hold the system; the code that changes it must refresh the database, as for a change on
/// disk.
#[derive(Debug)]
pub struct OverlaySystem {
    base: Arc<dyn System>,
    files: RwLock<BTreeMap<Utf8PathBuf, Content>>,
}

/// The content of an overlaid file.
#[derive(Clone, Debug)]
enum Content {
    Bytes(Arc<[u8]>),
    /// The size of a content that is too large to keep.
    Oversized(u64),
}

impl Content {
    fn len(&self) -> u64 {
        match self {
            Content::Bytes(bytes) => bytes.len() as u64,
            Content::Oversized(size) => *size,
        }
    }
}

impl OverlaySystem {
    /// Creates an overlay without files.
    pub fn new(base: Arc<dyn System>) -> Self {
        OverlaySystem { base, files: RwLock::default() }
    }

    /// Adds a file to the overlay; its path is made absolute, and returned.
    pub fn insert(&self, path: &Utf8Path, bytes: impl Into<Arc<[u8]>>) -> Utf8PathBuf {
        let path = self.base.absolute(path);
        self.files_mut().insert(path.clone(), Content::Bytes(bytes.into()));
        path
    }

    /// Adds a file to the overlay of which only the size is known. Reading it is an error.
    pub fn insert_oversized(&self, path: &Utf8Path, size: u64) {
        let path = self.base.absolute(path);
        self.files_mut().insert(path, Content::Oversized(size));
    }

    /// Removes a file from the overlay, so that the base's file is visible again. Returns whether there was one.
    pub fn remove(&self, path: &Utf8Path) -> bool {
        self.files_mut().remove(path).is_some()
    }

    fn files(&self) -> RwLockReadGuard<'_, BTreeMap<Utf8PathBuf, Content>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names that the replaced files below a folder have in it.
    fn names_in(&self, folder: &Utf8Path) -> Vec<Entry> {
        let files = self.files();
        let from = (Bound::Excluded(folder), Bound::Unbounded);
        // Paths are in order of their components.
        let below = files.range::<Utf8Path, _>(from).map_while(|(it, _)| it.strip_prefix(folder).ok());
        let entry = |path: &Utf8Path| {
            let mut parts = path.iter();
            let name = parts.next()?.to_owned();
            let kind = if parts.next().is_some() { EntryKind::Directory } else { EntryKind::File };
            Some(Entry { name, kind })
        };
        let mut names: Vec<Entry> = below.filter_map(entry).collect();
        names.dedup();
        names
    }

    /// Whether a folder that isn't on the disk has replaced files.
    fn is_new_folder(&self, error: &io::Error, path: &Utf8Path) -> bool {
        error.kind() == io::ErrorKind::NotFound && !self.names_in(path).is_empty()
    }

    fn files_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<Utf8PathBuf, Content>> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl super::layer::Layer for OverlaySystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let content = self.files().get(path).cloned();
        match content {
            Some(Content::Bytes(bytes)) if bytes.len() as u64 <= limit => Ok(bytes.to_vec()),
            Some(content) => Err(ReadError::TooLarge { size: content.len(), limit }),
            None => self.base.read(path, limit),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let len = self.files().get(path).map(Content::len);
        if let Some(len) = len {
            return Ok(Metadata { file_type: FileType::File, len });
        }
        match self.base.metadata(path) {
            Err(error) if self.is_new_folder(&error, path) => {
                Ok(Metadata { file_type: FileType::Directory, len: 0 })
            }
            known => known,
        }
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        if self.files().contains_key(path) { Ok(path.to_owned()) } else { self.base.canonicalize(path) }
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        if self.files().contains_key(path) { None } else { self.base.read_link(path) }
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        let mut entries = match self.base.entries(directory) {
            Err(error) if self.is_new_folder(&error, directory) => Vec::new(),
            known => known?,
        };
        for entry in self.names_in(directory) {
            if !entries.iter().any(|it| it.name == entry.name) {
                entries.push(entry);
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        !self.files().contains_key(path) && self.base.leaves(path)
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        !self.files().contains_key(path) && self.base.is_outside(path)
    }

    fn was_outside(&self, path: &Utf8Path) -> bool {
        !self.files().contains_key(path) && self.base.was_outside(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;
    use crate::system::{WalkEntry, WalkOptions};

    #[test]
    fn what_lies_over_the_base_hides_it() {
        let base = MemorySystem::with_files([("/a.pp", "below"), ("/b.pp", "base")]);
        let system = OverlaySystem::new(Arc::new(base));
        assert_eq!(system.insert("a.pp".into(), b"above".to_vec()), "/a.pp");
        assert_eq!(system.read("/a.pp".into(), 9), Ok(b"above".to_vec()));
        assert_eq!(system.read("/b.pp".into(), 9), Ok(b"base".to_vec()));
        assert!(system.remove("/a.pp".into()));
        assert_eq!(system.read("/a.pp".into(), 9), Ok(b"below".to_vec()));
    }

    #[test]
    fn a_file_that_is_nowhere_else_is_listed_and_visited() {
        let system = OverlaySystem::new(Arc::new(MemorySystem::with_files([("/m/a.pp", "")])));
        system.insert("/m/b.pp".into(), *b"new");
        let names: Vec<String> = system.list("/m".into()).unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["a.pp", "b.pp"]);
        let mut visited = Vec::new();
        system.walk("/".into(), WalkOptions { ignore: true }, &mut |entry| {
            if let WalkEntry::File { path, .. } = entry {
                visited.push(path);
            }
        });
        assert_eq!(visited, ["/m/a.pp", "/m/b.pp"]);
    }

    #[test]
    fn a_file_that_is_not_kept_is_too_large() {
        let system = OverlaySystem::new(Arc::new(MemorySystem::default()));
        system.insert_oversized("/a.pp".into(), 100);
        assert_eq!(system.read("/a.pp".into(), 9), Err(ReadError::TooLarge { size: 100, limit: 9 }));
        assert_eq!(system.metadata("/a.pp".into()).unwrap().len, 100);
    }

    #[test]
    fn folders_of_files_that_are_not_on_the_disk_are_listed() {
        let overlay = OverlaySystem::new(Arc::new(MemorySystem::with_files([("/a/b.pp", "")])));
        for path in ["/a/new/deep/c.pp", "/a/new/d.pp", "/a-b/e.pp"] {
            overlay.insert(path.into(), b"c".to_vec());
        }
        let kinds = |path: &str| -> Vec<(String, EntryKind)> {
            let entries = overlay.entries(path.into()).unwrap();
            entries.into_iter().map(|it| (it.name, it.kind)).collect()
        };
        let entry = |name: &str, kind| (name.to_owned(), kind);
        assert_eq!(kinds("/a"), [entry("b.pp", EntryKind::File), entry("new", EntryKind::Directory)]);
        assert_eq!(kinds("/a/new/deep"), [entry("c.pp", EntryKind::File)]);
        assert!(overlay.is_directory("/a/new".into()) && overlay.entries("/a/none".into()).is_err());
    }
}
