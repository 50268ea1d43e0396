use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use foldhash::HashMap;

use super::{Entry, EntryKind, FileType, Metadata, System};

/// The maximum number of names that are kept.
const MOST: usize = 100_000;

/// A view of a system whose files don't change. The names in a folder are kept: a walk looks into each folder of a tree, and so do
/// the queries that run after it. They also tell which paths don't exist, as most of those that the queries ask for.
#[derive(Debug)]
pub struct ListedSystem {
    base: Arc<dyn System>,
    kept: RwLock<Kept>,
}

/// The entries of folders, sorted by name.
#[derive(Debug, Default)]
struct Kept {
    folders: HashMap<Utf8PathBuf, Arc<[Entry]>>,
    names: usize,
}

impl ListedSystem {
    /// Creates a view of a system.
    pub fn new(base: Arc<dyn System>) -> ListedSystem {
        ListedSystem { base, kept: RwLock::default() }
    }

    fn kept(&self, directory: &Utf8Path) -> Option<Arc<[Entry]>> {
        self.kept.read().unwrap_or_else(PoisonError::into_inner).folders.get(directory).cloned()
    }

    /// The answer for a path that is a folder, or doesn't exist, as far as the kept names tell.
    fn known(&self, path: &Utf8Path) -> Option<io::Result<Metadata>> {
        let (at, entries) = path.ancestors().find_map(|at| Some((at, self.kept(at.parent()?)?)))?;
        let name = at.file_name()?;
        match entries.binary_search_by(|it| it.name.as_str().cmp(name)).ok().and_then(|at| entries.get(at)) {
            // Some file systems ignore case.
            None if !name.is_ascii() || entries.iter().any(|it| it.name.eq_ignore_ascii_case(name)) => None,
            None => Some(Err(io::ErrorKind::NotFound.into())),
            Some(entry) if entry.kind == EntryKind::Directory && at == path => {
                Some(Ok(Metadata { file_type: FileType::Directory, len: 0 }))
            }
            Some(_) => None,
        }
    }
}

impl super::layer::Layer for ListedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.known(path).unwrap_or_else(|| self.base.metadata(path))
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        if let Some(entries) = self.kept(directory) {
            return Ok(entries.to_vec());
        }
        let mut entries = self.base.entries(directory)?;
        entries.sort();
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.names + entries.len() <= MOST {
            let before = kept.folders.insert(directory.to_owned(), entries.clone().into());
            kept.names = kept.names + entries.len() - before.map_or(0, |it| it.len());
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    fn listed() -> (Arc<MemorySystem>, ListedSystem) {
        let memory = Arc::new(MemorySystem::with_files([("/a/b", "text"), ("/a/c/d", "")]));
        memory.link("/a/link", "c");
        let system = ListedSystem::new(Arc::<MemorySystem>::clone(&memory));
        (memory, system)
    }

    #[test]
    fn a_folder_is_read_once() {
        let (memory, system) = listed();
        let count = || system.entries("/a".into()).map(|it| it.len()).ok();
        assert_eq!((count(), system.entries("/none".into()).is_err()), (Some(3), true));
        memory.write_file("/a/new", "");
        assert_eq!(count(), Some(3));
    }

    #[test]
    fn names_tell_what_does_not_exist() {
        let (memory, system) = listed();
        let kind = |path: &str| system.metadata(path.into()).map(|it| it.file_type).ok();
        assert_eq!(kind("/a/none"), None);
        system.entries("/a".into()).unwrap();
        // The system below isn't asked about names that are not in the folder.
        memory.write_file("/a/none/x", "");
        assert_eq!((kind("/a/none"), kind("/a/none/x")), (None, None));
        assert_eq!((kind("/a/c"), kind("/a/b")), (Some(FileType::Directory), Some(FileType::File)));
        assert_eq!(system.metadata("/a/b".into()).map(|it| it.len).ok(), Some(4));
        // What is in a folder that was not read, or behind a link, is asked for.
        memory.write_file("/a/c/e", "");
        assert_eq!((kind("/a/c/e"), kind("/a/link/e")), (Some(FileType::File), Some(FileType::File)));
        assert_eq!((kind("/a/link"), kind("/a/c/../b")), (Some(FileType::Directory), Some(FileType::File)));
    }
}
