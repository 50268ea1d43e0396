//! Notices when aliases lead back to themselves while two types are compared.

use smallvec::SmallVec;

/// The aliases that a comparison has entered, on the side that accepts and on the side that is accepted.
///
/// A comparison goes on until both sides have come back to an alias they have seen: everything in between fitted, so
/// they fit. Aliases on the accepting side are left again; those on the other side are not, as in the reference, whose
/// answers depend on it.
#[derive(Default)]
pub(crate) struct Guard {
    this: Aliases,
    that: Aliases,
    this_recurs: bool,
    that_recurs: bool,
}

/// Few types lead through many aliases that contain themselves.
type Aliases = SmallVec<[usize; 4]>;

/// A guard that may not have been needed yet. Who needs the first one makes it, for what lies below only.
pub(crate) type Guarded<'g> = Option<&'g mut Guard>;

impl Guard {
    /// Whether both sides have come back to themselves.
    pub(super) fn both_recur(&self) -> bool {
        self.this_recurs && self.that_recurs
    }

    /// Whether the accepting side has come back to itself.
    pub(super) fn this_recurs(&self) -> bool {
        self.this_recurs
    }

    /// Enters an alias on the accepting side while a question is answered.
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
            // What was entered after it has been left.
            self.this.pop();
        }
        result
    }

    /// Enters an alias on the accepted side for good.
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
