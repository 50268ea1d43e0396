use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use camino::{Utf8Path, Utf8PathBuf};

use super::{
    DirectoryEntry, FileType, Metadata, ReadError, System, WalkEntry, WalkOptions, WalkProblem, resolve,
};

/// Files that exist in memory only: for tests, and for callers that bring their own text.
///
/// Folders exist as long as something lies in them. There are no ignored files.
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
}

impl MemorySystem {
    /// A system without files whose current folder is `/`.
    pub fn new() -> Self {
        MemorySystem::default()
    }

    /// A system with these files.
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

    /// Makes a symbolic link, or switches one.
    pub fn link(&self, path: impl Into<Utf8PathBuf>, target: impl Into<Utf8PathBuf>) {
        self.links_mut().insert(path.into(), target.into());
    }

    /// Makes a file that may not be read.
    pub fn make_unreadable(&self, path: impl AsRef<Utf8Path>) {
        self.files_mut().insert(super::normalize(path.as_ref()), Content::Unreadable);
    }

    /// Removes a file, a link, or a folder with all it holds. Says whether there was one.
    pub fn remove(&self, path: impl AsRef<Utf8Path>) -> bool {
        let (mut files, mut links) = (self.files_mut(), self.links_mut());
        let before = files.len() + links.len();
        files.retain(|file, _| !file.starts_with(path.as_ref()));
        links.retain(|link, _| !link.starts_with(path.as_ref()));
        files.len() + links.len() < before
    }

    /// Moves a file, or a folder with all it holds.
    pub fn rename(&self, from: impl AsRef<Utf8Path>, to: impl AsRef<Utf8Path>) {
        let mut files = self.files_mut();
        for (path, content) in std::mem::take(&mut *files) {
            let path = match path.strip_prefix(from.as_ref()) {
                Ok(rest) if rest.as_str().is_empty() => to.as_ref().to_owned(),
                Ok(rest) => to.as_ref().join(rest),
                // It may be one that was moved here already, and replaced it.
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
            None if path == "/" || files.keys().chain(self.links().keys()).any(below) => {
                Ok(Metadata { file_type: FileType::Directory, len: 0 })
            }
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

    fn list(&self, directory: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        if self.metadata(directory)?.file_type != FileType::Directory {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let directory = &*self.real(directory);
        let mut entries = Vec::new();
        let links: Vec<Utf8PathBuf> = self.links().keys().cloned().collect();
        for link in links.iter().filter(|it| it.parent() == Some(directory)) {
            let name = link.file_name().unwrap_or_default().to_owned();
            entries.push(DirectoryEntry { name, is_directory: self.is_directory(link), is_link: true });
        }
        for file in self.files().keys() {
            let Ok(rest) = file.strip_prefix(directory) else { continue };
            let mut components = rest.components();
            let Some(name) = components.next() else { continue };
            let is_directory = components.next().is_some();
            entries.push(DirectoryEntry { name: name.to_string(), is_directory, is_link: false });
        }
        entries.sort();
        entries.dedup();
        Ok(entries)
    }

    fn walk(&self, root: &Utf8Path, options: WalkOptions, visit: &mut dyn FnMut(WalkEntry)) {
        match self.metadata(root) {
            Ok(Metadata { file_type: FileType::Directory, .. }) => {}
            Ok(_) => return visit(WalkEntry::File { path: root.to_owned(), through_link: false }),
            Err(_) => {
                let problem = WalkProblem::Unreadable(ReadError::NotFound);
                return visit(WalkEntry::Problem { path: root.to_owned(), problem });
            }
        }
        visit(WalkEntry::Directory(root.to_owned()));
        for entry in self.list(root).unwrap_or_default() {
            if options.ignore && entry.name.starts_with('.') {
                continue;
            }
            let path = root.join(&entry.name);
            let real = self.real(&path);
            if entry.is_directory && entry.is_link && self.real(root).starts_with(&*real) {
                visit(WalkEntry::Problem { problem: WalkProblem::Loop(real.into_owned()), path });
            } else if entry.is_directory {
                self.walk(&path, options, visit);
            } else {
                visit(WalkEntry::File { through_link: *real != path, path });
            }
        }
    }

    fn current_dir(&self) -> &Utf8Path {
        Utf8Path::new("/")
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.write_file(self.real(path), bytes);
        Ok(())
    }

    fn create_folder(&self, _: &Utf8Path) -> io::Result<()> {
        // There are folders as soon as something lies in them.
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
