//! Keeps a project's findings current while its files change.
//!
//! [`run`] is the loop: signals in, reports out. It knows nothing of where signals come from; [`FileWatcher`] makes them
//! of the machine's file events.

mod files;
mod paths;

pub use files::{FileWatcher, WatchError};

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::change::ChangeBatch;
use crate::project::{Project, Report};

/// What the loop reacts to.
#[derive(Debug)]
pub enum Signal {
    /// Something may have changed.
    Changed(ChangeBatch),
    /// The user wants to end.
    Stop,
    /// A check has ended.
    #[doc(hidden)]
    Done(Done),
}

/// How a check ended.
#[derive(Debug)]
pub struct Done {
    run: u64,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Report(Report),
    /// The database changed meanwhile.
    Cancelled,
    /// A bug outside the check of any one file.
    Panic(Box<dyn Any + Send>),
}

/// How long the loop waits for more before it looks at what changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debounce {
    /// It looks when nothing more came for so long.
    pub quiet: Duration,
    /// It looks after so long in any case.
    pub longest: Duration,
}

impl Default for Debounce {
    fn default() -> Self {
        Debounce { quiet: Duration::from_millis(50), longest: Duration::from_millis(500) }
    }
}

/// What the loop tells.
pub trait Observer {
    /// The findings are current.
    fn report(&mut self, project: &Project, report: Report);

    /// Something may have changed, and will be looked at next: the time to [follow](FileWatcher::follow) folders that
    /// came or went, so that nothing is missed in between.
    fn touched(&mut self, batch: &ChangeBatch);
}

/// Checks, and checks again after every change, until it is told to stop or nobody can tell any more.
///
/// `signals` is the sending end of `received`, for the loop's own use. A check that is overtaken by a change is
/// cancelled; the next one finishes what both have to do.
pub fn run(
    project: &mut Project,
    signals: &Sender<Signal>,
    received: &Receiver<Signal>,
    debounce: Debounce,
    observer: &mut dyn Observer,
) {
    let mut run = Run { number: 0, purpose: Purpose::Report, signals };
    run.start(project, Purpose::Report);
    while let Ok(signal) = received.recv() {
        match signal {
            Signal::Stop => break,
            Signal::Done(done) => run.finished(project, done, observer),
            Signal::Changed(batch) => {
                let gathered = gather(batch, received, debounce);
                if gathered.stop {
                    break;
                }
                observer.touched(&gathered.batch);
                let applied = project.apply(&gathered.batch);
                if applied.anything() {
                    run.start(project, Purpose::Report);
                } else if let Some(done) = gathered.done {
                    run.finished(project, done, observer);
                }
            }
        }
    }
    project.cancel();
}

/// Waits for what may have changed, with all that comes shortly after it. None when it is to stop, or nobody can tell any
/// more. For loops that finish what they began before they look again.
pub fn changes(received: &Receiver<Signal>, debounce: Debounce) -> Option<ChangeBatch> {
    loop {
        match received.recv().ok()? {
            Signal::Stop => return None,
            Signal::Done(_) => {}
            Signal::Changed(batch) => {
                let gathered = gather(batch, received, debounce);
                return (!gathered.stop).then_some(gathered.batch);
            }
        }
    }
}

/// The check that counts; older ones were overtaken.
struct Run<'a> {
    number: u64,
    purpose: Purpose,
    signals: &'a Sender<Signal>,
}

/// What a check is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// To tell what is found.
    Report,
    /// To be ready for the next edit, while nobody waits; what is found has been told.
    Readiness,
}

impl Run<'_> {
    /// Starts a check on its own thread, so that this one can hear of changes and cancel it.
    fn start(&mut self, project: &Project, purpose: Purpose) {
        self.number += 1;
        self.purpose = purpose;
        let run = self.number;
        let job = project.job();
        let signals = self.signals.clone();
        thread::spawn(move || {
            // The job owns what it works on, and is gone when it unwinds.
            let outcome = match catch_unwind(AssertUnwindSafe(|| job.run(&()))) {
                Ok(report) => Outcome::Report(report),
                Err(panic) if panic.is::<salsa::Cancelled>() => Outcome::Cancelled,
                Err(panic) => Outcome::Panic(panic),
            };
            // Nobody listens any more when the loop has ended.
            let _ = signals.send(Signal::Done(Done { run, outcome }));
        });
    }

    fn finished(&mut self, project: &mut Project, done: Done, observer: &mut dyn Observer) {
        match done.outcome {
            Outcome::Panic(panic) => resume_unwind(panic),
            Outcome::Report(report) if done.run == self.number && self.purpose == Purpose::Report => {
                observer.report(project, report);
                if project.expect_edits() {
                    self.start(project, Purpose::Readiness);
                }
            }
            // A newer check was started whenever one is cancelled.
            Outcome::Report(_) | Outcome::Cancelled => {}
        }
    }
}

/// What came while the loop waited for quiet.
#[derive(Default)]
struct Gathered {
    batch: ChangeBatch,
    done: Option<Done>,
    stop: bool,
}

fn gather(first: ChangeBatch, received: &Receiver<Signal>, debounce: Debounce) -> Gathered {
    let mut gathered = Gathered { batch: first, ..Gathered::default() };
    let deadline = Instant::now() + debounce.longest;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match received.recv_timeout(debounce.quiet.min(left)) {
            Ok(Signal::Changed(batch)) => gathered.batch.merge(batch),
            Ok(Signal::Done(done)) => gathered.done = Some(done),
            Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => {
                gathered.stop = true;
                return gathered;
            }
            Err(RecvTimeoutError::Timeout) => return gathered,
        }
    }
}
