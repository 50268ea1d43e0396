use std::fmt;
use std::sync::{Mutex, PoisonError};

use marotte_db::Db;
use marotte_host::{Evaluation, Node, evaluate_once};

/// The evaluation of a node, of which only the dependencies are memoized: all catalogs together may be larger than memory.
pub struct Traced(Mutex<Option<Evaluation>>);

impl Traced {
    /// Returns the evaluation, to the first caller after it ran. None if nothing that it read has changed since the last call,
    /// because another evaluation would have the same result.
    pub fn take(&self) -> Option<Evaluation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Traced {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Traced").finish_non_exhaustive()
    }
}

/// Evaluates a node, unless nothing is different that the last evaluation has read.
#[salsa::tracked(returns(ref), no_eq)]
pub fn traced(db: &dyn Db, node: Node) -> Traced {
    Traced(Mutex::new(Some(evaluate_once(db, node))))
}
