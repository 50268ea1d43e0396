//! The budget for the evaluation of a program: steps, memory, time.
//!
//! There is one budget for one program, one node of a catalog, or one line of a REPL. Everything that works for the
//! program draws on it: the interpreter, the functions of the language, lookups of data, and every other evaluation.

use std::cell::Cell;
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The limits of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// The number of steps: an expression costs one, longer operations cost more.
    pub steps: u64,
    /// The number of bytes that may be alive at a time.
    pub memory: u64,
    /// The wall-clock time. `None` if it is unlimited.
    pub time: Option<Duration>,
}

impl Default for Allowance {
    /// The default budget: more than terminating programs need, a second or two of work.
    fn default() -> Allowance {
        Allowance { steps: 30_000_000, memory: 512 << 20, time: Some(Duration::from_secs(60)) }
    }
}

/// Returns the number of bytes that the process holds now. `None` if it is unknown.
pub type Memory = fn() -> Option<u64>;

/// The error for an exhausted budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spent {
    /// The limit on steps was exceeded.
    Steps(u64),
    /// The limit on bytes was exceeded.
    Memory(u64),
    /// The time limit was exceeded.
    Time(Duration),
}

impl Spent {
    /// Whether the same program might succeed at another time: steps are the same for each evaluation, but memory and
    /// time depend on the machine.
    pub fn is_of_machine(self) -> bool {
        !matches!(self, Spent::Steps(_))
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spent::Steps(limit) => write!(out, "it takes more than {limit} steps; does the program end?"),
            Spent::Memory(limit) => write!(out, "its values take more than {limit} bytes of memory"),
            Spent::Time(limit) => write!(out, "it takes longer than {} seconds", limit.as_secs_f64()),
        }
    }
}

impl std::error::Error for Spent {}

/// The remainder of an [`Allowance`]. Clones share it.
#[derive(Clone)]
pub struct Budget(Rc<Inner>);

struct Inner {
    allowance: Allowance,
    memory: Option<Memory>,
    steps: Cell<u64>,
    /// The step count at which the clock and the limit on steps are checked next.
    look: Cell<u64>,
    /// The number of bytes allocated so far, including freed ones.
    made: Cell<u64>,
    /// The number of allocated bytes at which live memory is checked next.
    weigh: Cell<u64>,
    /// The number of bytes that the process held at the first check. `None` before it.
    held: Cell<Option<u64>>,
    /// Whether too many bytes were alive. It stays so: every other allocation would measure the process again.
    is_full: Cell<bool>,
    started: Cell<Instant>,
}

/// The number of steps between two checks of the clock.
const LOOK: u64 = 20_000;

/// The number of allocated bytes between two checks of live memory.
const WEIGH: u64 = 16 << 20;

impl Budget {
    /// Creates a budget with a full allowance. Without a function that measures the memory of the process, memory is
    /// limited only by the limits on single values.
    pub fn new(allowance: Allowance, memory: Option<Memory>) -> Budget {
        let budget = Budget(Rc::new(Inner {
            allowance,
            memory,
            steps: Cell::new(0),
            look: Cell::new(0),
            made: Cell::new(0),
            weigh: Cell::new(0),
            held: Cell::new(None),
            is_full: Cell::new(false),
            started: Cell::new(Instant::now()),
        }));
        budget.renew();
        budget
    }

    /// Resets the budget: for the next line of a REPL, when nothing of the previous one is still running.
    pub fn renew(&self) {
        let Inner { allowance, steps, look, made, weigh, held, is_full, started, .. } = &*self.0;
        steps.set(0);
        look.set(LOOK.min(allowance.steps));
        made.set(0);
        weigh.set(WEIGH.min(allowance.memory));
        held.set(None);
        is_full.set(false);
        started.set(Instant::now());
    }

    /// Spends steps.
    ///
    /// # Errors
    /// If the limit on steps or time is exceeded.
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<(), Spent> {
        let taken = self.0.steps.get().saturating_add(steps);
        self.0.steps.set(taken);
        if taken <= self.0.look.get() { Ok(()) } else { self.look() }
    }

    /// Records the allocation of bytes, which may be freed later.
    ///
    /// # Errors
    /// If too many bytes are alive.
    #[inline]
    pub fn allocate(&self, bytes: u64) -> Result<(), Spent> {
        let made = self.0.made.get().saturating_add(bytes);
        self.0.made.set(made);
        if made <= self.0.weigh.get() { Ok(()) } else { self.weigh(0) }
    }

    /// Records the allocation of bytes before it is made: many bytes are refused if there is no room for them.
    ///
    /// # Errors
    /// If too many bytes are alive, or would be.
    pub fn reserve(&self, bytes: u64) -> Result<(), Spent> {
        if bytes < WEIGH.min(self.0.allowance.memory) {
            return self.allocate(bytes);
        }
        self.0.made.set(self.0.made.get().saturating_add(bytes));
        self.weigh(bytes)
    }

    /// Checks whether a limit was exceeded before: what follows fails, too.
    ///
    /// # Errors
    /// If the limit on steps or bytes was exceeded.
    pub fn check(&self) -> Result<(), Spent> {
        let Inner { allowance, steps, is_full, .. } = &*self.0;
        if steps.get() > allowance.steps {
            return Err(Spent::Steps(allowance.steps));
        }
        if is_full.get() { Err(Spent::Memory(allowance.memory)) } else { Ok(()) }
    }

