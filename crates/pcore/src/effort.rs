//! Counts the work done on values and types, and limits it where needed.
//!
//! Walks over values and types count their steps, per thread. A caller that compares hostile types does so [`within`] a
//! number of steps: once these are used up, comparisons answer "no" at once, and the caller learns that their answers
//! are invalid. Without such a limit, only the limits of single comparisons apply, and the steps that were [`taken`]
//! can be charged afterwards.

use std::cell::Cell;

use crate::extent::Extent;

/// The steps that the regular expressions of one text or one resource type may take to compile, for callers without another
/// limit: a second of work.
pub const FOR_REGEXPS: u64 = 20_000_000;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// The value of `TAKEN` at which the limit is reached.
    static END: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// The size of a value without its parts, as in its extent.
const OWN_SIZE: usize = 24;

/// The error for an exceeded limit of steps: the answers are invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Restores the outer limit, even on unwinding.
struct Outer {
    end: u64,
    start: u64,
}

impl Drop for Outer {
    fn drop(&mut self) {
        // The inner steps don't count for the outer limit: if results are cached, only the first caller would pay for them.
        TAKEN.set(self.start);
        END.set(self.end);
    }
}

/// Runs something with a limit of steps.
///
/// # Errors
/// If the limit was exceeded.
pub fn within<T>(steps: u64, body: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let start = TAKEN.get();
    let _outer = Outer { end: END.replace(start.saturating_add(steps)), start };
    let result = body();
    if is_exhausted() { Err(Exhausted) } else { Ok(result) }
}

/// Runs something with a limit of steps, whose result is valid even if they are used up: it says itself what it hasn't done.
pub fn at_most<T>(steps: u64, body: impl FnOnce() -> T) -> T {
    let start = TAKEN.get();
    let _outer = Outer { end: END.replace(start.saturating_add(steps)), start };
    body()
}

/// Counts steps. Returns whether there are any left.
pub fn spend(steps: u64) -> bool {
    let taken = TAKEN.get().saturating_add(steps);
    TAKEN.set(taken);
    taken <= END.get()
}

/// Returns the number of steps of a walk over something of this extent.
pub fn size(extent: Extent) -> u64 {
    (extent.size() / OWN_SIZE) as u64
}

/// Returns the number of steps that this thread has taken.
pub fn taken() -> u64 {
    TAKEN.get()
}

/// Whether the limit of steps was exceeded.
pub fn is_exhausted() -> bool {
    TAKEN.get() > END.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_end_and_do_not_count_for_those_around_them() {
        assert_eq!(within(10, || spend(10)), Ok(true));
        assert_eq!(within(10, || spend(11)), Err(Exhausted));
        let around = within(10, || {
            assert_eq!(within(100, || spend(50)), Ok(true));
            assert_eq!(within(1, || spend(50)), Err(Exhausted));
            spend(10)
        });
        assert_eq!(around, Ok(true));
        assert!(spend(1_000_000), "nothing ends what has no end");
    }

    #[test]
    fn unwinding_restores_the_end() {
        let panics = std::panic::catch_unwind(|| within(1, || panic!("on purpose")));
        assert!(panics.is_err());
        assert!(spend(10) && !is_exhausted());
    }
}
