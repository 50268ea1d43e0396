//! The outside world: one trait, so that no query can read it without salsa's knowledge.

mod confined;
mod disk;
mod layer;
mod links;
mod listed;
mod memory;
mod moved;
mod overlay;
pub mod process;
mod recorded;
pub(crate) mod replace;
mod walk;

pub use confined::{ConfinedSystem, Outward};
pub use disk::DiskSystem;
pub use layer::Layer;
pub use links::{Resolved, resolve};
pub use listed::ListedSystem;
pub use memory::MemorySystem;
pub use moved::MovedSystem;
pub use overlay::OverlaySystem;
pub use recorded::{Found, FoundFiles, RecordedSystem};
pub use walk::{WalkEntry, WalkOptions, WalkProblem, ignore_patterns, is_ignore_file, lists_above};

use std::fmt;
use std::io;
use std::panic::RefUnwindSafe;
use std::time::SystemTime;

use camino::{Utf8Path, Utf8PathBuf};

/// The kind of thing at a path, after following symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileType {
    /// Bytes that can be read.
    File,
    /// The path is that of a folder.
    Directory,
    /// Something else: a socket, a device.
    Other,
}

/// The kind and size of the thing at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The type of the file.
    pub file_type: FileType,
    /// The size in bytes; 0 for anything but a file.
    pub len: u64,
}

/// A name in a folder, with the kind of its target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DirectoryEntry {
    /// The name itself, not the path.
    pub name: String,
    /// Whether it is a folder, after following symbolic links.
    pub is_directory: bool,
    /// Whether it is a symbolic link.
    pub is_link: bool,
}

/// A name in a folder, with symbolic links not followed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The name itself, not the path; characters that are not UTF-8 are replaced.
    pub name: String,
    /// The kind of the entry.
    pub kind: EntryKind,
}

/// The kind of a directory entry, symbolic links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryKind {
    /// The name of a regular file.
    File,
    /// The name of a folder.
    Directory,
    /// The name of a symbolic link.
    Link,
    /// Something else: a socket, a device.
    Other,
    /// Anything whose name is not UTF-8.
    NotUtf8,
}

/// The list of files that a user ignores in all repositories of git: the file that `core.excludesFile` of the user's configuration names, or
/// `git/ignore` in the folder of configurations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserExcludes {
    /// The absolute path of the list, which needn't exist.
    pub path: Utf8PathBuf,
    /// Its content; empty if it cannot be read. As with git, nothing is ignored then.
    pub patterns: Vec<u8>,
}

/// The output and exit status of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Standard output, followed by standard error.
    pub text: Vec<u8>,
    /// The exit status; None if a signal ended the command.
    pub status: Option<i32>,
}

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ReadError {
    /// Nothing exists at the path.
    NotFound,
    /// The path isn't a regular file: a folder, a device, a pipe, a kernel-generated file.
    NotAFile,
    /// A symbolic link leads out of the tree, where reading isn't allowed.
    LeavesTree,
    /// A symbolic link leads out of the tree, to a file of another kind than the link's name suggests.
    OtherKind,
    /// The operating system denies access.
    PermissionDenied,
    /// The file is larger than the limit. It wasn't read.
    TooLarge {
        /// The file's size in bytes.
        size: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// Any other error, with the message of the operating system.
    Other(String),
}

impl ReadError {
    fn from_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ReadError::NotFound,
            io::ErrorKind::IsADirectory => ReadError::NotAFile,
            io::ErrorKind::PermissionDenied => ReadError::PermissionDenied,
            _ => ReadError::Other(error.to_string()),
        }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        match error.downcast() {
            Ok(error) => error,
            Err(error) => ReadError::from_io(&error),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => f.write_str("there is no such file"),
            ReadError::NotAFile => f.write_str("it is not a regular file"),
            ReadError::LeavesTree => f.write_str("it is outside of the tree, where nothing is read"),
            ReadError::OtherKind => {
                f.write_str("a symbolic link leads out of the tree from here, to a file of another kind")
            }
            ReadError::PermissionDenied => f.write_str("permission denied"),
            ReadError::TooLarge { size, limit } => {
                write!(f, "it has {size} bytes, more than the limit of {limit}")
            }
            ReadError::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

/// The reason why a file isn't replaced, although it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteRefusal {
    /// There is a symbolic link on the way to it.
    Link,
    /// Its content is not the expected one.
    Changed,
}

impl fmt::Display for WriteRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WriteRefusal::Link => "a symbolic link was put on the way to it meanwhile",
            WriteRefusal::Changed => "it was changed meanwhile",
        })
    }
}

