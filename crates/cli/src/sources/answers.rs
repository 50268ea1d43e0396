use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// An answer, or the message of a failure. The first caller that needs it computes it.
type Answer<T> = Arc<OnceLock<Result<T, String>>>;

/// Answers by their questions. Each question is asked once; different questions may be asked at the same time.
pub(super) struct Answers<T>(Mutex<HashMap<String, Answer<T>>>);

impl<T: Clone> Answers<T> {
    /// Returns the answer to a question. `ask` is called only the first time.
    pub(super) fn get(&self, question: String, ask: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = Arc::clone(known.entry(question).or_default());
        drop(known);
        answer.get_or_init(ask).clone()
    }
}

impl<T> Default for Answers<T> {
    fn default() -> Answers<T> {
        Answers(Mutex::default())
    }
}

impl<T> fmt::Debug for Answers<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Answers").finish_non_exhaustive()
    }
}
