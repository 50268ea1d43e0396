//! Freeing values that are nested deeply: a list of what is still to be freed takes the place of recursion, so that the
//! stack stays small however long a chain of values is.

use std::any::Any;
use std::cell::{Cell, RefCell};

/// The number of nested values that are freed by recursion.
const DEPTH: u32 = 32;
/// The stack that these take, and the amount that is added if it is not left.
const LEFT: usize = 128 << 10;
const MORE: usize = 1 << 20;

thread_local! {
    /// The number of nested values that are being freed.
    static FREEING: Cell<u32> = const { Cell::new(0) };
    /// The parts to free after the outermost of them.
    static LATER: RefCell<Vec<Box<dyn Any>>> = const { RefCell::new(Vec::new()) };
}

/// Frees the parts of a value, now or, if the value is itself a part of many others that are being freed, after these.
pub(crate) fn free<T: 'static>(parts: T) {
    let depth = FREEING.get();
    if depth >= DEPTH {
        let parts: Box<dyn Any> = Box::new(parts);
        // At the end of a thread there is no list any more.
        let _ = LATER.try_with(|later| later.borrow_mut().push(parts));
        return;
    }
    FREEING.set(depth + 1);
    match depth {
        0 => stacker::maybe_grow(LEFT, MORE, || {
            drop(parts);
            while let Some(next) = later() {
                drop(next);
            }
        }),
        _ => drop(parts),
    }
    FREEING.set(depth);
}

fn later() -> Option<Box<dyn Any>> {
    LATER.try_with(|later| later.borrow_mut().pop()).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Link(Option<Box<Link>>);

    impl Drop for Link {
        fn drop(&mut self) {
            assert!(FREEING.get() <= DEPTH, "freed by recursion");
            if let Some(next) = self.0.take() {
                free(next);
            }
        }
    }

    #[test]
    fn a_long_chain_takes_little_stack() {
        let mut chain = Link(None);
        for _ in 0..1_000_000 {
            chain = Link(Some(Box::new(chain)));
        }
        drop(chain);
        assert_eq!(FREEING.get(), 0);
        assert!(later().is_none());
    }
}
