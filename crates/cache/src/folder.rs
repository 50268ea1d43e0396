use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{EntryKind, ReadError};

use crate::{LARGEST, Store};

/// A file by which programs for backups recognize a cache.
const TAG: (&str, &str) = (
    "CACHEDIR.TAG",
    "Signature: 8a477f597d28d172789f06886806bc55\n# This folder is a cache of marotte. It may be removed at any time.\n",
);

/// The folders of a version, each with the depth of folders in it.
const KINDS: [(&str, usize); 2] = [("records", 1), ("catalogs", 1)];

/// A store in a folder of its own. Nothing outside of it is read or written: links in it are not followed.
#[derive(Debug)]
pub struct Folder {
    system: Arc<dyn System>,
    root: Utf8PathBuf,
    limit: u64,
}

impl Folder {
    /// A store in a folder, by its absolute path, with at most this number of bytes after [`tidy`](Store::tidy).
    pub fn new(system: Arc<dyn System>, root: Utf8PathBuf, limit: u64) -> Folder {
        Folder { system, root, limit }
    }

    fn failed(&self, what: &str, path: &Utf8Path, error: &dyn std::fmt::Display) -> String {
        format!("cannot {what} {path}: {error}")
    }

    /// The first symbolic link below the folder of the store on the way to a name, the name included.
    fn link_on_the_way(&self, name: &str) -> Option<Utf8PathBuf> {
        let mut path = self.root.clone();
        Utf8Path::new(name).components().find_map(|it| {
            path.push(it);
            self.system.read_link(&path).map(|_| path.clone())
        })
    }

    /// The objects and drafts of objects below a folder, with the times of their last use. Symbolic links are not followed.
    fn files(&self, folder: &Utf8Path, depth: usize, found: &mut Vec<(std::time::SystemTime, Utf8PathBuf)>) {
        // What can't be listed can't be removed either.
        for entry in self.system.entries(folder).unwrap_or_default() {
            let path = folder.join(&entry.name);
            match entry.kind {
                EntryKind::Directory if depth > 0 => self.files(&path, depth - 1, found),
                EntryKind::File if is_own(&entry.name) => {
                    found.extend(self.system.modified(&path).ok().map(|it| (it, path)));
                }
                _ => {}
            }
        }
    }
}

/// Whether a file has the name of an object, or of the draft of one, which a process that was killed leaves behind.
fn is_own(name: &str) -> bool {
    let draft = || name.strip_prefix('.')?.strip_suffix(".new")?.split_once('.').map(|(name, _)| name);
    crate::seal::is_name(draft().unwrap_or(name))
}

