use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use camino::Utf8Path;
use marotte_db::{System, system};

/// A system that shows the code before or the code after. A caller that switches it must notify the database, as it does
/// for a change on disk.
#[derive(Debug)]
pub(super) struct SwitchedSystem {
    before: Arc<dyn System>,
    after: Arc<dyn System>,
    is_after: AtomicBool,
}

impl SwitchedSystem {
    pub(super) fn new(before: Arc<dyn System>, after: Arc<dyn System>) -> SwitchedSystem {
        SwitchedSystem { before, after, is_after: AtomicBool::new(false) }
    }

    /// Whether it shows the code after.
    pub(super) fn shows_after(&self) -> bool {
        self.is_after.load(Ordering::SeqCst)
    }

    /// Switches to the code after, or to the code before.
    pub(super) fn show_after(&self, is_after: bool) {
        self.is_after.store(is_after, Ordering::SeqCst);
    }
}

impl system::Layer for SwitchedSystem {
    fn base(&self) -> &dyn System {
        if self.shows_after() { &*self.after } else { &*self.before }
    }

    fn current_dir(&self) -> &Utf8Path {
        self.before.current_dir()
    }
}
