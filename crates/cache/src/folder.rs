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

/// A store in a folder of its own. Nothing outside of it is read or written.
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
        if self.system.read_link(&path).is_some() {
            // Where it leads is none of the cache's.
            self.remove(name)?;
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

    #[test]
    fn nothing_is_written_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let system: Arc<dyn System> = Arc::new(DiskSystem::at(&root));
        let store = Folder::new(Arc::clone(&system), root.join("cache"), 1 << 20);
        let outside = root.join("outside");
        for target in ["outside", "missing"] {
            let name = "v1/records/x/y";
            system.write_atomically(&outside, b"kept").unwrap();
            system.create_private_folder(&root.join("cache/v1/records/x")).unwrap();
            std::os::unix::fs::symlink(root.join(target), root.join("cache").join(name)).unwrap();
            store.put(name, b"object").unwrap();
            assert_eq!(system.read(&outside, 100).unwrap(), b"kept");
            assert_eq!(store.get(name).unwrap().as_deref(), Some(&b"object"[..]));
            store.remove(name).unwrap();
        }
        assert!(!system.is_file(&root.join("missing")));
    }
}
