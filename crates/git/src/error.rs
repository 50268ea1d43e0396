use std::fmt;

use camino::Utf8PathBuf;

/// The reason why a repository cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GitError {
    /// A path is not in the working tree of any repository.
    NoRepository(Utf8PathBuf),
    /// The repository cannot be read: its path, and the reason.
    Unreadable(Utf8PathBuf, String),
    /// A text doesn't name anything in the repository: the text, and the folder of the repository.
    NoRevision(String, Utf8PathBuf),
    /// A text doesn't name a commit: the text, and the reason.
    NoCommit(String, String),
    /// The repository has none of the usual main branches.
    NoMainBranch,
    /// Two revisions have no commit in common.
    NoMergeBase(String, String),
    /// A tree has a submodule: the revision, and its path.
    Submodule(String, String),
    /// A tree cannot be read, or is larger than any real tree: the revision, and the reason.
    Tree(String, String),
}

impl fmt::Display for GitError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GitError::NoRepository(path) => {
                write!(out, "{path} is not in the working tree of a git repository")
            }
            GitError::Unreadable(path, why) => {
                write!(out, "the git repository at {path} cannot be read: {why}")
            }
            GitError::NoRevision(text, path) => {
                write!(out, "the git repository at {path} has no branch, tag or commit `{text}`")
            }
            GitError::NoCommit(text, why) => write!(out, "`{text}` is not a commit: {why}"),
            GitError::NoMainBranch => out.write_str(
                "there is no main branch (origin/HEAD, or main or master, at origin or here): name the base",
            ),
            GitError::NoMergeBase(one, two) => write!(out, "{one} and {two} have no commit in common"),
            GitError::Submodule(revision, path) => write!(
                out,
                "{revision} has a submodule at {path}: its files are in another repository, which is not read"
            ),
            GitError::Tree(revision, why) => write!(out, "the files of {revision} cannot be read: {why}"),
        }
    }
}

impl std::error::Error for GitError {}
