use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{self, Entry, EntryKind, FileType, Metadata, ReadError};

/// One of two code trees, in which at most one file or folder is replaced by that of the other tree, or a file by another text. A
/// caller that changes the replacement must notify the database, as it does for a change on disk.
#[derive(Debug)]
pub(super) struct PatchedSystem {
    base: Arc<dyn System>,
    other: Arc<dyn System>,
    patch: RwLock<Option<Patch>>,
}

/// A file or folder that differs from the base tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Patch {
    /// The absolute path of the file or folder.
    pub(super) path: Utf8PathBuf,
    /// The text of the file. `None` if it is that of the other tree, where the path may not exist.
    pub(super) text: Option<String>,
}

impl PatchedSystem {
    pub(super) fn new(base: Arc<dyn System>, other: Arc<dyn System>) -> PatchedSystem {
        PatchedSystem { base, other, patch: RwLock::new(None) }
    }

    /// Replaces a file or folder; all others are those of the base tree.
    pub(super) fn set(&self, patch: Option<Patch>) {
        *self.patch.write().unwrap_or_else(PoisonError::into_inner) = patch;
    }

    fn patch(&self) -> RwLockReadGuard<'_, Option<Patch>> {
        self.patch.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a path is the replaced one, or below it.
    fn is_patched(&self, path: &Utf8Path) -> bool {
        self.patch().as_ref().is_some_and(|it| path.starts_with(&it.path))
    }

    /// Whether a path is that of a folder which may exist only because of the replacement.
    fn is_around(&self, path: &Utf8Path) -> bool {
        let patch = self.patch();
        patch.as_ref().is_some_and(|it| it.path != path && it.path.starts_with(path))
            && patch.as_ref().is_some_and(|it| self.other.metadata(&it.path).is_ok())
    }

    /// Returns the tree that provides a path.
    fn of(&self, path: &Utf8Path) -> &dyn System {
        let is_other = self.is_patched(path) || self.is_around(path) && self.base.metadata(path).is_err();
        if is_other { &*self.other } else { &*self.base }
    }
}

impl system::Layer for PatchedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let text = self.patch().as_ref().filter(|it| it.path == path).and_then(|it| it.text.clone());
        match text {
            Some(text) => Ok(text.into_bytes()),
            None => self.of(path).read(path, limit),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        match self.patch().as_ref().filter(|it| it.path == path).and_then(|it| it.text.as_ref()) {
            Some(text) => {
                Ok(Metadata { file_type: FileType::File, len: text.len().try_into().unwrap_or(u64::MAX) })
            }
            None => self.of(path).metadata(path),
        }
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.of(path).canonicalize(path)
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.of(path).read_link(path)
    }

    fn written_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.of(path).written_link(path)
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        if self.is_patched(directory) {
            return self.other.entries(directory);
        }
        let found = self.base.entries(directory);
        let path = self.patch().as_ref().map(|it| it.path.clone());
        let rest = path.as_deref().and_then(|it| it.strip_prefix(directory).ok());
        let Some(name) = rest.and_then(|it| it.components().next()) else { return found };
        let mut entries = match found {
            Err(_) if self.is_around(directory) => Vec::new(),
            found => found?,
        };
        let name = name.as_str();
        let own = directory.join(name);
        let kind = match System::metadata(self, &own) {
            Ok(it) if it.file_type == FileType::Directory => Some(EntryKind::Directory),
            Ok(_) => Some(EntryKind::File),
            Err(_) => None,
        };
        match kind {
            Some(kind) if !entries.iter().any(|it| it.name == name) => {
                entries.push(Entry { name: name.to_owned(), kind });
                entries.sort();
            }
            Some(_) => {}
            None => entries.retain(|it| it.name != name),
        }
        Ok(entries)
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.of(path).is_direct(path)
    }
}

#[cfg(test)]
mod tests {
    use marotte_db::MemorySystem;

    use super::*;

    #[test]
    fn one_file_is_that_of_the_other_tree() {
        let before = Arc::new(MemorySystem::with_files([("/a/x", "1"), ("/a/gone/y", "2"), ("/a/z", "3")]));
        let after = Arc::new(MemorySystem::with_files([("/a/x", "4"), ("/a/new", "5"), ("/a/z", "6")]));
        let system = PatchedSystem::new(after, before);
        let patch = |path: &str, text: Option<&str>| {
            system.set(Some(Patch { path: path.into(), text: text.map(str::to_owned) }));
        };
        let names = |folder: &str| {
            let entries = system.entries(folder.into()).ok()?;
            Some(entries.into_iter().map(|it| it.name).collect::<Vec<_>>().join(" "))
        };
        let text = |path: &str| system.read(path.into(), 10).ok().and_then(|it| String::from_utf8(it).ok());
        assert_eq!((names("/a").as_deref(), text("/a/x").as_deref()), (Some("new x z"), Some("4")));
        patch("/a/x", None);
        assert_eq!((text("/a/x").as_deref(), text("/a/z").as_deref()), (Some("1"), Some("6")));
        patch("/a/x", Some("7"));
        assert_eq!((text("/a/x").as_deref(), names("/a").as_deref()), (Some("7"), Some("new x z")));
        patch("/a/new", None);
        assert_eq!((text("/a/new"), names("/a").as_deref()), (None, Some("x z")));
        assert!(!system.is_file("/a/new".into()));
        patch("/a/gone/y", None);
        assert_eq!(names("/a").as_deref(), Some("gone new x z"));
        assert_eq!((names("/a/gone").as_deref(), text("/a/gone/y").as_deref()), (Some("y"), Some("2")));
        assert!(system.is_directory("/a/gone".into()));
        patch("/a/gone", None);
        assert_eq!((names("/a/gone").as_deref(), text("/a/gone/y").as_deref()), (Some("y"), Some("2")));
    }
}
