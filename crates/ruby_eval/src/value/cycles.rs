//! Collections and objects that may contain themselves. Counting references never frees these, so they are emptied when the last
//! evaluation of a thread ends.

use std::cell::{Cell, RefCell};
use std::rc::Weak;

use super::{ArrayObject, HashObject, Object};

/// A collection or object that was changed after its creation: only these can contain themselves.
pub(crate) enum Holder {
    Array(Weak<ArrayObject>),
    Hash(Weak<HashObject>),
    Object(Weak<Object>),
}

impl Holder {
    fn is_alive(&self) -> bool {
        let references = match self {
            Holder::Array(it) => it.strong_count(),
            Holder::Hash(it) => it.strong_count(),
            Holder::Object(it) => it.strong_count(),
        };
        references > 0
    }

    /// Removes the contents.
    fn empty(&self) {
        match self {
            Holder::Array(it) => it.upgrade().into_iter().for_each(|it| it.empty()),
            Holder::Hash(it) => it.upgrade().into_iter().for_each(|it| it.empty()),
            Holder::Object(it) => it.upgrade().into_iter().for_each(|it| it.empty()),
        }
    }
}

/// The holders of a thread.
struct Holders {
    all: Vec<Holder>,
    /// The number of holders at which those that were freed are removed.
    enough: usize,
}

/// The number of holders that are kept without looking whether they were freed.
const FEW: usize = 1024;

thread_local! {
    /// The number of evaluations that have not ended.
    static EVALUATIONS: Cell<u32> = const { Cell::new(0) };
    static HOLDERS: RefCell<Holders> = const { RefCell::new(Holders { all: Vec::new(), enough: FEW }) };
}

/// Notes a holder. Each is noted once, when it is changed for the first time.
pub(crate) fn note(holder: Holder) {
    // At the end of a thread there is no list any more.
    let _ = HOLDERS.try_with(|it| {
        let mut holders = it.borrow_mut();
        holders.all.push(holder);
        if holders.all.len() >= holders.enough {
            holders.all.retain(Holder::is_alive);
            holders.enough = FEW.max(holders.all.len() * 2);
        }
    });
}

/// An evaluation whose values are freed when it ends, unless another one of the thread is still running.
#[derive(Debug)]
pub(crate) struct Evaluation(());

impl Evaluation {
    pub(crate) fn start() -> Evaluation {
        EVALUATIONS.set(EVALUATIONS.get() + 1);
        Evaluation(())
    }
}

impl Drop for Evaluation {
    fn drop(&mut self) {
        let others = EVALUATIONS.get().saturating_sub(1);
        EVALUATIONS.set(others);
        if others > 0 {
            return;
        }
        let taken = HOLDERS.try_with(|it| {
            let mut holders = it.borrow_mut();
            holders.enough = FEW;
            std::mem::take(&mut holders.all)
        });
        for holder in taken.into_iter().flatten() {
            holder.empty();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::Value;

    /// An array and a hash that contain themselves.
    fn circles() -> (Weak<ArrayObject>, Weak<HashObject>) {
        let (array, hash) = (Rc::new(ArrayObject::new(Vec::new())), Rc::new(HashObject::default()));
        array.change(|it| it.push(Value::Array(Rc::clone(&array))));
        hash.insert(Value::Nil, Value::Hash(Rc::clone(&hash)));
        (Rc::downgrade(&array), Rc::downgrade(&hash))
    }

    #[test]
    fn what_contains_itself_is_freed_when_the_last_evaluation_ends() {
        let (outer, inner) = (Evaluation::start(), Evaluation::start());
        let (array, hash) = circles();
        drop(inner);
        assert_eq!((array.strong_count(), hash.strong_count()), (1, 1), "the outer evaluation may use them");
        drop(outer);
        assert_eq!((array.strong_count(), hash.strong_count()), (0, 0));
    }

    #[test]
    fn what_was_freed_before_is_forgotten() {
        let _evaluation = Evaluation::start();
        for _ in 0..FEW * 3 {
            Rc::new(ArrayObject::new(Vec::new())).change(|it| it.push(Value::Nil));
        }
        assert!(HOLDERS.with_borrow(|it| it.all.len()) <= FEW);
    }
}
