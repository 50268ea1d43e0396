//! Keeps a project's findings current while its files change.
//!
//! [`run`] is the loop: signals in, reports out. It knows nothing of where signals come from; [`FileWatcher`] makes them
//! of the machine's file events.

mod files;
mod paths;

pub(crate) use paths::is_exclusions;

pub use files::{FileWatcher, WatchError};

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::change::ChangeBatch;
use crate::findings::Delta;
use crate::project::{Checked, Project, Report};

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
    Checked(Checked),
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
    /// When nothing was told for so long, a check that runs is not cancelled for another change, but given as long to end.
    pub patience: Duration,
}

impl Default for Debounce {
    fn default() -> Self {
        Debounce {
            quiet: Duration::from_millis(30),
            longest: Duration::from_millis(250),
            patience: Duration::from_millis(500),
        }
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
    // What ends late of an earlier loop is none of this one's.
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
                // While somebody writes without end, what is known is told from time to time.
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
    /// It has not ended.
    is_active: bool,
    /// When something was told last.
    told: Instant,
    signals: &'a Sender<Signal>,
}

impl Run<'_> {
    /// Checks what little there is, or else starts a check on its own thread, so that this one can hear of changes and cancel it.
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
            // The job owns what it works on, and is gone when it unwinds.
            let outcome = match catch_unwind(AssertUnwindSafe(|| job.run(&()))) {
                Ok(checked) => Outcome::Checked(checked),
                Err(panic) if panic.is::<salsa::Cancelled>() => Outcome::Cancelled,
                Err(panic) => Outcome::Panic(panic),
            };
            // Nobody listens any more when the loop has ended.
            let _ = signals.send(Signal::Done(Done { run, outcome }));
        });
    }

    /// Whether a check should have been told by now.
    fn is_overdue(&self, patience: Duration) -> bool {
        self.is_active && self.told.elapsed() > patience
    }

    /// Waits for the end of the check, but not for long: it may have run away.
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
            // A newer check was started whenever one is cancelled.
            Outcome::Checked(_) | Outcome::Cancelled => {}
        }
    }
}

/// Keeps what a check gave, and tells it.
fn report(project: &mut Project, checked: Checked, observer: &mut dyn Observer) {
    let Delta { files, checked, elapsed, .. } = project.settle(checked);
    let findings = project.findings().all(project.db());
    observer.report(project, Report { findings, files, checked, elapsed });
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
