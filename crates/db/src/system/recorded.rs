use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, FileType, Metadata, ReadError, System};

/// The recorded state of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The path doesn't exist.
    Nothing,
    /// A file of this size in bytes. Its content, if it was read.
    File(u64, Option<Vec<u8>>),
    /// A folder. Its entries, if they were listed.
    Folder(Option<Vec<Entry>>),
    /// A symbolic link with this target.
    Link(Utf8PathBuf),
    /// Something that can't be read, with the reason.
    Unreadable(String),
}

/// The recorded state of paths, ordered by path.
pub type FoundFiles = BTreeMap<Utf8PathBuf, Found>;

/// Another system that records the state of the files below some folders, or answers from such a record.
#[derive(Debug)]
pub struct RecordedSystem {
    base: Arc<dyn System>,
    /// The folders and files whose state it records. Empty if it answers.
    roots: Vec<Utf8PathBuf>,
    found: Arc<Mutex<FoundFiles>>,
}

impl RecordedSystem {
    /// Creates a system that adds to `found` the state of everything read below `roots`, absolute paths.
    pub fn recording(base: Arc<dyn System>, roots: Vec<Utf8PathBuf>, found: Arc<Mutex<FoundFiles>>) -> Self {
        RecordedSystem { base, roots, found }
    }

    /// Creates a system that answers from `found` about the paths in it.
    pub fn replaying(base: Arc<dyn System>, found: Arc<Mutex<FoundFiles>>) -> Self {
        RecordedSystem { base, roots: Vec::new(), found }
    }

    fn found(&self) -> MutexGuard<'_, FoundFiles> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the recorded state of a path if this system answers from a record. None for the paths of the base.
    fn known(&self, path: &Utf8Path) -> Option<Found> {
        if !self.roots.is_empty() {
            return None;
        }
        let found = self.found();
        if let Some(known) = found.get(path) {
            return Some(known.clone());
        }
        let mut around = path.ancestors().zip(path.ancestors().skip(1));
        let (inner, known) = around.find_map(|(inner, outer)| Some((inner, found.get(outer)?)))?;
        Some(match known {
            Found::Folder(None) => return None,
            Found::Folder(Some(entries)) => {
                match entries.iter().any(|it| inner.file_name() == Some(&it.name)) {
                    true => unrecorded(),
                    false => Found::Nothing,
                }
            }
            Found::Nothing | Found::File(..) => Found::Nothing,
            Found::Link(_) | Found::Unreadable(_) => unrecorded(),
        })
    }

    /// Records the state of a path, unless more is already known about it.
    fn remember(&self, path: &Utf8Path, now: Found) {
        if !self.roots.iter().any(|it| path.starts_with(it)) {
            return;
        }
        let mut found = self.found();
        let is_more = match (found.get(path), &now) {
            (None, _)
            | (Some(Found::File(_, None)), Found::File(..) | Found::Unreadable(_))
            | (Some(Found::Folder(None)), Found::Folder(_)) => true,
            (Some(_), _) => false,
        };
        if is_more {
            found.insert(path.to_owned(), now);
        }
    }
}

fn unrecorded() -> Found {
    Found::Unreadable("it was not recorded".to_owned())
}

