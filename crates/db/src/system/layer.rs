use std::fmt;
use std::io;
use std::panic::RefUnwindSafe;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, Metadata, Output, ReadError, System, UserExcludes};

/// A system that answers some questions differently from another system, its base, and forwards the rest to it.
///
/// Every layer is a [`System`]. Implement the trait by its path, without importing it: its methods have the names of those of
/// `System`, so that calls on a concrete layer would be ambiguous.
pub trait Layer: fmt::Debug + Send + Sync + RefUnwindSafe {
    /// Returns the system that handles the calls that this layer doesn't handle itself.
    fn base(&self) -> &dyn System;

    /// See [`System::read`].
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.base().read(path, limit)
    }

    /// See [`System::metadata`].
    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.base().metadata(path)
    }

    /// See [`System::canonicalize`].
    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.base().canonicalize(path)
    }

    /// See [`System::read_link`].
    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.base().read_link(path)
    }

    /// See [`System::written_link`].
    fn written_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        Layer::read_link(self, path).and_then(|_| self.base().written_link(path))
    }

    /// See [`System::entries`].
    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        self.base().entries(directory)
    }

    /// See [`System::leaves`].
    fn leaves(&self, path: &Utf8Path) -> bool {
        self.base().leaves(path)
    }

    /// See [`System::is_outside`].
    fn is_outside(&self, path: &Utf8Path) -> bool {
        self.base().is_outside(path)
    }

    /// See [`System::was_outside`].
    fn was_outside(&self, path: &Utf8Path) -> bool {
        self.base().was_outside(path)
    }

    /// See [`System::outside_files`].
    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        self.base().outside_files()
    }

    /// See [`System::user_excludes`].
    fn user_excludes(&self) -> Option<UserExcludes> {
        self.base().user_excludes()
    }

    /// See [`System::is_direct`].
    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.base().is_direct(path)
    }

    /// See [`System::current_dir`].
    fn current_dir(&self) -> &Utf8Path {
        self.base().current_dir()
    }

    /// See [`System::write_atomically`].
    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.base().write_atomically(path, bytes)
    }

    /// See [`System::write_direct`].
    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        self.base().write_direct(path, old, bytes)
    }

    /// See [`System::create_folder`].
    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.base().create_folder(path)
    }

    /// See [`System::run`].
    fn run(&self, command: &[&str]) -> io::Result<Output> {
        self.base().run(command)
    }
}

impl<L: Layer> System for L {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        Layer::read(self, path, limit)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        Layer::metadata(self, path)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        Layer::canonicalize(self, path)
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        Layer::read_link(self, path)
    }

    fn written_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        Layer::written_link(self, path)
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        Layer::entries(self, directory)
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        Layer::leaves(self, path)
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        Layer::is_outside(self, path)
    }

    fn was_outside(&self, path: &Utf8Path) -> bool {
        Layer::was_outside(self, path)
    }

    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        Layer::outside_files(self)
    }

    fn user_excludes(&self) -> Option<UserExcludes> {
        Layer::user_excludes(self)
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        Layer::is_direct(self, path)
    }

    fn current_dir(&self) -> &Utf8Path {
        Layer::current_dir(self)
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        Layer::write_atomically(self, path, bytes)
    }

    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        Layer::write_direct(self, path, old, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        Layer::create_folder(self, path)
    }

    fn run(&self, command: &[&str]) -> io::Result<Output> {
        Layer::run(self, command)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{ConfinedSystem, Outward};
    use crate::MemorySystem;

    use super::*;

    #[derive(Debug)]
    struct Unchanged(ConfinedSystem);

    impl Layer for Unchanged {
        fn base(&self) -> &dyn System {
            &self.0
        }
    }

    /// The base has an answer other than the default for every question but `run`, which needs a machine.
    #[test]
    fn a_layer_without_answers_of_its_own_answers_as_its_base() {
        let memory = MemorySystem::with_files([("/t/a", "text"), ("/out", "")]);
        memory.link("/t/link", "a");
        memory.link("/t/out", "/out");
        let memory: Arc<dyn System> = Arc::new(memory);
        let confined = |outward| ConfinedSystem::new(Arc::clone(&memory), ["/t".into()], outward);
        let left = Unchanged(confined(Outward::Left));
        let system: &dyn System = &left;
        assert_eq!(system.read("/t/a".into(), 9), Ok(b"text".to_vec()));
        assert_eq!(system.read("/t/out".into(), 9), Err(ReadError::LeavesTree));
        assert_eq!(system.metadata("/t/a".into()).unwrap().len, 4);
        assert_eq!(system.canonicalize("/t/link".into()).unwrap(), "/t/a");
        assert_eq!(system.read_link("/t/link".into()).unwrap(), "a");
        assert_eq!(system.entries("/t".into()).unwrap().len(), 3);
        assert!(system.leaves("/t/out".into()) && system.is_outside("/t/out".into()));
        assert!(!system.leaves("/t/a".into()) && !system.is_outside("/t/a".into()));
        assert_eq!(system.is_direct("/t/a".into()), memory.is_direct("/t/a".into()));
        assert_eq!(system.current_dir(), memory.current_dir());
        system.write_atomically("/t/new/b".into(), b"b").unwrap();
        assert_eq!(memory.read("/t/new/b".into(), 9), Ok(b"b".to_vec()));
        assert!(system.write_direct("/t/new/b".into(), Some(b"a"), b"c").is_err());
        system.write_direct("/t/new/b".into(), Some(b"b"), b"c").unwrap();
        assert_eq!(memory.read("/t/new/b".into(), 9), Ok(b"c".to_vec()));
        system.create_folder("/t/folder".into()).unwrap();
        assert!(system.create_folder("/folder".into()).is_err());
        assert_eq!(system.run(&["x"]).unwrap_err().to_string(), memory.run(&["x"]).unwrap_err().to_string());
    }

    #[test]
    fn what_was_read_outside_is_known_through_a_layer() {
        let memory = MemorySystem::with_files([("/out.pp", "")]);
        memory.link("/t/out.pp", "/out.pp");
        let layer = Unchanged(ConfinedSystem::new(Arc::new(memory), ["/t".into()], Outward::Followed));
        let system: &dyn System = &layer;
        assert!(!system.was_outside("/t/out.pp".into()));
        system.read("/t/out.pp".into(), 9).unwrap();
        assert!(system.was_outside("/t/out.pp".into()));
        assert_eq!(system.outside_files(), ["/t/out.pp"]);
    }
}
