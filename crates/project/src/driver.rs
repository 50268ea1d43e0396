//! Checks many files in parallel, each on its own clone of the database, and survives a panic in any of them.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use marotte_check::findings;
use marotte_db::{Db as _, File};
use marotte_diagnostics::{Diagnostic, Level};
use marotte_hir::parse;
use marotte_host::ProjectDatabase;
use marotte_resolve::data_files::may_be_hiera;
use marotte_text::TextRange;
use rayon::prelude::*;
use salsa::Database as _;

use crate::secrets::concealed;

/// Stack of a worker: the parser's recursion is bounded, and its bound fits in here many times.
const WORKER_STACK: usize = 16 << 20;

/// Is told of every file that is done. Called on worker threads.
pub trait Progress: Sync {
    /// One more file is done.
    fn file_done(&self);
}

impl Progress for () {
    fn file_done(&self) {}
}

/// The workers; started when they are needed first.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    threads: usize,
    pool: OnceLock<Option<rayon::ThreadPool>>,
}

impl Workers {
    /// So many threads; 0 for as many as the machine has processors.
    pub(crate) fn new(threads: usize) -> Self {
        Workers { threads, pool: OnceLock::new() }
    }

    /// `None` if the system gives no threads; the work is then done on this one.
    fn pool(&self) -> Option<&rayon::ThreadPool> {
        let build = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads).stack_size(WORKER_STACK);
            builder.thread_name(|index| format!("check-{index}")).build().ok()
        };
        self.pool.get_or_init(build).as_ref()
    }
}

/// The findings of each file, in the order of `files`.
///
/// Unwinds with [`salsa::Cancelled`] when the database is about to change. All clones are dropped by then.
pub(crate) fn check_files(
    db: ProjectDatabase,
    workers: &Workers,
    files: &[File],
    progress: &dyn Progress,
) -> Vec<Vec<Arc<Diagnostic>>> {
    in_parallel(db, workers, files, |db, &file| {
        let findings = check_or_catch(db, file);
        progress.file_done();
        findings
    })
}

/// Does something for each of many, each time on a clone of the database. The answers are in the order of what was given.
pub(crate) fn in_parallel<I: Sync, T: Send>(
    db: ProjectDatabase,
    workers: &Workers,
    items: &[I],
    job: impl Fn(&ProjectDatabase, &I) -> T + Sync,
) -> Vec<T> {
    // One is done here: starting threads would take longer.
    let pool = if items.len() > 1 { workers.pool() } else { None };
    let Some(pool) = pool else {
        return items.iter().map(|it| job(&db, it)).collect();
    };
    // Jobs may differ much in size, and clones take longer to make than the smallest do.
    let next = AtomicUsize::new(0);
    let work = |db: ProjectDatabase| {
        let indexes = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let jobs = indexes.map_while(|index| Some((index, items.get(index)?)));
        jobs.map(|(index, it)| (index, job(&db, it))).collect::<Vec<_>>()
    };
    let clones = vec![db; pool.current_num_threads()];
    let mut done: Vec<(usize, T)> =
        pool.install(|| clones.into_par_iter().with_max_len(1).flat_map_iter(work).collect());
    // As many runs as there are workers, which this sort joins.
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// What is known of a job that panicked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// What the panic said.
    pub message: String,
    /// Where in the program it was, if that is kept.
    pub place: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.place.iter().try_for_each(|it| write!(f, ", at {it}"))
    }
}

/// Does something that may panic. That it was cancelled unwinds on.
pub(crate) fn caught<T>(db: &ProjectDatabase, job: impl FnOnce() -> T) -> Result<T, Panicked> {
    // Salsa forgets a query that panicked, and the database has no other state that could be left half-way.
    let panic = match catch_unwind(AssertUnwindSafe(job)) {
        Ok(done) => return Ok(done),
        Err(panic) => panic,
    };
    let message = match panic.downcast::<salsa::Cancelled>() {
        // The query that this one waited for panicked, on another thread: because of a bug, or cancelled.
        Ok(cancelled) if matches!(*cancelled, salsa::Cancelled::PropagatedPanic) => {
            db.unwind_if_revision_cancelled();
            "a query that it needs failed".to_owned()
        }
        Ok(cancelled) => resume_unwind(cancelled),
        Err(panic) => message(&*panic).to_owned(),
    };
    Err(Panicked { message, place: PANICKED_AT.take() })
}

/// Checks a file, and hides secrets in its findings. A panic becomes a finding and is not remembered; cancellation unwinds on.
pub(crate) fn check_or_catch(db: &ProjectDatabase, file: File) -> Vec<Arc<Diagnostic>> {
    match caught(db, || concealed(db, findings(db, file))) {
        Ok(findings) => {
            release_tree(db, file);
            findings
        }
        Err(panicked) => vec![Arc::new(internal_error(db, file, &panicked))],
    }
}

/// Lets the tree go if the run asks for it once: trees together outweigh all else.
fn release_tree(db: &ProjectDatabase, file: File) {
    // What may be data was never parsed.
    if db.files().is_frozen() && !may_be_hiera(file.path(db)) {
        parse(db, file).release();
    }
}

thread_local! {
    /// Where this thread panicked last.
    static PANICKED_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Replaces the process's panic hook by one that prints nothing and keeps the place for the finding that the panic
/// becomes. For programs whose every panic is caught and told.
pub fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string);
        PANICKED_AT.with_borrow_mut(|place| *place = location);
    }));
}

fn message(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

fn internal_error(db: &ProjectDatabase, file: File, panicked: &Panicked) -> Diagnostic {
    let message = format!("marotte failed on this file: {}", panicked.message);
    let mut finding =
        Diagnostic::new("internal-error", Level::Error, file.id(db), TextRange::default(), message);
    if let Some(place) = &panicked.place {
        finding.notes.push(format!("it happened at {place}"));
    }
    finding.notes.push("this is a bug in marotte; the other files were checked as usual".to_owned());
    finding
}
