//! Keeps a project's findings current while its files change.
//!
//! [`run`] is the loop: signals in, reports out. It is independent of the source of signals; [`FileWatcher`] creates them from
//! the machine's file events.

mod files;
mod paths;
mod watched;

pub(crate) use paths::is_exclusions;

pub use files::{FileWatcher, WatchError};
pub use watched::Watched;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::change::ChangeBatch;
use crate::findings::Delta;
use crate::project::{Checked, Project};
use crate::report::Report;

/// A message to the loop.
#[derive(Debug)]
pub enum Signal {
    /// Paths may have changed.
    Changed(ChangeBatch),
    /// The user wants to stop.
    Stop,
    /// A check has finished.
    #[doc(hidden)]
    Done(Done),
}

/// The end of a check.
#[derive(Debug)]
pub struct Done {
    run: u64,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Checked(Checked),
    /// The database changed during the check.
    Cancelled,
    /// A bug outside the check of a single file.
    Panic(Box<dyn Any + Send>),
}

/// The delays before the loop handles changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Debounce {
    /// The loop handles changes after no more arrived for this time.
    pub quiet: Duration,
    /// The loop handles changes after this time at the latest.
    pub longest: Duration,
    /// If nothing was reported for this time, a further change doesn't cancel the running check, which gets the same time again
    /// to finish.
    pub patience: Duration,
}

impl Default for Debounce {
    fn default() -> Self {
        Debounce {
            quiet: Duration::from_millis(10),
            longest: Duration::from_millis(250),
            patience: Duration::from_millis(500),
        }
    }
}

/// The receiver of the loop's reports.
pub trait Observer {
    /// The findings are current.
    fn report(&mut self, project: &Project, report: Report);

    /// Paths may have changed, and will be read next: the time to [follow](FileWatcher::follow) folders that appeared or
    /// disappeared, so that nothing is missed in between.
    fn touched(&mut self, batch: &ChangeBatch);
}

/// Checks, and checks again after every change, until it receives [`Signal::Stop`] or the channel is closed.
///
/// `signals` is the sending end of `received`, for the loop's own use. A check that is overtaken by a change is cancelled; the
/// next one covers both.
pub fn run(
    project: &mut Project,
    signals: &Sender<Signal>,
    received: &Receiver<Signal>,
    debounce: Debounce,
    observer: &mut dyn Observer,
) {
    // Distinguishes late results of an earlier loop from this one's.
    static LOOPS: AtomicU64 = AtomicU64::new(0);
    let number = LOOPS.fetch_add(1, Ordering::Relaxed) << 32;
    let mut run = Run { number, is_active: false, told: Instant::now(), signals };
    run.start(project, observer);
    while let Ok(signal) = received.recv() {
        match signal {
            Signal::Stop => break,
            Signal::Done(done) => run.finished(project, done, observer),
            Signal::Changed(batch) => {
                let mut gathered = gather(batch, received, debounce);
                // While changes arrive without end, results are reported from time to time.
                if run.is_overdue(debounce.patience) {
                    if gathered.done.is_none() {
                        run.wait(&mut gathered, received, debounce.patience);
                    }
                    if let Some(done) = gathered.done.take() {
                        run.finished(project, done, observer);
                    }
                }
                if gathered.stop {
                    break;
                }
                observer.touched(&gathered.batch);
                let applied = project.apply(&gathered.batch);
                if applied.anything() {
                    run.start(project, observer);
                } else if let Some(done) = gathered.done {
                    run.finished(project, done, observer);
                }
            }
        }
    }
    project.cancel();
}

/// Waits for changes, including those that follow shortly after the first. None if the loop should stop, or the channel is
/// closed. For loops that finish their work before they look for further changes.
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

/// The current check; older ones were overtaken.
struct Run<'a> {
    number: u64,
    /// The check hasn't finished.
    is_active: bool,
    /// The time of the last report.
    told: Instant,
    signals: &'a Sender<Signal>,
}

impl Run<'_> {
    /// Runs a small check directly, or starts a thread for a large one, so that this thread can receive changes and cancel it.
    fn start(&mut self, project: &mut Project, observer: &mut dyn Observer) {
        self.number += 1;
        let job = project.job();
        if project.has_little_to_check() {
            let checked = job.run(&());
            (self.is_active, self.told) = (false, Instant::now());
            report(project, checked, observer);
            return;
        }
        self.is_active = true;
        let run = self.number;
        let signals = self.signals.clone();
        thread::spawn(move || {
            // The job owns its data, which is dropped when it unwinds.
            let outcome = match catch_unwind(AssertUnwindSafe(|| job.run(&()))) {
                Ok(checked) => Outcome::Checked(checked),
                Err(panic) if panic.is::<salsa::Cancelled>() => Outcome::Cancelled,
                Err(panic) => Outcome::Panic(panic),
            };
            // The receiver is gone once the loop has ended.
            let _ = signals.send(Signal::Done(Done { run, outcome }));
        });
    }

    /// Whether a check should have been reported by now.
    fn is_overdue(&self, patience: Duration) -> bool {
        self.is_active && self.told.elapsed() > patience
    }

    /// Waits for the end of the check, within a limit: it may not terminate.
    fn wait(&self, gathered: &mut Gathered, received: &Receiver<Signal>, patience: Duration) {
        let deadline = Instant::now() + patience;
        while !gathered.stop {
            match received.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(Signal::Changed(batch)) => gathered.batch.merge(batch),
                Ok(Signal::Done(done)) => {
                    let is_own = done.run == self.number;
                    gathered.done = Some(done);
                    if is_own {
                        return;
                    }
                }
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => gathered.stop = true,
                Err(RecvTimeoutError::Timeout) => return,
            }
        }
    }

    fn finished(&mut self, project: &mut Project, done: Done, observer: &mut dyn Observer) {
        self.is_active &= done.run != self.number;
        match done.outcome {
            Outcome::Panic(panic) => resume_unwind(panic),
            Outcome::Checked(checked) if done.run == self.number => {
                self.told = Instant::now();
                report(project, checked, observer);
            }
            // Cancelling a check always starts a newer one.
            Outcome::Checked(_) | Outcome::Cancelled => {}
        }
    }
}

/// Keeps the result of a check, and reports it.
fn report(project: &mut Project, checked: Checked, observer: &mut dyn Observer) {
    let Delta { files, checked, elapsed, .. } = project.settle(checked);
    let findings = project.findings().all(project.db());
    observer.report(project, Report { findings, files, checked, elapsed });
}

/// The signals received while the loop waited for quiet.
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
