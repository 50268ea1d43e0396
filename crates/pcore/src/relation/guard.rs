//! Detects recursive aliases during the comparison of two types.

use smallvec::SmallVec;

/// The aliases that a comparison has entered, on the accepting and on the accepted side.
///
/// A comparison continues until both sides have returned to an alias that they have entered before: everything in
/// between matched, so the types match. Aliases on the accepting side are left again; those on the other side aren't,
/// as in the reference, whose answers depend on it.
#[derive(Default)]
pub(crate) struct Guard {
    this: Aliases,
    that: Aliases,
    this_recurs: bool,
    that_recurs: bool,
}

/// The aliases on a path through types, which are usually few.
type Aliases = SmallVec<[usize; 4]>;

/// A guard that may not have been needed yet. The first function that needs one creates it, for the comparisons below
/// it only.
pub(crate) type Guarded<'g> = Option<&'g mut Guard>;

impl Guard {
    /// Whether both sides have recurred.
    pub(super) fn both_recur(&self) -> bool {
        self.this_recurs && self.that_recurs
    }

    /// Whether the accepting side has recurred.
    pub(super) fn this_recurs(&self) -> bool {
        self.this_recurs
    }

    /// Enters an alias on the accepting side for the duration of a comparison.
    #[inline]
    pub(super) fn with_this<R>(&mut self, alias: usize, answer: impl FnOnce(&mut Guard) -> R) -> R {
        let is_new = !self.this_recurs && !self.this.contains(&alias);
        if is_new {
            self.this.push(alias);
        } else {
            self.this_recurs = true;
        }
        let result = answer(self);
        if is_new {
            self.this_recurs = false;
            // The aliases that were entered after it have been left.
            self.this.pop();
        }
        result
    }

    /// Enters an alias on the accepted side permanently.
    pub(super) fn add_that(&mut self, alias: usize) {
        if self.that_recurs {
            return;
        }
        if self.that.contains(&alias) {
            self.that_recurs = true;
        } else {
            self.that.push(alias);
        }
    }
}
