//! A check of a folder, on a separate thread: first of the most recently edited documents, then of everything.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use camino::Utf8PathBuf;
use crossbeam_channel::Sender;
use marotte_db::{Db as _, File, FileStatus};
use marotte_diagnostics::Diagnostic;
use marotte_project::{CheckJob, Progress};

use super::Order;
use crate::diagnostics::findings::{diagnosed, shown};
use crate::event::{Event, FolderId, Scope};
use crate::pool::{STACK, text};
use crate::snapshot::Snapshot;

/// The number of documents that are checked first, most recently edited ones preferred; the others are checked with the rest.
const FIRST: usize = 16;

/// The number of steps in which progress is reported.
const PARTS: usize = 50;

/// A check of a folder.
pub(super) struct Check {
    pub(super) number: u64,
    pub(super) folder: FolderId,
    pub(super) job: CheckJob,
    pub(super) snapshot: Snapshot,
    /// The open documents, the most recently edited last.
    pub(super) recent: Vec<Utf8PathBuf>,
    pub(super) shows_progress: bool,
    pub(super) orders: Sender<Order>,
    pub(super) events: Sender<Event>,
}

/// The result of a finished check.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(super) number: u64,
    pub(super) result: marotte_project::Checked,
    /// The findings of open documents that are not among the files to check.
    pub(super) of_extra: Vec<(File, Vec<Arc<Diagnostic>>)>,
}

impl Check {
    pub(super) fn start(self) {
        let builder = thread::Builder::new().name("check".to_owned()).stack_size(STACK);
        let events = self.events.clone();
        let run = move || {
            let events = self.events.clone();
            match catch_unwind(AssertUnwindSafe(|| self.run())) {
                Ok(()) => None,
                // A newer check was started.
                Err(panic) if panic.is::<salsa::Cancelled>() => None,
                Err(panic) => Some(format!("this is a bug in marotte: {}", text(&*panic))),
            }
            // The receiver is gone once the session has ended.
            .map(|message| events.send(Event::Problem { message }))
        };
        if let Err(error) = builder.spawn(run) {
            let _ = events.send(Event::Problem { message: format!("there is no thread to be had: {error}") });
        }
    }

    fn run(self) {
        let Check { number, folder, job, snapshot, recent, shows_progress, orders, events } = self;
        let files = Arc::clone(&snapshot.files);
        let open = recent.iter().rev().map(|path| snapshot.db.files().file(&snapshot.db, path));
        let exists = |file: &File| file.status(&snapshot.db) == FileStatus::Exists;
        let open = open.filter(|it| snapshot.is_checked(*it) && exists(it));
        let (open, extra): (Vec<File>, Vec<File>) = open.partition(|it| files.contains(it));

        for &file in open.iter().chain(&extra).take(FIRST) {
            let findings = shown(&snapshot, file, job.check(file));
            let one = diagnosed(&snapshot, file, &findings);
            let diagnosed = [(file.path(&snapshot.db).clone(), Some(one))].into();
            let _ = events.send(Event::Diagnosed { folder, check: number, scope: Scope::First, diagnosed });
        }

        let loading = Loading { done: AtomicUsize::new(0), total: files.len(), folder, events: &events };
        let of_extra = extra.iter().map(|&file| (file, job.check(file))).collect();
        let edited = open.first().map(|&file| (snapshot.db.clone(), file));
        // The analysis may apply an edit as soon as it has the result, and would wait for this snapshot.
        drop(snapshot);
        let result = if shows_progress { job.run(&loading) } else { job.run(&()) };
        if shows_progress {
            loading.tell(files.len());
        }
        let _ = orders.send(Order::Checked(Box::new(Checked { number, result, of_extra })));
        // An edit cancels this, as it cancels requests.
        if let Some((db, file)) = edited {
            marotte_ide::prepare_completion(&db, file);
        }
    }
}

/// Reports the progress of the first check.
struct Loading<'a> {
    done: AtomicUsize,
    total: usize,
    folder: FolderId,
    events: &'a Sender<Event>,
}

impl Loading<'_> {
    fn tell(&self, done: usize) {
        let _ = self.events.send(Event::Loading { folder: self.folder, done, total: self.total });
    }
}

impl Progress for Loading<'_> {
    fn file_done(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done.is_multiple_of((self.total / PARTS).max(1)) && done < self.total {
            self.tell(done);
        }
    }
}
