use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use camino::{Utf8Path, Utf8PathBuf};
use ignore::Match;
use ignore::gitignore::Gitignore;
use marotte_db::System;
use marotte_db::system::{EntryKind, ignore_patterns};

/// The maximum size of a list of patterns, longer than any real one.
const MAX_SIZE: u64 = 1 << 20;

/// Files of the working tree that git ignores, such as fetched modules and secrets. They are the same for every revision, because
/// git doesn't store them.
pub(crate) struct Untracked {
    root: Utf8PathBuf,
    disk: Arc<dyn System>,
    /// The files of the index and the folders around them, relative to the root.
    tracked: BTreeSet<String>,
    /// The patterns of `.git/info/exclude`, and those that the user ignores everywhere.
    everywhere: [Gitignore; 2],
    /// The patterns of the `.gitignore` of each folder that was queried.
    patterns: RwLock<BTreeMap<Utf8PathBuf, Arc<Gitignore>>>,
    /// The cached results of [`holds`](Self::holds).
    holding: RwLock<BTreeMap<Utf8PathBuf, bool>>,
}

impl fmt::Debug for Untracked {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Untracked").field("root", &self.root).finish_non_exhaustive()
    }
}

impl Untracked {
    pub(crate) fn new(
        repository: &gix::Repository,
        root: &Utf8Path,
        disk: Arc<dyn System>,
    ) -> Result<Untracked, String> {
        let index = repository.index_or_empty().map_err(|error| error.to_string())?;
        let mut tracked = BTreeSet::new();
        for entry in index.entries() {
            let path = entry.path(&index).to_string();
            let mut around = path.as_str();
            while let Some((folder, _)) = around.rsplit_once('/') {
                if !tracked.insert(folder.to_owned()) {
                    break;
                }
                around = folder;
            }
            tracked.insert(path);
        }
        let exclude = repository.common_dir().join("info").join("exclude");
        let exclude = Utf8PathBuf::from_path_buf(exclude).ok().map(|it| read(&*disk, root, &it));
        let of_user = disk.user_excludes().map(|it| it.patterns).unwrap_or_default();
        let of_user = ignore_patterns(root, &of_user).unwrap_or_else(|_| Gitignore::empty());
        let everywhere = [exclude.unwrap_or_else(Gitignore::empty), of_user];
        Ok(Untracked {
            root: root.to_owned(),
            disk,
            tracked,
            everywhere,
            patterns: RwLock::default(),
            holding: RwLock::default(),
        })
    }

    /// Whether a path, relative to the root, is on the disk and ignored by git. The first `first` components of it exist in the
    /// revision.
    pub(crate) fn has(&self, path: &Utf8Path, first: usize) -> bool {
        // What is in a folder that is left alone is left alone with it.
        let depth = path.components().count();
        (first + 1..=depth).any(|length| {
            let part: Utf8PathBuf = path.components().take(length).collect();
            !self.tracked.contains(part.as_str()) && self.is_left_alone(&part)
        })
    }

    /// Whether a path, relative to the root, is a folder on the disk that contains, at any depth, something that git
    /// ignores. When a revision without the folder is checked out, git therefore leaves the folder.
    pub(crate) fn holds(&self, path: &Utf8Path) -> bool {
        if !self.is_folder(path) {
            return false;
        }
        if let Some(known) = self.holding.read().unwrap_or_else(PoisonError::into_inner).get(path) {
            return *known;
        }
        let mut open = vec![path.to_owned()];
        let mut holds = false;
        while let Some(folder) = open.pop()
            && !holds
        {
            for entry in self.disk.entries(&self.root.join(&folder)).unwrap_or_default() {
                let path = folder.join(&entry.name);
                holds |= !self.tracked.contains(path.as_str()) && self.is_left_alone(&path);
                if entry.kind == EntryKind::Directory {
                    open.push(path);
                }
            }
        }
        self.holding.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), holds);
        holds
    }

    /// Whether a path, relative to the root, is a folder on the disk. For git, a link is a file.
    fn is_folder(&self, path: &Utf8Path) -> bool {
        let absolute = self.root.join(path);
        self.disk.is_directory(&absolute) && self.disk.read_link(&absolute).is_none()
    }

    /// Whether git ignores a path that it doesn't track: patterns match the path, or a folder that contains it, although other files of
    /// the folder may be tracked.
    fn is_left_alone(&self, path: &Utf8Path) -> bool {
        if self.disk.metadata(&self.root.join(path)).is_err() {
            return false;
        }
        let mut around: Vec<&Utf8Path> = path.ancestors().filter(|it| !it.as_str().is_empty()).collect();
        around.reverse();
        around.into_iter().any(|it| self.is_ignored(it))
    }

    /// Whether patterns match a path itself.
    fn is_ignored(&self, path: &Utf8Path) -> bool {
        let absolute = self.root.join(path);
        let is_folder = self.is_folder(path);
        for folder in path.ancestors().skip(1) {
            match self.of(folder).matched(&absolute, is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        self.everywhere
            .iter()
            .map(|it| it.matched(&absolute, is_folder))
            .find(|it| !it.is_none())
            .is_some_and(|it| it.is_ignore())
    }

    /// Returns the patterns of the `.gitignore` of a folder.
    fn of(&self, folder: &Utf8Path) -> Arc<Gitignore> {
        let known = |it: &BTreeMap<Utf8PathBuf, Arc<Gitignore>>| it.get(folder).cloned();
        if let Some(known) = known(&self.patterns.read().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        let absolute = self.root.join(folder);
        let new = Arc::new(read(&*self.disk, &absolute, &absolute.join(".gitignore")));
        self.patterns
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(folder.to_owned(), Arc::clone(&new));
        new
    }
}

/// Reads the patterns of a file. As in git, an invalid line matches nothing.
fn read(disk: &dyn System, folder: &Utf8Path, path: &Utf8Path) -> Gitignore {
    let Ok(bytes) = disk.read(path, MAX_SIZE) else { return Gitignore::empty() };
    ignore_patterns(folder, &bytes).unwrap_or_else(|_| Gitignore::empty())
}
