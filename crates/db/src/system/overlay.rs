use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, FileType, Metadata, Output, ReadError, System};

/// Another system with some files laid over it: standard input under a name, an editor's unsaved text.
#[derive(Debug)]
pub struct OverlaySystem {
    base: Arc<dyn System>,
    files: BTreeMap<Utf8PathBuf, Vec<u8>>,
}

impl OverlaySystem {
    /// Lays nothing over `base` yet.
    pub fn new(base: Arc<dyn System>) -> Self {
        OverlaySystem { base, files: BTreeMap::new() }
    }

    /// Lays a file over the base; its path is made absolute, and returned.
    pub fn insert(&mut self, path: &Utf8Path, bytes: Vec<u8>) -> Utf8PathBuf {
        let path = self.base.absolute(path);
        self.files.insert(path.clone(), bytes);
        path
    }
}

impl System for OverlaySystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.files.get(path) {
            Some(bytes) if bytes.len() as u64 > limit => {
                Err(ReadError::TooLarge { size: bytes.len() as u64, limit })
            }
            Some(bytes) => Ok(bytes.clone()),
            None => self.base.read(path, limit),
        }
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        match self.files.get(path) {
            Some(bytes) => Ok(Metadata { file_type: FileType::File, len: bytes.len() as u64 }),
            None => self.base.metadata(path),
        }
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        if self.files.contains_key(path) { Ok(path.to_owned()) } else { self.base.canonicalize(path) }
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        if self.files.contains_key(path) { None } else { self.base.read_link(path) }
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        self.base.entries(directory)
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        !self.files.contains_key(path) && self.base.leaves(path)
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        !self.files.contains_key(path) && self.base.is_outside(path)
    }

    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        self.base.outside_files()
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.base.is_direct(path)
    }

    fn current_dir(&self) -> &Utf8Path {
        self.base.current_dir()
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.base.write_atomically(path, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.base.create_folder(path)
    }

    fn run(&self, command: &[&str]) -> io::Result<Output> {
        self.base.run(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    #[test]
    fn what_lies_over_the_base_hides_it() {
        let base = MemorySystem::with_files([("/a.pp", "below"), ("/b.pp", "base")]);
        let mut system = OverlaySystem::new(Arc::new(base));
        assert_eq!(system.insert("a.pp".into(), b"above".to_vec()), "/a.pp");
        assert_eq!(system.read("/a.pp".into(), 9), Ok(b"above".to_vec()));
        assert_eq!(system.read("/b.pp".into(), 9), Ok(b"base".to_vec()));
    }
}
