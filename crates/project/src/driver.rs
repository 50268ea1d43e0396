//! Checks many files in parallel, each on its own clone of the database, and survives a panic in any of them.

use marotte_diagnostics::{Diagnostic, Level, rules};
use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use marotte_check::{Needs, findings, needs, prepare};
use marotte_db::{Db as _, File, Settings, may_be_hiera, source_text};
use marotte_diagnostics::rules::Subject;
use marotte_hir::parse;
use marotte_host::ProjectDatabase;
use marotte_text::TextRange;
use rayon::prelude::*;
use salsa::Database as _;

use crate::secrets::concealed;

/// The stack size of a worker: the parser's recursion is bounded, and fits in here many times.
const WORKER_STACK: usize = 16 << 20;

/// A callback for finished files. Called on worker threads.
pub trait Progress: Sync {
    /// One more file is finished.
    fn file_done(&self);
}

impl Progress for () {
    fn file_done(&self) {}
}

/// The worker threads, started on the first use.
#[derive(Debug, Default)]
pub(crate) struct Workers {
    threads: usize,
    pool: OnceLock<Option<rayon::ThreadPool>>,
}

impl Workers {
    /// Uses this number of threads; 0 for as many as the machine has processors.
    pub(crate) fn new(threads: usize) -> Self {
        Workers { threads, pool: OnceLock::new() }
    }

    /// `None` if no threads can be created; the work is then done on the current one.
    fn pool(&self) -> Option<&rayon::ThreadPool> {
        let build = || {
            let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads).stack_size(WORKER_STACK);
            builder.thread_name(|index| format!("check-{index}")).build().ok()
        };
        self.pool.get_or_init(build).as_ref()
    }

    /// Runs a job on one of the threads. Parallel iterators in it use all of them.
    pub(crate) fn run<T: Send>(&self, job: impl FnOnce() -> T + Send) -> T {
        match self.pool() {
            Some(pool) => pool.install(job),
            None => job(),
        }
    }
}

/// Collects what checks of other files may need of each file, as [`prepare`] does, and reads the Ruby files among `support`, which
/// rules about whole trees search.
///
/// Unwinds with [`salsa::Cancelled`] when the database is about to change.
pub(crate) fn prepare_files(db: ProjectDatabase, workers: &Workers, files: &[File], support: &[File]) {
    let rules = Settings::get(&db).rules(&db);
    if needs(rules) != Needs::Tree {
        return;
    }
    let is_ruby = |it: &&File| matches!(it.path(&db).extension(), Some("rb" | "erb"));
    let ruby: Vec<File> = support.iter().filter(is_ruby).copied().collect();
    // The check of a file reports a panic.
    in_parallel(db.clone(), workers, &ruby, |db, &file| _ = caught(db, || _ = source_text(db, file)));
    // The rules about style examine the tree when the file is checked.
    let is_released = !rules.has(Subject::Style);
    in_parallel(db, workers, files, |db, &file| {
        _ = caught(db, || {
            prepare(db, file);
            if is_released {
                release_tree(db, file);
            }
        });
    });
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

/// Runs a job for each item, each time on a clone of the database, or of several. The results are in the order of the items.
pub(crate) fn in_parallel<D: Clone + Send, I: Sync, T: Send>(
    db: D,
    workers: &Workers,
    items: &[I],
    job: impl Fn(&D, &I) -> T + Sync,
) -> Vec<T> {
    // A single item is processed here: starting threads would take longer.
    let pool = if items.len() > 1 { workers.pool() } else { None };
    let Some(pool) = pool else {
        return items.iter().map(|it| job(&db, it)).collect();
    };
    // Jobs may differ much in size, and cloning the database takes longer than the smallest of them.
    let next = AtomicUsize::new(0);
    let work = |db: D| {
        let indexes = iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let jobs = indexes.map_while(|index| Some((index, items.get(index)?)));
        jobs.map(|(index, it)| (index, job(&db, it))).collect::<Vec<_>>()
    };
    let clones = vec![db; pool.current_num_threads()];
    let mut done: Vec<(usize, T)> =
        pool.install(|| clones.into_par_iter().with_max_len(1).flat_map_iter(work).collect());
    // The results consist of one sorted run per worker, which this sort merges.
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// The message and place of a panic in a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// The message of the panic.
    pub message: String,
    /// The place of the panic in the program, if it was recorded.
    pub place: Option<String>,
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.place.iter().try_for_each(|it| write!(f, ", at {it}"))
    }
}

/// Runs a job that may panic. Cancellation unwinds further.
pub(crate) fn caught<T>(db: &ProjectDatabase, job: impl FnOnce() -> T) -> Result<T, Panicked> {
    // Salsa discards a query that panicked, and the database has no other state that could be left inconsistent.
    let panic = match catch_unwind(AssertUnwindSafe(job)) {
        Ok(done) => return Ok(done),
        Err(panic) => panic,
    };
    let message = match panic.downcast::<salsa::Cancelled>() {
        // The query that this one waited for panicked on another thread: because of a bug, or because it was cancelled.
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

/// Releases the tree if the run needs it only once: all trees together are larger than everything else.
fn release_tree(db: &ProjectDatabase, file: File) {
    // Data files were never parsed as code.
    if db.files().is_frozen() && !may_be_hiera(file.path(db)) {
        parse(db, file).release();
    }
}

thread_local! {
    /// The place of this thread's last panic.
    static PANICKED_AT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Replaces the process's panic hook by one that prints nothing and records the place for the finding that the panic becomes.
/// For programs that catch and report every panic.
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
        Diagnostic::new(rules::INTERNAL_ERROR, Level::Error, file.id(db), TextRange::default(), message);
    if let Some(place) = &panicked.place {
        finding.notes.push(format!("it happened at {place}"));
    }
    finding.notes.push("this is a bug in marotte; the other files were checked as usual".to_owned());
    finding
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marotte_db::MemorySystem;

    use super::*;
    use crate::{Project, ProjectOptions};

    /// Whether the tree of a file is in memory after the first pass, if these rules are requested.
    fn holds_tree(rules: marotte_diagnostics::RuleSet) -> bool {
        let system = MemorySystem::with_files([("/tree/a.pp", "class a { }"), ("/tree/b.pp", "class b { }")]);
        let db = ProjectDatabase::frozen(Arc::new(system));
        let options = ProjectOptions { rules, ..ProjectOptions::default() };
        let project = Project::new(db, &["/tree".into()], options);
        let files: Vec<File> = project.files().collect();
        prepare_files(project.db().clone(), &Workers::default(), &files, &[]);
        parse(project.db(), files[0]).has_tree()
    }

    #[test]
    fn trees_are_released_before_the_first_file_is_checked() {
        let usual = marotte_diagnostics::RuleSet::usual();
        assert!(!holds_tree(usual));
        assert!(holds_tree(usual.with(Subject::Style)), "rules about style need the trees");
    }
}
