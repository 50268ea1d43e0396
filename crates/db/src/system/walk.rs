use camino::Utf8PathBuf;

use super::ReadError;

/// How to walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// Leave out hidden names and what `.gitignore` and `.ignore` files name.
    pub ignore: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        WalkOptions { ignore: true }
    }
}

/// What a walk meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEntry {
    /// A folder; what it holds follows.
    Directory(Utf8PathBuf),
    /// A file.
    File {
        /// Its path below the root of the walk.
        path: Utf8PathBuf,
        /// A symbolic link stands between the root and the file, or is the file.
        through_link: bool,
    },
    /// Something that could not be visited.
    Problem {
        /// Where; characters that are not UTF-8 are replaced.
        path: Utf8PathBuf,
        /// Why.
        problem: WalkProblem,
    },
}

/// Why something could not be visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkProblem {
    /// A symbolic link that leads back to this folder above it.
    Loop(Utf8PathBuf),
    /// The name is not UTF-8.
    NotUtf8,
    /// A folder that may not be read, a link to nothing.
    Unreadable(ReadError),
}
