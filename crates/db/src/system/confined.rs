use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use foldhash::HashSet;

use super::{Entry, ReadError, System, layer, resolve};

/// The treatment of paths that lead out of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outward {
    /// Links are followed, provided that the target is of the kind that the link's name suggests. The contents are marked as
    /// [outside](System::is_outside).
    Followed,
    /// Links aren't followed, and are reported as [leaving](System::leaves) the tree.
    Left,
    /// Their metadata is available, but nothing is read. For callers that first ask the user for permission and list what to
    /// permit.
    Refused,
}

/// A view of another system that is confined to the tree that the user means: the contents of some folders, after resolving
/// symbolic links and dots. Metadata and the targets of links outside of the tree are available, too, because they require no
/// opening of files.
#[derive(Debug)]
pub struct ConfinedSystem {
    base: Arc<dyn System>,
    outward: Outward,
    /// The roots, and their real paths.
    roots: RwLock<Vec<(Utf8PathBuf, Utf8PathBuf)>>,
    /// The paths outside the tree that were read.
    read: RwLock<HashSet<Utf8PathBuf>>,
}

impl ConfinedSystem {
    /// Confines `base` to these absolute paths and everything below them.
    pub fn new(
        base: Arc<dyn System>,
        roots: impl IntoIterator<Item = Utf8PathBuf>,
        outward: Outward,
    ) -> ConfinedSystem {
        let real = |root: Utf8PathBuf| (resolve(&*base, &root).real, root);
        let roots = roots.into_iter().map(real).map(|(real, root)| (root, real)).collect();
        ConfinedSystem { base, outward, roots: RwLock::new(roots), read: RwLock::default() }
    }

    fn has(&self, real: &Utf8Path) -> bool {
        let roots = self.roots.read().unwrap_or_else(PoisonError::into_inner);
        roots.iter().any(|(_, root)| real.starts_with(root))
    }

    /// Updates the real paths of the roots: a link on the way to one may have been switched. Returns whether any changed.
    fn look_again(&self) -> bool {
        let mut roots = self.roots.write().unwrap_or_else(PoisonError::into_inner);
        let mut changed = false;
        for (root, known) in roots.iter_mut() {
            let real = resolve(&*self.base, root).real;
            changed |= real != *known;
            *known = real;
        }
        changed
    }

    /// Whether a path is below a root, provided that no part of it is a link.
    fn is_certainly_below(&self, path: &Utf8Path) -> bool {
        !path.components().any(|it| it == Utf8Component::ParentDir) && self.has(path)
    }

    fn is_known_as_outside(&self, path: &Utf8Path) -> bool {
        let known = self.read.read().unwrap_or_else(PoisonError::into_inner);
        !known.is_empty() && known.contains(path)
    }

    /// The target of a path, if it is outside the tree.
    fn outside(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        if self.is_certainly_below(path) && self.base.is_direct(path) {
            return None;
        }
        let real = resolve(&*self.base, path).real;
        let is_inside = self.has(&real) || self.look_again() && self.has(&real);
        (!is_inside).then_some(real)
    }

    /// Refuses paths that may not be read. Records paths that are read outside the tree.
    fn check(&self, path: &Utf8Path) -> Result<(), ReadError> {
        let known_as_outside = self.is_known_as_outside(path);
        match self.outside(path) {
            None if known_as_outside => {
                self.read.write().unwrap_or_else(PoisonError::into_inner).remove(path);
                Ok(())
            }
            None => Ok(()),
            Some(_) if self.outward != Outward::Followed => Err(ReadError::LeavesTree),
            Some(real) if is_same_kind(path, &real) => {
                if !known_as_outside {
                    self.read.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
                }
                Ok(())
            }
            Some(_) => Err(ReadError::OtherKind),
        }
    }
}

/// Whether a link's target is of the kind that the link's name suggests: a manifest is a manifest, and data are data.
fn is_same_kind(link: &Utf8Path, target: &Utf8Path) -> bool {
    fn kind(path: &Utf8Path) -> Option<&str> {
        path.extension().map(|it| if matches!(it, "yml" | "eyaml") { "yaml" } else { it })
    }
    match kind(link) {
        None => link.file_name() == target.file_name(),
        own => own == kind(target),
    }
}

