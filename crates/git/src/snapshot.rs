use std::collections::{BTreeMap, HashMap};

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use gix::ObjectId;
use gix::objs::tree::EntryKind;

use crate::repository::LARGEST;
use crate::{GitError, Revision};

/// The maximum number of files and folders of a tree.
const ENTRIES: usize = 1_000_000;

/// The maximum depth of nested folders.
const DEPTH: usize = 128;

/// The maximum length of a file name, in bytes.
const NAME: usize = 255;

/// The maximum length of the target of a symbolic link, in bytes.
const TARGET: u64 = 4096;

/// The maximum size of a tree object, in bytes.
const FOLDER: u64 = 64 << 20;

/// The names of all files of a commit. Their contents are read on demand.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The folders; the first one is the root.
    folders: Vec<Folder>,
}

pub(crate) type Folder = BTreeMap<String, Entry>;

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A folder, by its index.
    Folder(usize),
    /// A file, by the ID of its blob.
    File(ObjectId),
    /// A symbolic link, with its target. None if the target is not valid as a path: not UTF-8, with a null character, or too
    /// long.
    Link(Option<Utf8PathBuf>),
    /// An entry whose name is not UTF-8.
    NotUtf8,
}

/// The reason why the files of a commit cannot be read.
#[derive(Debug)]
pub(crate) enum Problem {
    Submodule(String),
    Other(String),
}

/// The result of resolving a path in a snapshot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found<'s> {
    /// The root folder of the snapshot.
    Root,
    /// A file, folder or link below the root.
    Entry(&'s Entry),
    /// Unknown, because a symbolic link is a component of the path.
    Behind,
    /// Nothing: only this number of components of the path exist.
    Missing(usize),
}

impl Problem {
    pub(crate) fn of(self, revision: &Revision) -> GitError {
        match self {
            Problem::Submodule(path) => GitError::Submodule(revision.to_string(), path),
            Problem::Other(why) => GitError::Tree(revision.to_string(), why),
        }
    }
}

impl From<gix::Error> for Problem {
    fn from(error: gix::Error) -> Problem {
        Problem::Other(error.to_string())
    }
}

impl Snapshot {
    /// Reads all folders of a commit; equal folders are read once.
    pub(crate) fn read(repository: &gix::Repository, commit: ObjectId) -> Result<Snapshot, Problem> {
        if repository.find_header(commit)?.size() > LARGEST {
            return Err(Problem::Other("the commit is too large".to_owned()));
        }
        let root = repository.find_commit(commit)?.tree_id()?.detach();
        let mut snapshot = Snapshot { folders: vec![Folder::new()] };
        let mut numbers = HashMap::from([(root, 0)]);
        let mut open = vec![(root, Utf8PathBuf::new())];
        let mut entries = 0;
        while let Some((id, path)) = open.pop() {
            if repository.find_header(id)?.size() > FOLDER {
                return Err(Problem::Other(format!("the folder `{path}` has too many names")));
            }
            let mut folder = Folder::new();
            for entry in repository.find_tree(id)?.iter() {
                let entry = entry?;
                entries += 1;
                if entries > ENTRIES {
                    return Err(too_many());
                }
                let bytes: &[u8] = entry.filename();
                let name = String::from_utf8_lossy(bytes);
                if !is_name(&name) {
                    let why = format!("a name in the folder `{path}` is not that of a file: {name:?}");
                    return Err(Problem::Other(why));
                }
                let Ok(name) = std::str::from_utf8(bytes) else {
                    folder.insert(name.into_owned(), Entry::NotUtf8);
                    continue;
                };
                let own = || path.join(name);
                let found = match entry.mode().kind() {
                    EntryKind::Tree => {
                        let id = entry.object_id();
                        let number = *numbers.entry(id).or_insert_with(|| {
                            open.push((id, own()));
                            snapshot.folders.push(Folder::new());
                            snapshot.folders.len() - 1
                        });
                        Entry::Folder(number)
                    }
                    EntryKind::Blob | EntryKind::BlobExecutable => Entry::File(entry.object_id()),
                    EntryKind::Link => Entry::Link(target(repository, entry.object_id())?),
                    EntryKind::Commit => return Err(Problem::Submodule(own().into_string())),
                };
                folder.insert(name.to_owned(), found);
            }
            if let Some(number) = numbers.get(&id) {
                snapshot.folders[*number] = folder;
            }
        }
        snapshot.check_extent()?;
        Ok(snapshot)
    }

    /// Rejects trees that are too large to walk: equal folders count each time.
    fn check_extent(&self) -> Result<(), Problem> {
        // How many names there are in a folder and below it, and how many folders lie in each other.
        let mut extents: Vec<Option<(usize, usize)>> = vec![None; self.folders.len()];
        let mut open = vec![0];
        while let Some(number) = open.last().copied() {
            if extents[number].is_some() {
                open.pop();
                continue;
            }
            let inner = self.folders[number].values().filter_map(|it| match it {
                Entry::Folder(inner) => Some(*inner),
                _ => None,
            });
            let mut extent = (self.folders[number].len(), 1);
            let known = open.len();
            for it in inner {
                match extents[it] {
                    Some((count, depth)) => {
                        extent = (extent.0.saturating_add(count), extent.1.max(depth + 1));
                    }
                    // It comes first. No folder is in itself: its number is computed from those of what is in it.
                    None => open.push(it),
                }
            }
            if open.len() > known {
                continue;
            }
            if extent.0 > ENTRIES {
                return Err(too_many());
            }
            if extent.1 > DEPTH {
                return Err(Problem::Other(format!("more than {DEPTH} folders lie in each other")));
            }
            extents[number] = Some(extent);
            open.pop();
        }
        Ok(())
    }

    /// Resolves a path below the root.
    pub(crate) fn find(&self, path: &Utf8Path) -> Found<'_> {
        let mut found = Found::Root;
        for (index, component) in path.components().enumerate() {
            let Utf8Component::Normal(name) = component else { return Found::Behind };
            let folder = match found {
                Found::Root => self.folders.first(),
                Found::Entry(Entry::Folder(number)) => self.folders.get(*number),
                Found::Entry(Entry::Link(_)) => return Found::Behind,
                _ => None,
            };
            match folder.and_then(|it| it.get(name)) {
                Some(entry) => found = Found::Entry(entry),
                None => return Found::Missing(index),
            }
        }
        found
    }

    /// Returns the entries of a folder. None if the path is not a folder.
    pub(crate) fn folder(&self, found: Found<'_>) -> Option<&Folder> {
        match found {
            Found::Root => self.folders.first(),
            Found::Entry(Entry::Folder(number)) => self.folders.get(*number),
            _ => None,
        }
    }
}

fn too_many() -> Problem {
    Problem::Other(format!("there are more than {ENTRIES} files and folders"))
}

/// Whether a name is valid for an entry of a folder: git rejects the same names.
fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..")
        && !name.contains(['/', '\0'])
        && !name.eq_ignore_ascii_case(".git")
        && name.len() <= NAME
}

/// Returns the target of a link.
fn target(repository: &gix::Repository, id: ObjectId) -> Result<Option<Utf8PathBuf>, Problem> {
    if repository.find_header(id)?.size() > TARGET {
        return Ok(None);
    }
    let bytes = repository.find_blob(id)?.take_data();
    Ok(String::from_utf8(bytes).ok().filter(|it| !it.contains('\0')).map(Utf8PathBuf::from))
}
