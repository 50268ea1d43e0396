//! Revisions of a repository as code trees: their files are read from the objects of git, without a checkout.
//!
//! [`Repository`] resolves revisions, and [`RevisionSystem`] is the [`System`](marotte_db::System) that shows the files of a
//! revision in the working tree. It runs no program, hook or filter, and reads only the repository's own configuration of git.
//! Walks through a repository are limited, whatever its content is, and links resolve as in a checked-out working tree.

mod error;
mod repository;
mod snapshot;
mod special;
mod system;
mod untracked;

pub use error::GitError;
pub use repository::{Range, Repository, Revision};
pub use system::RevisionSystem;
