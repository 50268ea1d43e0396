//! How much work on values and types is done, and an end to it where nobody wants to wait.
//!
//! Walks over values and types count their steps, thread by thread. Whoever asks questions of hostile types asks them
//! [`within`] a number of steps: when these are used up, comparisons answer "no" at once, and whoever asked learns that no
//! answer of theirs counts. Outside of that there is no end but those that single questions have, and the steps that were
//! [`taken`] can be charged afterwards.

use std::cell::Cell;

use crate::extent::Extent;

thread_local! {
    static TAKEN: Cell<u64> = const { Cell::new(0) };
    /// The value of `TAKEN` at which the effort is over.
    static END: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// What a value takes by itself, as its extent counts it.
const OWN_SIZE: usize = 24;

/// More steps were needed than there were: no answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

/// Restores the end of the effort around, if what is within it unwinds, too.
struct Outer {
    end: u64,
    start: u64,
}

impl Drop for Outer {
    fn drop(&mut self) {
        // What was done within is none of the effort around: what is remembered would count for the first who asks.
        TAKEN.set(self.start);
        END.set(self.end);
    }
}

/// Does something within so many steps.
///
/// # Errors
/// If they were not enough.
pub fn within<T>(steps: u64, body: impl FnOnce() -> T) -> Result<T, Exhausted> {
    let start = TAKEN.get();
    let _outer = Outer { end: END.replace(start.saturating_add(steps)), start };
    let result = body();
    if is_exhausted() { Err(Exhausted) } else { Ok(result) }
}

/// Counts steps. Says whether there are any left.
pub fn spend(steps: u64) -> bool {
    let taken = TAKEN.get().saturating_add(steps);
    TAKEN.set(taken);
    taken <= END.get()
}

/// As many steps as a walk over something of this extent takes.
pub fn size(extent: Extent) -> u64 {
    (extent.size() / OWN_SIZE) as u64
}

/// How many steps this thread has taken.
pub fn taken() -> u64 {
    TAKEN.get()
}

/// Whether more steps were taken than there were.
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