impl Store for Folder {
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let path = self.root.join(name);
        if self.link_on_the_way(name).is_some() {
            return Ok(None);
        }
        match self.system.read(&path, LARGEST) {
            Ok(bytes) => {
                // A folder that can't be written is a cache nevertheless, in which nothing is removed.
                let _ = self.system.touch(&path);
                Ok(Some(bytes))
            }
            Err(ReadError::NotFound) => Ok(None),
            Err(error) => Err(self.failed("read", &path, &error)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let path = self.root.join(name);
        match self.link_on_the_way(name) {
            Some(link) if link == path => self.remove(name)?,
            Some(link) => return Err(format!("cannot write {path}: {link} is a symbolic link")),
            None => {}
        }
        if self.system.read(&path, LARGEST).is_ok_and(|it| it == bytes) && self.system.touch(&path).is_ok() {
            return Ok(());
        }
        let tag = self.root.join(TAG.0);
        let folder = path.parent().unwrap_or(&self.root);
        let written = self.system.create_private_folder(folder).and_then(|()| {
            if !self.system.is_file(&tag) {
                self.system.write_atomically(&tag, TAG.1.as_bytes())?;
            }
            self.system.write_quickly(&path, bytes)
        });
        written.map_err(|error| self.failed("write", &path, &error))
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, String> {
        let path = self.root.join(folder);
        if self.link_on_the_way(folder).is_some() {
            return Ok(Vec::new());
        }
        let entries = match self.system.entries(&path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed("read", &path, &error)),
        };
        let files =
            entries.into_iter().filter(|it| it.kind == EntryKind::File && crate::seal::is_name(&it.name));
        let mut dated: Vec<_> = files
            .filter_map(|it| Some((self.system.modified(&path.join(&it.name)).ok()?, it.name)))
            .collect();
        dated.sort();
        Ok(dated.into_iter().rev().map(|(_, name)| format!("{folder}/{name}")).collect())
    }

    fn remove(&self, name: &str) -> Result<(), String> {
        let path = self.root.join(name);
        if self.link_on_the_way(name).is_some_and(|it| it != path) {
            return Ok(());
        }
        match self.system.remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(self.failed("remove", &path, &error))
            }
            _ => Ok(()),
        }
    }

    fn tidy(&self) -> Result<(), String> {
        let mut files = Vec::new();
        // A folder may have other things in it than those of the cache.
        for entry in self.system.entries(&self.root).unwrap_or_default() {
            let is_version = entry.name.strip_prefix('v').is_some_and(|it| it.parse::<u32>().is_ok());
            if is_version && entry.kind == EntryKind::Directory {
                for (kind, depth) in KINDS {
                    self.files(&self.root.join(&entry.name).join(kind), depth, &mut files);
                }
            }
        }
        files.sort();
        let size = |path: &Utf8Path| self.system.metadata(path).map_or(0, |it| it.len);
        let mut left: u64 = files.iter().map(|(_, path)| size(path)).sum();
        for (_, path) in files {
            if left <= self.limit {
                break;
            }
            left = left.saturating_sub(size(&path));
            match self.system.remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(self.failed("remove", &path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use marotte_db::DiskSystem;

    use super::*;

    const OBJECT: &str = "v2/records/x/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    /// A store in the folder `cache`, in which a path is a link to a target beside the folder.
    struct Fixture {
        root: Utf8PathBuf,
        system: Arc<dyn System>,
        store: Folder,
        _folder: tempfile::TempDir,
    }

    #[expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
    impl Fixture {
        fn with_link(path: &str, target: &str) -> Fixture {
            let folder = tempfile::tempdir().unwrap();
            let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
            let system: Arc<dyn System> = Arc::new(DiskSystem::at(&root));
            let link = root.join("cache").join(path);
            system.create_private_folder(link.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(root.join(target), link).unwrap();
            let store = Folder::new(Arc::clone(&system), root.join("cache"), 1 << 20);
            Fixture { root, system, store, _folder: folder }
        }
    }

    #[test]
    fn a_link_in_place_of_an_object_is_replaced() {
        for target in ["outside", "missing"] {
            let it = Fixture::with_link(OBJECT, target);
            it.system.write_atomically(&it.root.join("outside"), b"kept").unwrap();
            assert_eq!(it.store.get(OBJECT).unwrap(), None);
            it.store.put(OBJECT, b"object").unwrap();
            assert_eq!(it.store.get(OBJECT).unwrap().as_deref(), Some(&b"object"[..]));
            assert_eq!(it.system.read(&it.root.join("outside"), 100).unwrap(), b"kept");
            assert!(!it.system.is_file(&it.root.join("missing")));
        }
    }

    #[test]
    fn nothing_is_read_written_or_removed_through_a_linked_folder() {
        let it = Fixture::with_link("v2", "outside");
        let folder = it.root.join("outside/records/x");
        it.system.create_private_folder(&folder).unwrap();
        let outside = it.root.join("outside").join(OBJECT.strip_prefix("v2/").unwrap());
        it.system.write_atomically(&outside, b"kept").unwrap();
        assert_eq!(it.store.get(OBJECT).unwrap(), None);
        assert_eq!(it.store.list("v2/records/x").unwrap(), Vec::<String>::new());
        let error = it.store.put(OBJECT, b"object").unwrap_err();
        assert!(error.ends_with("cache/v2 is a symbolic link"), "{error}");
        it.store.remove(OBJECT).unwrap();
        it.store.tidy().unwrap();
        assert_eq!(it.system.read(&outside, 100).unwrap(), b"kept");
    }
}
