//! The messages from the threads to the main loop.

use serde_json::Value;

use crate::analysis::Question;
use crate::diagnostics::findings::Diagnosed;
use crate::message::{Id, ResponseError};
use crate::settings::ConfigurationError;

/// The ID of a folder of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FolderId(pub(crate) usize);

/// An event on another thread.
#[derive(Debug)]
pub(crate) enum Event {
    /// A request was answered.
    Answered { id: Id, result: Result<Value, ResponseError> },
    /// The code changed before a request was answered.
    Overtaken { folder: FolderId, question: Question },
    /// The diagnostics of some files, as a check has found them; later checks have greater numbers.
    Diagnosed { folder: FolderId, check: u64, scope: Scope, diagnosed: Diagnosed },
    /// All edits before a request were checked, and their diagnostics sent.
    Settled { folder: FolderId, id: Id },
    /// The progress of a folder's first check, in files.
    Loading { folder: FolderId, done: usize, total: usize },
    /// The configuration of a folder was read.
    Configured { folder: FolderId, error: Option<ConfigurationError> },
    /// Information for the user about the result of a request.
    Note { message: String },
    /// An error that the user should know about.
    Problem { message: String },
    /// The process that started this one has ended.
    ClientGone,
}

/// The extent of the diagnostics that a folder publishes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Some of the files that the check concerns; the check still runs.
    First,
    /// All differences from the published diagnostics; the check has ended.
    Changes,
    /// Everything; the check has ended, and files that are not named have no findings.
    Everything,
}
