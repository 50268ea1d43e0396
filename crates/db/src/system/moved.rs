use std::borrow::Cow;
use std::io;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, Metadata, Output, ReadError, System, normalize, resolve};

/// A copy of another system on which one folder is shown at the path of another, so that two trees have the same paths.
#[derive(Debug)]
pub struct MovedSystem {
    base: Arc<dyn System>,
    /// The actual path of the folder.
    real: Utf8PathBuf,
    /// The path at which the folder is shown.
    shown: Utf8PathBuf,
}

impl MovedSystem {
    /// Shows the folder `real` at `shown`. Both are absolute paths without links.
    pub fn new(base: Arc<dyn System>, real: Utf8PathBuf, shown: Utf8PathBuf) -> MovedSystem {
        MovedSystem { base, real, shown }
    }

    /// Converts a shown path to the path on the other system.
    fn below<'p>(&self, path: &'p Utf8Path) -> Cow<'p, Utf8Path> {
        match path.strip_prefix(&self.shown) {
            Ok(rest) if rest.as_str().is_empty() => Cow::Owned(self.real.clone()),
            Ok(rest) => Cow::Owned(self.real.join(rest)),
            Err(_) => Cow::Borrowed(path),
        }
    }

    /// Converts a path on the other system to the shown path.
    fn above(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let rest = path.strip_prefix(&self.real).ok()?;
        Some(if rest.as_str().is_empty() { self.shown.clone() } else { self.shown.join(rest) })
    }
}

impl super::layer::Layer for MovedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.base.read(&self.below(path), limit)
    }

    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata> {
        self.base.metadata(&self.below(path))
    }

    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf> {
        let real = resolve(self, &self.absolute(path)).real;
        System::metadata(self, &real).map(|_| real)
    }

    /// A link that leads out of the folder keeps its real target.
    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let below = self.below(path);
        let target = self.base.read_link(&below)?;
        if matches!(below, Cow::Borrowed(_)) {
            return Some(target);
        }
        if target.is_absolute() {
            return Some(self.above(&target).unwrap_or(target));
        }
        let whole = normalize(&below.parent().unwrap_or(Utf8Path::new("/")).join(&target));
        Some(if whole.starts_with(&self.real) { target } else { whole })
    }

    fn written_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let target = self.base.written_link(&self.below(path))?;
        if target.is_relative() { Some(target) } else { System::read_link(self, path) }
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        self.base.entries(&self.below(directory))
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        self.base.leaves(&self.below(path))
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        self.base.is_outside(&self.below(path))
    }

    fn was_outside(&self, path: &Utf8Path) -> bool {
        self.base.was_outside(&self.below(path))
    }

    fn is_direct(&self, path: &Utf8Path) -> bool {
        self.base.is_direct(&self.below(path))
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.base.write_atomically(&self.below(path), bytes)
    }

    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        self.base.write_direct(&self.below(path), old, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.base.create_folder(&self.below(path))
    }

    fn run(&self, command: &[&str]) -> io::Result<Output> {
        let parts = command.iter().map(|it| self.below(Utf8Path::new(it)).into_owned());
        let parts: Vec<Utf8PathBuf> = parts.collect();
        self.base.run(&parts.iter().map(|it| it.as_str()).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    #[test]
    fn a_folder_is_shown_in_the_place_of_another() {
        let memory =
            MemorySystem::with_files([("/old/a", "1"), ("/new/a", "2"), ("/new/b", "3"), ("/beside/c", "4")]);
        for (link, target) in [
            ("/old/inside", "a"),
            ("/old/absolute", "/old/a"),
            ("/old/out", "../beside/c"),
            ("/old/back", "../old/a"),
        ] {
            memory.link(link, target);
        }
        let system = MovedSystem::new(Arc::new(memory), "/old".into(), "/new".into());
        let read =
            |path: &str| system.read(path.into(), 9).map(|it| String::from_utf8_lossy(&it).into_owned());
        assert_eq!(read("/new/a"), Ok("1".to_owned()));
        assert_eq!(read("/new/b"), Err(ReadError::NotFound));
        assert_eq!(read("/new/inside"), Ok("1".to_owned()));
        let real = |path: &str| resolve(&system, path.into()).real;
        assert_eq!(real("/new/inside"), "/new/a");
        assert_eq!(real("/new/absolute"), "/new/a");
        assert_eq!(real("/new/out"), "/beside/c");
        assert_eq!(system.canonicalize("/new/inside".into()).unwrap(), "/new/a");
        let names: Vec<String> = system.list("/new".into()).unwrap().into_iter().map(|it| it.name).collect();
        assert_eq!(names, ["a", "absolute", "back", "inside", "out"]);
    }
}
