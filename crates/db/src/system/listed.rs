use std::collections::HashMap;
use std::io;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};

use super::{Entry, System};

/// The maximum number of names that are kept.
const MOST: usize = 100_000;

/// A view of a system whose files don't change. The names in a folder are kept from the first time that they are asked for to the
/// second: a walk looks into each folder of a tree, and so do the queries that run after it.
#[derive(Debug)]
pub struct ListedSystem {
    base: Arc<dyn System>,
    kept: RwLock<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    folders: HashMap<Utf8PathBuf, Vec<Entry>>,
    names: usize,
}

impl ListedSystem {
    /// Creates a view of a system.
    pub fn new(base: Arc<dyn System>) -> ListedSystem {
        ListedSystem { base, kept: RwLock::default() }
    }
}

impl super::layer::Layer for ListedSystem {
    fn base(&self) -> &dyn System {
        &*self.base
    }

    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>> {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(entries) = kept.folders.remove(directory) {
            kept.names -= entries.len();
            return Ok(entries);
        }
        drop(kept);
        let entries = self.base.entries(directory)?;
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.names + entries.len() <= MOST {
            let before = kept.folders.insert(directory.to_owned(), entries.clone());
            kept.names = kept.names + entries.len() - before.map_or(0, |it| it.len());
        }
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemorySystem;

    #[test]
    fn a_folder_is_read_every_other_time() {
        let memory = Arc::new(MemorySystem::with_files([("/a/b", ""), ("/a/c", "")]));
        let system = ListedSystem::new(Arc::<MemorySystem>::clone(&memory));
        let count = || system.entries("/a".into()).map(|it| it.len()).ok();
        assert_eq!((count(), system.entries("/none".into()).is_err()), (Some(2), true));
        memory.write_file("/a/d", "");
        assert_eq!((count(), count(), count()), (Some(2), Some(3), Some(3)));
        assert_eq!(system.kept.read().unwrap().names, 0);
    }
}