impl layer::Layer for ConfinedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        if self.is_certainly_below(path)
            && !self.is_known_as_outside(path)
            && let Some(read) = self.base.read_direct(path, limit)
        {
            return read;
        }
        self.check(path)?;
        self.base.read(path, limit)
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        if self.outward != Outward::Followed && self.outside(directory).is_some() {
            return Err(io::Error::other(ReadError::LeavesTree));
        }
        self.base.entries(directory)
    }

    fn leaves(&self, path: &Utf8Path) -> bool {
        self.outward == Outward::Left && self.outside(path).is_some()
    }

    fn is_outside(&self, path: &Utf8Path) -> bool {
        self.outside(path).is_some()
    }

    fn was_outside(&self, path: &Utf8Path) -> bool {
        self.is_known_as_outside(path)
    }

    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        let read = self.read.read().unwrap_or_else(PoisonError::into_inner);
        let mut paths: Vec<Utf8PathBuf> = read.iter().cloned().collect();
        paths.sort_unstable();
        paths
    }

    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        // A link may be made at any time: what was found to be inside is what is written.
        layer::Layer::write_direct(self, &resolve(&*self.base, path).real, None, bytes)
    }

    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        let is_inside = self.has(path) || self.look_again() && self.has(path);
        if !is_inside {
            return Err(io::Error::other(ReadError::LeavesTree));
        }
        self.base.write_direct(path, old, bytes)
    }

    fn create_folder(&self, path: &Utf8Path) -> io::Result<()> {
        if self.outside(path).is_some() {
            return Err(io::Error::other(ReadError::LeavesTree));
        }
        self.base.create_folder(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;
    use crate::system::{WalkEntry, WalkOptions, WalkProblem};

    fn system(outward: Outward) -> (Arc<MemorySystem>, ConfinedSystem) {
        let memory = Arc::new(MemorySystem::with_files([
            ("/tree/a.pp", "a"),
            ("/secret/b.pp", "b"),
            ("/secret/key", "k"),
            ("/secret/data.yaml", "d"),
        ]));
        for (link, target) in [
            ("/tree/b.pp", "/secret/b.pp"),
            ("/tree/key.pp", "/secret/key"),
            ("/tree/folder", "../secret"),
            ("/tree/data.eyaml", "/secret/data.yaml"),
            ("/tree/inside.pp", "a.pp"),
        ] {
            memory.link(link, target);
        }
        let confined = ConfinedSystem::new(Arc::<MemorySystem>::clone(&memory), ["/tree".into()], outward);
        (memory, confined)
    }

    #[test]
    fn nothing_outside_is_read_if_that_is_refused() {
        let (_, system) = system(Outward::Left);
        let read = |path: &str| system.read(path.into(), 9);
        assert_eq!(read("/tree/a.pp"), Ok(b"a".to_vec()));
        assert_eq!(read("/tree/inside.pp"), Ok(b"a".to_vec()));
        for path in
            ["/secret/b.pp", "/tree/b.pp", "/tree/folder/key", "/tree/../secret/key", "/tree/data.eyaml"]
        {
            assert_eq!(read(path), Err(ReadError::LeavesTree), "{path}");
        }
        assert!(system.entries("/tree/folder".into()).is_err());
        let mut left = Vec::new();
        system.walk("/tree".into(), WalkOptions::default(), &mut |entry| match entry {
            WalkEntry::Problem { path, problem: WalkProblem::LeavesTree } => left.push(path.to_string()),
            other => assert!(!other.path().as_str().contains("/folder/"), "{other:?}"),
        });
        assert_eq!(left, ["/tree/b.pp", "/tree/data.eyaml", "/tree/folder", "/tree/key.pp"]);
    }

    #[test]
    fn links_are_followed_to_what_their_names_say() {
        let (_, system) = system(Outward::Followed);
        let read = |path: &str| system.read(path.into(), 9);
        assert_eq!(read("/tree/b.pp"), Ok(b"b".to_vec()));
        assert_eq!(read("/tree/folder/key"), Ok(b"k".to_vec()));
        assert_eq!(read("/tree/data.eyaml"), Ok(b"d".to_vec()));
        assert_eq!(read("/tree/key.pp"), Err(ReadError::OtherKind));
        assert_eq!(system.outside_files(), ["/tree/b.pp", "/tree/data.eyaml", "/tree/folder/key"]);
        assert!(system.is_outside("/tree/b.pp".into()) && !system.is_outside("/tree/inside.pp".into()));
    }

    #[test]
    fn a_root_may_be_switched() {
        let memory = Arc::new(MemorySystem::with_files([("/r/1/a.pp", "1"), ("/r/2/a.pp", "2")]));
        memory.link("/current", "/r/1");
        let base = Arc::<MemorySystem>::clone(&memory);
        let system = ConfinedSystem::new(base, ["/current".into()], Outward::Refused);
        assert_eq!(system.read("/current/a.pp".into(), 9), Ok(b"1".to_vec()));
        memory.link("/current", "/r/2");
        assert_eq!(system.read("/current/a.pp".into(), 9), Ok(b"2".to_vec()));
        assert_eq!(system.read("/r/1/a.pp".into(), 9), Err(ReadError::LeavesTree));
    }
}
