use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::{Utf8Path, Utf8PathBuf};
use marotte_db::System;
use marotte_db::system::{Entry, Metadata, Output, ReadError};

/// A system that shows the code before or the code after. A caller that switches it must notify the database, as it does
/// for a change on disk.
#[derive(Debug)]
pub(super) struct SwitchedSystem {
    before: Arc<dyn System>,
    after: Arc<dyn System>,
    is_after: AtomicBool,
}

impl SwitchedSystem {
    pub(super) fn new(before: Arc<dyn System>, after: Arc<dyn System>) -> SwitchedSystem {
        SwitchedSystem { before, after, is_after: AtomicBool::new(false) }
    }

    /// Whether it shows the code after.
    pub(super) fn shows_after(&self) -> bool {
        self.is_after.load(Ordering::SeqCst)
    }

    /// Switches to the code after, or to the code before.
    pub(super) fn show_after(&self, is_after: bool) {
        self.is_after.store(is_after, Ordering::SeqCst);
    }

    fn now(&self) -> &dyn System {
        if self.shows_after() { &*self.after } else { &*self.before }
    }
}

impl System for SwitchedSystem {
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.now().read(path, limit)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.now().metadata(path)
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        self.now().canonicalize(path)
    }

    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.now().read_link(path)
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        self.now().entries(directory)
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        self.now().leaves(path)
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        self.now().is_outside(path)
    }

    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        self.now().outside_files()
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.now().is_direct(path)
    }

    fn current_dir(&self) -> &Utf8Path {
        self.before.current_dir()
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.now().write_atomically(path, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.now().create_folder(path)
    }

    fn run(&self, command: &[&str]) -> io::Result<Output> {
        self.now().run(command)
    }
}
