use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, EntryKind, FileType, Metadata, ReadError, System, resolve};

/// Files that exist in memory only: for tests, and for callers that bring their own text.
///
/// Folders exist as long as they contain something.
#[derive(Debug, Default)]
pub struct MemorySystem {
    files: RwLock<BTreeMap<Utf8PathBuf, Content>>,
    /// Symbolic links, by their paths without links.
    links: RwLock<BTreeMap<Utf8PathBuf, Utf8PathBuf>>,
}

#[derive(Clone, Debug)]
enum Content {
    Bytes(Vec<u8>),
    Unreadable,
    Special,
}

impl MemorySystem {
    /// Creates a system without files whose current folder is `/`.
    pub fn new() -> Self {
        MemorySystem::default()
    }

    /// Creates a system with these files.
    pub fn with_files<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let system = MemorySystem::new();
        for (path, text) in files {
            system.write_file(path, text);
        }
        system
    }

    /// Creates or replaces a file.
    pub fn write_file(&self, path: impl AsRef<Utf8Path>, bytes: impl AsRef<[u8]>) {
        let bytes = Content::Bytes(bytes.as_ref().to_vec());
        self.files_mut().insert(super::normalize(path.as_ref()), bytes);
    }

    /// Creates a symbolic link, or switches one.
    pub fn link(&self, path: impl Into<Utf8PathBuf>, target: impl Into<Utf8PathBuf>) {
        self.links_mut().insert(path.into(), target.into());
    }

    /// Creates an unreadable file.
    pub fn make_unreadable(&self, path: impl AsRef<Utf8Path>) {
        self.files_mut().insert(super::normalize(path.as_ref()), Content::Unreadable);
    }

    /// Creates something that is neither a file nor a folder: a pipe, a device.
    pub fn make_special(&self, path: impl AsRef<Utf8Path>) {
        self.files_mut().insert(super::normalize(path.as_ref()), Content::Special);
    }

    /// Removes a file, a link, or a folder with all its contents. Returns whether it existed.
    pub fn remove(&self, path: impl AsRef<Utf8Path>) -> bool {
        let (mut files, mut links) = (self.files_mut(), self.links_mut());
        let before = files.len() + links.len();
        files.retain(|file, _| !file.starts_with(path.as_ref()));
        links.retain(|link, _| !link.starts_with(path.as_ref()));
        files.len() + links.len() < before
    }

    /// Moves a file, or a folder with all its contents.
    pub fn rename(&self, from: impl AsRef<Utf8Path>, to: impl AsRef<Utf8Path>) {
        let mut files = self.files_mut();
        for (path, content) in std::mem::take(&mut *files) {
            let path = match path.strip_prefix(from.as_ref()) {
                Ok(rest) if rest.as_str().is_empty() => to.as_ref().to_owned(),
                Ok(rest) => to.as_ref().join(rest),
                // A file that was already moved here may have replaced it.
                Err(_) if files.contains_key(&path) => continue,
                Err(_) => path,
            };
            files.insert(path, content);
        }
    }

    // A panicking test thread must not hide its own message behind a poisoned lock.
    fn files(&self) -> RwLockReadGuard<'_, BTreeMap<Utf8PathBuf, Content>> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn files_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<Utf8PathBuf, Content>> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn links(&self) -> RwLockReadGuard<'_, BTreeMap<Utf8PathBuf, Utf8PathBuf>> {
        self.links.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn links_mut(&self) -> RwLockWriteGuard<'_, BTreeMap<Utf8PathBuf, Utf8PathBuf>> {
        self.links.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a folder on the way to a path was made unreadable.
    fn is_below_unreadable(files: &BTreeMap<Utf8PathBuf, Content>, path: &Utf8Path) -> bool {
        path.ancestors().skip(1).any(|it| matches!(files.get(it), Some(Content::Unreadable)))
    }

    /// The path without links.
    fn real<'p>(&self, path: &'p Utf8Path) -> Cow<'p, Utf8Path> {
        match self.links().is_empty() {
            true => path.into(),
            false => resolve(self, path).real.into(),
        }
    }
}

impl System for MemorySystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        let path = &*self.real(path);
        match self.files().get(path) {
            Some(Content::Bytes(bytes)) if bytes.len() as u64 > limit => {
                Err(ReadError::TooLarge { size: bytes.len() as u64, limit })
            }
            Some(Content::Bytes(bytes)) => Ok(bytes.clone()),
            Some(Content::Unreadable) => Err(ReadError::PermissionDenied),
            Some(Content::Special) => Err(ReadError::NotAFile),
            None if self.is_directory(path) => Err(ReadError::NotAFile),
            None => Err(ReadError::NotFound),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        let path = &*self.real(path);
        let files = self.files();
        let below = |it: &Utf8PathBuf| it.starts_with(path) && *it != path;
        match files.get(path) {
            Some(Content::Bytes(bytes)) => {
                Ok(Metadata { file_type: FileType::File, len: bytes.len() as u64 })
            }
            Some(Content::Unreadable) => Ok(Metadata { file_type: FileType::File, len: 0 }),
            Some(Content::Special) => Ok(Metadata { file_type: FileType::Other, len: 0 }),
            None if path == "/" || files.keys().chain(self.links().keys()).any(below) => {
                Ok(Metadata { file_type: FileType::Directory, len: 0 })
            }
            None if Self::is_below_unreadable(&files, path) => Err(io::ErrorKind::PermissionDenied.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let path = self.real(&self.absolute(path)).into_owned();
        self.metadata(&path).map(|_| path)
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.links().get(path).cloned()
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        if self.metadata(directory)?.file_type != FileType::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let directory = &*self.real(directory);
        let mut entries = BTreeMap::new();
        for (file, content) in self.files().iter() {
            let Ok(rest) = file.strip_prefix(directory) else { continue };
            let mut components = rest.components();
            let Some(name) = components.next() else { continue };
            let kind = match content {
                _ if components.next().is_some() => EntryKind::Directory,
                Content::Special => EntryKind::Other,
                _ => EntryKind::File,
            };
            entries.insert(name.to_string(), kind);
        }
        for link in self.links().keys().filter(|it| it.parent() == Some(directory)) {
            entries.insert(link.file_name().unwrap_or_default().to_owned(), EntryKind::Link);
        }
        Ok(entries.into_iter().map(|(name, kind)| Entry { name, kind }).collect())
    }

    fn current_dir(&self) -> &Utf8Path {
        Utf8Path::new("/")
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.write_file(self.real(path), bytes);
        Ok(())
    }

    fn create_folder(&self, _: &Utf8Path) -> io::Result<()> {
        // Folders exist as soon as they contain something.
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_exist_while_something_lies_in_them() {
        let system = MemorySystem::with_files([("/a/b/x.pp", ""), ("/a/y.pp", "")]);
        let names: Vec<_> = system.list("/a".into()).unwrap().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["b", "y.pp"]);
        assert!(system.is_directory("/a/b".into()));
        assert!(system.remove("/a/b/x.pp"));
        assert!(!system.is_directory("/a/b".into()));
    }

    #[test]
    fn a_folder_moves_with_what_it_holds() {
        let system = MemorySystem::with_files([("/a/b/x.pp", "1"), ("/a/y.pp", "2")]);
        system.rename("/a", "/c");
        assert_eq!(system.read("/c/b/x.pp".into(), 9), Ok(b"1".to_vec()));
        assert_eq!(system.read("/a/y.pp".into(), 9), Err(ReadError::NotFound));
    }
}