    /// Returns the number of steps left.
    pub fn steps_left(&self) -> u64 {
        self.0.allowance.steps.saturating_sub(self.0.steps.get())
    }

    /// Returns the time left. None if it is unlimited.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.0.allowance.time?.saturating_sub(self.0.started.get().elapsed()))
    }

    /// Checks the clock now, after a wait for work that takes no steps.
    ///
    /// # Errors
    /// If the time limit is exceeded.
    pub fn check_time(&self) -> Result<(), Spent> {
        match (self.time_left(), self.0.allowance.time) {
            (Some(Duration::ZERO), Some(limit)) => Err(Spent::Time(limit)),
            _ => Ok(()),
        }
    }

    #[cold]
    fn look(&self) -> Result<(), Spent> {
        let Inner { allowance, steps, look, started, .. } = &*self.0;
        let taken = steps.get();
        if taken > allowance.steps {
            return Err(Spent::Steps(allowance.steps));
        }
        look.set(taken.saturating_add(LOOK).min(allowance.steps));
        match allowance.time {
            Some(limit) if started.get().elapsed() > limit => {
                // A caller that continues anyway gets the error again at the next step.
                look.set(taken);
                Err(Spent::Time(limit))
            }
            _ => Ok(()),
        }
    }

    /// Estimates the live bytes: at most the number of allocated bytes, and at most the growth of the process since the
    /// first check, which may include the memory of concurrent work, and the `coming` bytes that aren't allocated yet.
    #[cold]
    fn weigh(&self, coming: u64) -> Result<(), Spent> {
        let Inner { allowance, memory, made, weigh, held, is_full, .. } = &*self.0;
        let limit = allowance.memory;
        if is_full.get() {
            return Err(Spent::Memory(limit));
        }
        let Some(holds) = memory.and_then(|memory| memory()) else {
            weigh.set(u64::MAX);
            return Ok(());
        };
        // The allocations before the first check are small.
        let before = held.get().unwrap_or(holds);
        held.set(Some(before));
        if made.get() > limit && holds.saturating_sub(before).saturating_add(coming) > limit {
            weigh.set(0);
            is_full.set(true);
            return Err(Spent::Memory(limit));
        }
        weigh.set(made.get().saturating_add(WEIGH));
        Ok(())
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { allowance, steps, made, .. } = &*self.0;
        out.debug_struct("Budget")
            .field("allowance", allowance)
            .field("steps", &steps.get())
            .field("made", &made.get())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowance() -> Allowance {
        Allowance { steps: 100, memory: 1_000, time: None }
    }

    #[test]
    fn steps_are_counted_together() {
        let budget = Budget::new(allowance(), None);
        let other = budget.clone();
        assert_eq!(budget.spend(60), Ok(()));
        assert_eq!(other.spend(40), Ok(()));
        assert_eq!(budget.steps_left(), 0);
        assert_eq!(budget.spend(1), Err(Spent::Steps(100)));
        assert_eq!(other.spend(0), Err(Spent::Steps(100)), "and there are no more");
        budget.renew();
        assert_eq!(other.spend(100), Ok(()));
    }

    #[test]
    fn time_ends() {
        let time = Some(Duration::ZERO);
        let budget = Budget::new(Allowance { time, ..Allowance::default() }, None);
        assert_eq!(budget.spend(LOOK), Ok(()));
        assert_eq!(budget.spend(1), Err(Spent::Time(Duration::ZERO)));
        assert_eq!(budget.spend(1), Err(Spent::Time(Duration::ZERO)));
    }

    #[test]
    fn what_is_dropped_is_not_alive() {
        let steady = Budget::new(allowance(), Some(|| Some(5_000)));
        assert!((0..100).all(|_| steady.allocate(500).is_ok()));
        let unknown = Budget::new(allowance(), Some(|| None));
        assert!((0..100).all(|_| unknown.allocate(500).is_ok()));
    }

    #[test]
    fn what_stays_is_alive() {
        thread_local! {
            static HOLDS: Cell<u64> = const { Cell::new(1_000_000) };
        }
        let memory: Memory = || {
            HOLDS.set(HOLDS.get() + 10_000);
            Some(HOLDS.get())
        };
        let budget = Budget::new(allowance(), Some(memory));
        assert_eq!(budget.allocate(1_001), Ok(()), "the first look is where the others are compared with");
        assert_eq!(budget.allocate(2 * WEIGH), Err(Spent::Memory(1_000)));
        assert_eq!(budget.allocate(1), Err(Spent::Memory(1_000)), "and it does not become less");
        assert_eq!(budget.check(), Err(Spent::Memory(1_000)));
        budget.renew();
        assert_eq!((budget.check(), budget.allocate(1)), (Ok(()), Ok(())));
    }

    #[test]
    fn what_has_no_room_is_refused_before_it_is_made() {
        let budget = Budget::new(allowance(), Some(|| Some(5_000)));
        assert_eq!((budget.reserve(900), budget.reserve(900)), (Ok(()), Ok(())), "the first may be dropped");
        assert_eq!(budget.reserve(1_001), Err(Spent::Memory(1_000)));
        let unknown = Budget::new(allowance(), Some(|| None));
        assert_eq!(unknown.reserve(1_001), Ok(()));
    }
}