impl super::layer::Layer for RecordedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.known(path) {
            None => {}
            Some(Found::File(_, Some(bytes))) if bytes.len() as u64 <= limit => return Ok(bytes),
            Some(Found::File(_, Some(bytes))) => {
                return Err(ReadError::TooLarge { size: bytes.len() as u64, limit });
            }
            Some(Found::File(_, None) | Found::Link(_)) => {
                return Err(ReadError::Other("it was not recorded".to_owned()));
            }
            Some(Found::Nothing) => return Err(ReadError::NotFound),
            Some(Found::Folder(_)) => return Err(ReadError::NotAFile),
            Some(Found::Unreadable(reason)) => return Err(ReadError::Other(reason)),
        }
        let result = self.base.read(path, limit);
        self.remember(
            path,
            match &result {
                Ok(bytes) => Found::File(bytes.len() as u64, Some(bytes.clone())),
                Err(ReadError::NotFound) => Found::Nothing,
                Err(error) => Found::Unreadable(error.to_string()),
            },
        );
        result
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        match self.known(path) {
            None => {}
            Some(Found::File(len, _)) => return Ok(Metadata { file_type: FileType::File, len }),
            Some(Found::Folder(_)) => return Ok(Metadata { file_type: FileType::Directory, len: 0 }),
            Some(Found::Link(target)) => {
                return System::metadata(self, &path.parent().unwrap_or(path).join(target));
            }
            Some(Found::Nothing) => return Err(io::ErrorKind::NotFound.into()),
            // The file exists, but reading it fails with the recorded reason.
            Some(Found::Unreadable(_)) => return Ok(Metadata { file_type: FileType::File, len: 0 }),
        }
        let result = self.base.metadata(path);
        match &result {
            Ok(it) if it.file_type == FileType::File => self.remember(path, Found::File(it.len, None)),
            Ok(it) if it.file_type == FileType::Directory => self.remember(path, Found::Folder(None)),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.remember(path, Found::Nothing),
            Err(_) => {}
        }
        result
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        match self.known(path) {
            None => self.base.canonicalize(path),
            Some(Found::Nothing) => Err(io::ErrorKind::NotFound.into()),
            Some(Found::Link(target)) => {
                System::canonicalize(self, &path.parent().unwrap_or(path).join(target))
            }
            Some(_) => Ok(path.to_owned()),
        }
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        match self.known(path) {
            None => {}
            Some(Found::Link(target)) => return Some(target),
            Some(_) => return None,
        }
        let target = self.base.read_link(path);
        if let Some(target) = &target {
            self.remember(path, Found::Link(target.clone()));
        }
        target
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        match self.known(directory) {
            None => {}
            Some(Found::Folder(Some(entries))) => return Ok(entries),
            Some(Found::Nothing) => return Err(io::ErrorKind::NotFound.into()),
            Some(_) => return Err(io::Error::other("it was not recorded")),
        }
        let result = self.base.entries(directory);
        if let Ok(entries) = &result {
            self.remember(directory, Found::Folder(Some(entries.clone())));
        }
        result
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.known(path).is_none() && self.base.is_direct(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    #[test]
    fn what_was_found_is_answered_without_the_base() {
        let world = MemorySystem::with_files([("/etc/a", "text"), ("/etc/d/b", "more"), ("/home/c", "own")]);
        let found = Arc::new(Mutex::new(FoundFiles::new()));
        let recording = RecordedSystem::recording(Arc::new(world), vec!["/etc".into()], Arc::clone(&found));
        let ask = |system: &dyn System| {
            let read = |path: &str| system.read(path.into(), 100);
            let names = |path: &str| system.entries(path.into()).map(|it| it.len()).ok();
            (read("/etc/a"), read("/etc/none"), names("/etc/d"), system.metadata("/etc/d/b".into()).ok())
        };
        let answers = ask(&recording);
        assert_eq!(answers.0, Ok(b"text".to_vec()));
        recording.read("/home/c".into(), 100).unwrap();
        let empty = Arc::new(MemorySystem::with_files([("/home/c", "other")]));
        let replaying = RecordedSystem::replaying(empty, found);
        assert_eq!(ask(&replaying), answers);
        // Only its existence was recorded.
        assert_eq!(
            replaying.read("/etc/d/b".into(), 100),
            Err(ReadError::Other("it was not recorded".to_owned()))
        );
        assert_eq!(replaying.read("/etc/d/c".into(), 100), Err(ReadError::NotFound));
        assert_eq!(replaying.read("/home/c".into(), 100), Ok(b"other".to_vec()));
    }
}
