//! Tools for tests of queries: a database in memory, and a record of the queries that ran.

mod faulty;

pub use faulty::{Fault, FaultySystem};

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use camino::{Utf8Path, Utf8PathBuf};
use salsa::{Durability, Setter as _};

use crate::system::ReadError;
use crate::{Db, Environment, EnvironmentSet, File, Files, MemorySystem, Modules, System};

/// Records which queries ran, and which were revalidated; clones share the record.
#[derive(Clone, Debug, Default)]
pub struct EventLog {
    ran: Arc<Mutex<Ran>>,
}

impl EventLog {
    /// The callback that a database's storage calls for every event.
    pub fn callback(&self) -> Box<dyn Fn(salsa::Event) + Send + Sync> {
        let log = self.clone();
        Box::new(move |event| {
            let mut ran = log.ran.lock().unwrap_or_else(PoisonError::into_inner);
            match event.kind {
                salsa::EventKind::WillExecute { database_key } => ran.keys.push(database_key),
                salsa::EventKind::DidValidateMemoizedValue { database_key } => ran.valid.push(database_key),
                _ => {}
            }
        })
    }

    /// Returns the queries that ran since the last call, and clears the record.
    pub fn take(&self) -> Ran {
        std::mem::take(&mut *self.ran.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The queries that ran between two calls of [`EventLog::take`].
#[derive(Debug, Default)]
pub struct Ran {
    keys: Vec<salsa::DatabaseKeyIndex>,
    valid: Vec<salsa::DatabaseKeyIndex>,
}

impl Ran {
    /// The number of times the query of this name ran, over all keys.
    pub fn count(&self, db: &dyn Db, query: &str) -> usize {
        self.keys.iter().filter(|key| name(db, **key) == query).count()
    }

    /// The number of results of the query of this name that were revalidated.
    pub fn looked_at(&self, db: &dyn Db, query: &str) -> usize {
        self.valid.iter().filter(|key| name(db, **key) == query).count()
    }

    /// The number of results that were computed or revalidated, of whatever query: the work of an edit.
    pub fn work(&self) -> usize {
        self.keys.len() + self.valid.len()
    }

    /// The names of the queries that ran, in order.
    pub fn names(&self, db: &dyn Db) -> Vec<String> {
        self.keys.iter().map(|key| name(db, *key)).collect()
    }

    /// Fails unless the query ran for this file.
    #[track_caller]
    pub fn assert_query_was_run(&self, db: &dyn Db, query: &str, file: File) {
        let ran = self.names(db);
        assert!(self.was_run(db, query, file), "{query}({}) should have run; ran: {ran:?}", file.path(db));
    }

    /// Fails if the query ran for this file.
    #[track_caller]
    pub fn assert_query_was_not_run(&self, db: &dyn Db, query: &str, file: File) {
        assert!(!self.was_run(db, query, file), "{query}({}) should not have run", file.path(db));
    }

    /// Fails if any query ran.
    #[track_caller]
    pub fn assert_nothing_ran(&self, db: &dyn Db) {
        assert_eq!(self.names(db), Vec::<String>::new(), "no query should have run");
    }

    /// Whether the query ran for this file.
    pub fn was_run(&self, db: &dyn Db, query: &str, file: File) -> bool {
        self.was_run_for(db, query, file)
    }

    /// Whether the query ran for this input.
    pub fn was_run_for(&self, db: &dyn Db, query: &str, input: impl salsa::plumbing::AsId) -> bool {
        let id = input.as_id();
        self.keys.iter().any(|key| name(db, *key) == query && key.key_index() == id)
    }
}

fn name(db: &dyn Db, key: salsa::DatabaseKeyIndex) -> String {
    db.ingredient_debug_name(key.ingredient_index()).into_owned()
}

/// A database over files in memory that records what runs.
#[salsa::db]
#[derive(Clone)]
pub struct TestDb {
    storage: salsa::Storage<Self>,
    system: Arc<MemorySystem>,
    files: Files,
    log: EventLog,
}

impl TestDb {
    /// Creates a database over these files.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let log = EventLog::default();
        let db = TestDb {
            storage: salsa::Storage::new(Some(log.callback())),
            system: Arc::new(MemorySystem::with_files(files)),
            files: Files::default(),
            log,
        };
        EnvironmentSet::start(&db);
        db
    }

    /// The system that holds the files.
    pub fn memory(&self) -> &MemorySystem {
        &self.system
    }

    /// The file at a path.
    pub fn file(&self, path: impl AsRef<Utf8Path>) -> File {
        self.files.file(self, path.as_ref())
    }

    /// Adds an environment whose modules are the subfolders of these folders.
    pub fn add_environment(
        &mut self,
        root: &str,
        module_path: &[&str],
        main_manifest: Option<&str>,
    ) -> Environment {
        let module_path: Vec<Utf8PathBuf> = module_path.iter().map(Utf8PathBuf::from).collect();
        let mut modules = Modules::default();
        for folder in &module_path {
            for entry in self.system.list(folder).unwrap_or_default() {
                modules.insert(&folder.join(&entry.name), entry.name.as_str().into());
            }
        }
        let manifests = match main_manifest.map(Utf8Path::new) {
            Some(path) if self.system.is_file(path) => vec![path.to_owned()],
            Some(path) => {
                self.system.list(path).unwrap_or_default().into_iter().map(|it| path.join(it.name)).collect()
            }
            None => Vec::new(),
        };
        let environment = Environment::builder(
            Some(root.into()),
            module_path.into(),
            Arc::new(modules),
            main_manifest.map(Utf8PathBuf::from),
            manifests.into(),
            true,
        );
        let environment = environment.durability(Durability::HIGH).new(self);
        let layout = EnvironmentSet::get(self);
        let mut environments = layout.environments(self).to_vec();
        environments.insert(0, environment);
        layout.set_environments(self).to(environments.into());
        environment
    }

    /// Sets the modules of the loose environment.
    pub fn set_loose_modules(&mut self, modules: Modules) {
        if let Some(loose) = EnvironmentSet::get(self).environments(self).last().copied() {
            loose.set_modules(self).to(Arc::new(modules));
        }
    }

    /// The queries that ran since the last call.
    pub fn take_ran(&self) -> Ran {
        self.log.take()
    }
}

impl fmt::Debug for TestDb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestDb").field("files", &self.files).finish_non_exhaustive()
    }
}

#[salsa::db]
impl salsa::Database for TestDb {}

#[salsa::db]
impl Db for TestDb {
    fn system(&self) -> &dyn System {
        &*self.system
    }

    fn files(&self) -> &Files {
        &self.files
    }
}

/// Files in memory, some of which can't be read.
#[derive(Debug)]
pub struct FragileSystem {
    memory: MemorySystem,
    fault: fn(&Utf8Path) -> Option<ReadError>,
}

impl FragileSystem {
    /// Calls `fault` before each read; it may return an error, panic, or block.
    pub fn new(memory: MemorySystem, fault: fn(&Utf8Path) -> Option<ReadError>) -> FragileSystem {
        FragileSystem { memory, fault }
    }

    /// The system that holds the files.
    pub fn memory(&self) -> &MemorySystem {
        &self.memory
    }
}

impl crate::system::Layer for FragileSystem {
    fn base(&self) -> &dyn System {
        &self.memory
    }

    fn read(&self, path: &Utf8Path, limit: u64) -> Result<Vec<u8>, ReadError> {
        match (self.fault)(path) {
            Some(error) => Err(error),
            None => self.memory.read(path, limit),
        }
    }
}
