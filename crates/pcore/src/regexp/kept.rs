//! The regular expressions that a thread has used lately. Code creates the same ones again and again: for each node, and each
//! time that a Ruby function creates them from a text. Compiling one takes far longer than most matches.

use std::cell::RefCell;
use std::sync::Arc;

use foldhash::HashMap;

use super::Regexp;

/// The maximum number of kept regular expressions.
const MOST: usize = 200;
/// The maximum length of a kept pattern in bytes, and the maximum of what its compiled form may take, which is far more than it
/// usually does.
const LENGTH: usize = 400;
const SIZE: usize = 2 << 20;

thread_local! {
    static KEPT: RefCell<HashMap<Arc<str>, Regexp>> = RefCell::default();
}

/// The kept regular expression of a source.
pub(super) fn find(source: &str) -> Option<Regexp> {
    KEPT.with_borrow(|kept| kept.get(source).cloned())
}

/// Keeps a regular expression, unless it may be large.
pub(super) fn keep(regexp: &Regexp) {
    if regexp.source().len() > LENGTH || regexp.backtracks() || regexp.0.node.size_bound() > SIZE {
        return;
    }
    KEPT.with_borrow_mut(|kept| {
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(Arc::clone(&regexp.0.source), regexp.clone());
    });
}

/// The number of kept regular expressions.
#[cfg(test)]
pub(super) fn count() -> usize {
    KEPT.with_borrow(HashMap::len)
}