impl std::error::Error for WriteRefusal {}

/// The outside world as the compiler sees it.
///
/// Every method reports the present state; caching is left to queries. Paths are absolute.
pub trait System: fmt::Debug + Send + Sync + RefUnwindSafe {
    /// Reads a file of at most `limit` bytes. Never allocates much more than the limit.
    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// The kind and size of the thing at a path.
    fn metadata(&self, path: &Utf8Path) -> io::Result<Metadata>;

    /// The path without symbolic links and dots.
    fn canonicalize(&self, path: &Utf8Path) -> io::Result<Utf8PathBuf>;

    /// The target of the symbolic link at a path, as written in the link. None if there is no link.
    fn read_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf>;

    /// The target of the symbolic link at a path as agents get it, who create the same link. It may differ from
    /// [`read_link`](System::read_link) on a system that shows a tree at another path.
    fn written_link(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        self.read_link(path)
    }

    /// The entries of a folder, symbolic links not followed, in any order.
    fn entries(&self, directory: &Utf8Path) -> io::Result<Vec<Entry>>;

    /// Whether a path leads out of the tree that this system is confined to, so that nothing is read there.
    fn leaves(&self, path: &Utf8Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a path leads out of the tree that the user means. The contents there must not be shown.
    fn is_outside(&self, path: &Utf8Path) -> bool {
        let _ = path;
        false
    }

    /// Whether what was last read at a path is outside of the tree that the user means. Unlike
    /// [`is_outside`](System::is_outside), this doesn't ask for the path's present target.
    fn was_outside(&self, path: &Utf8Path) -> bool {
        let _ = path;
        false
    }

    /// The paths outside the tree at which anything was read so far.
    fn outside_files(&self) -> Vec<Utf8PathBuf> {
        Vec::new()
    }

    /// Whether there is certainly no symbolic link on the way to an existing path. False if unknown.
    fn is_direct(&self, path: &Utf8Path) -> bool {
        let _ = path;
        false
    }

    /// The list of what the user ignores in all repositories of git. It is outside of every tree, and read nevertheless: it is the
    /// user's own. None if there are no users here.
    fn user_excludes(&self) -> Option<UserExcludes> {
        None
    }

    /// Reads a file, if there is certainly no symbolic link on the way to it. None if there is one, if that is unknown, or if the file
    /// cannot be opened.
    fn read_direct(&self, path: &Utf8Path, limit: u64) -> Option<Result<Vec<u8>, ReadError>> {
        self.is_direct(path).then(|| self.read(path, limit))
    }

    /// The entries of a folder, sorted, with symbolic links followed. Names that aren't UTF-8 are left out: only
    /// [`walk`](System::walk) reports them.
    fn list(&self, directory: &Utf8Path) -> io::Result<Vec<DirectoryEntry>> {
        let entries = self.entries(directory)?.into_iter().filter(|it| it.kind != EntryKind::NotUtf8);
        let mut entries: Vec<DirectoryEntry> = entries
            .map(|Entry { name, kind }| {
                let is_link = kind == EntryKind::Link;
                let is_directory =
                    kind == EntryKind::Directory || is_link && self.is_directory(&directory.join(&name));
                DirectoryEntry { name, is_directory, is_link }
            })
            .collect();
        entries.sort();
        Ok(entries)
    }

    /// Visits everything below `root` in a deterministic order, folders before their contents.
    ///
    /// Follows symbolic links; one that leads back to a folder above it is reported and not followed, and no folder is read
    /// twice, whatever leads there. Unreadable entries are reported in their place, and the walk goes on.
    fn walk(&self, root: &Utf8Path, options: WalkOptions, visit: &mut dyn FnMut(WalkEntry)) {
        walk::walk(self, root, options, visit);
    }

    /// The folder that relative paths start from.
    fn current_dir(&self) -> &Utf8Path;

    /// Replaces the file at a path, or creates it. Only called at the edges, never by a query.
    ///
    /// Whatever fails or ends the process, the file is either unchanged or has all these bytes. It keeps its owner, its group
    /// and its mode. A symbolic link is kept, and its target is replaced.
    ///
    /// # Errors
    /// If the file cannot be written, if its owner and group cannot be kept, or if the path isn't a regular file. The file is
    /// unchanged in that case.
    fn write_atomically(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()>;

    /// Like [`write_atomically`](System::write_atomically), for a path that has no symbolic links, as
    /// [`canonicalize`](System::canonicalize) and [`resolve`] return them: if there is one by the time of writing, wherever on the
    /// way, nothing is written. So what a path was found to lead to is what is replaced. If `old` is given, only a file with this
    /// content is replaced.
    ///
    /// # Errors
    /// Those of [`write_atomically`](System::write_atomically), and [`WriteRefusal`].
    fn write_direct(&self, path: &Utf8Path, old: Option<&[u8]>, bytes: &[u8]) -> io::Result<()> {
        if resolve(self, path).real != path {
            return Err(io::Error::other(WriteRefusal::Link));
        }
        if let Some(old) = old {
            match self.read(path, old.len() as u64) {
                Ok(found) if found == old => {}
                Ok(_) | Err(ReadError::TooLarge { .. }) => {
                    return Err(io::Error::other(WriteRefusal::Changed));
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        self.write_atomically(path, bytes)
    }

    /// Like [`write_atomically`](System::write_atomically), without waiting for the disk: after a loss of power, the file may have
    /// other bytes, or none. For caches, whose readers notice that. A new file can be read by its owner alone.
    ///
    /// # Errors
    /// Those of [`write_atomically`](System::write_atomically).
    fn write_quickly(&self, path: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
        self.write_atomically(path, bytes)
    }

    /// Creates a folder and its missing parents.
    fn create_folder(&self, path: &Utf8Path) -> io::Result<()>;

    /// Like [`create_folder`](System::create_folder), but what is created can be entered by its owner alone.
    fn create_private_folder(&self, path: &Utf8Path) -> io::Result<()> {
        self.create_folder(path)
    }

    /// Removes a file. Only called at the edges, never by a query.
    fn remove_file(&self, path: &Utf8Path) -> io::Result<()> {
        let _ = path;
        Err(io::Error::new(io::ErrorKind::Unsupported, "nothing is removed here"))
    }

    /// The time of the last change of a file.
    fn modified(&self, path: &Utf8Path) -> io::Result<SystemTime> {
        let _ = path;
        Err(io::Error::new(io::ErrorKind::Unsupported, "there are no times here"))
    }

    /// Sets the time of the last change of a file to now. Only called at the edges, never by a query.
    fn touch(&self, path: &Utf8Path) -> io::Result<()> {
        let _ = path;
        Err(io::Error::new(io::ErrorKind::Unsupported, "there are no times here"))
    }

    /// Runs a command (a path and its arguments) in the path's folder and waits until it exits. Never called by a query, and
    /// never without the user's permission.
    fn run(&self, command: &[&str]) -> io::Result<Output> {
        let _ = command;
        Err(io::Error::new(io::ErrorKind::Unsupported, "there are no commands here"))
    }

    /// Whether there is a file at the path.
    fn is_file(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok_and(|metadata| metadata.file_type == FileType::File)
    }

    /// Whether there is a folder at the path.
    fn is_directory(&self, path: &Utf8Path) -> bool {
        self.metadata(path).is_ok_and(|metadata| metadata.file_type == FileType::Directory)
    }

    /// Makes a path absolute and removes `.` and `..` lexically.
    fn absolute(&self, path: &Utf8Path) -> Utf8PathBuf {
        normalize(&self.current_dir().join(path))
    }
}

/// Removes `.` and `..` from a path lexically.
pub fn normalize(path: &Utf8Path) -> Utf8PathBuf {
    use camino::Utf8Component;
    let mut normal = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                // The parent of the root is the root.
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_taken_out_of_paths() {
        assert_eq!(normalize(Utf8Path::new("/a/./b/../c")), "/a/c");
        assert_eq!(normalize(Utf8Path::new("/../a")), "/a");
    }
}
