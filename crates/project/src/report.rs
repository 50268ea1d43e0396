use std::sync::Arc;
use std::time::Duration;

use marotte_diagnostics::Diagnostic;

/// The findings at one point in time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings, by path, then by position.
    pub findings: Vec<Arc<Diagnostic>>,
    /// The number of files to check.
    pub files: usize,
    /// The number of files that were checked for this report rather than taken from the cache.
    pub checked: usize,
    /// The duration of the check.
    pub elapsed: Duration,
}
