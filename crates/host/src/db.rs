use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use camino::Utf8PathBuf;
use marotte_db::system::ListedSystem;
use marotte_db::testing::EventLog;
use marotte_db::{EnvironmentSet, Files, System};

/// The concrete database. Clones share all data; each parallel job has its own clone.
///
/// A setter blocks until every other clone is dropped, so never keep a clone on a thread that calls one.
#[salsa::db]
#[derive(Clone)]
pub struct ProjectDatabase {
    storage: salsa::Storage<Self>,
    system: Arc<dyn System>,
    files: Files,
    checks: Arc<AtomicUsize>,
}

impl ProjectDatabase {
    /// Creates a database whose files may change.
    pub fn new(system: Arc<dyn System>) -> Self {
        Self::with_storage(system, salsa::Storage::default(), Files::default())
    }

    /// Creates a database for a single run: its files never change, so queries keep no record of their inputs.
    pub fn frozen(system: Arc<dyn System>) -> Self {
        let system = Arc::new(ListedSystem::new(system));
        Self::with_storage(system, salsa::Storage::default(), Files::frozen())
    }

    /// Creates a database for an editor with these open documents. [`marotte_db::set_open`] records others.
    pub fn of_editor(system: Arc<dyn System>, open: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        Self::with_storage(system, salsa::Storage::default(), Files::of_editor(open))
    }

    /// Creates a database with this table of files that records which queries run.
    pub fn with_event_log(system: Arc<dyn System>, files: Files, log: &EventLog) -> Self {
        Self::with_storage(system, salsa::Storage::new(Some(log.callback())), files)
    }

    fn with_storage(system: Arc<dyn System>, storage: salsa::Storage<Self>, files: Files) -> Self {
        let db = ProjectDatabase { storage, system, files, checks: Arc::default() };
        EnvironmentSet::start(&db);
        db
    }

    /// The number of file checks since the database was created.
    pub fn checks(&self) -> usize {
        self.checks.load(Ordering::Relaxed)
    }
}

#[salsa::db]
impl salsa::Database for ProjectDatabase {}

#[salsa::db]
impl marotte_db::Db for ProjectDatabase {
    fn system(&self) -> &dyn System {
        &*self.system
    }

    fn files(&self) -> &Files {
        &self.files
    }

    fn note_check(&self) {
        self.checks.fetch_add(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for ProjectDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProjectDatabase").field("files", &self.files).finish_non_exhaustive()
    }
}
