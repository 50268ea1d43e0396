//! Trees of code as repositories of git have them: read from its objects, without a checkout.
//!
//! [`Repository`] finds revisions, and [`RevisionSystem`] is the [`System`](marotte_db::System) on which the working tree has the
//! files of one of them. No program is run, no hook, no filter, and of the configuration of git only that of the repository is
//! read. Whatever a repository says, walks through it have limits, and links in it lead nowhere but where they lead in the working
//! tree.

mod error;
mod repository;
mod snapshot;
mod system;
mod untracked;

pub use error::GitError;
pub use repository::{Range, Repository, Revision};
pub use system::RevisionSystem;
