//! The pool of `--allow ruby`: processes of the installed Ruby that evaluate the functions and templates that marotte's own
//! interpreter can't evaluate.
//!
//! A worker belongs to one evaluation at a time ([`Session`]), so that there are as many workers as evaluating threads. It
//! requests everything that it reads ([`exchange`]), and the host answers through queries. A worker that hangs, dies, or
//! writes anything other than messages is ended, and the next computation starts another.

mod data;
mod exchange;
mod memory;
mod worker;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::answers::Answers;
use marotte_db::Db;
use marotte_db::system::process::Processes;
use marotte_eval::NoAnswer;
use marotte_pcore::value::Value;
use marotte_ruby_eval::Host;

pub(crate) use exchange::{Computation, Kind};
use memory::Memory;
pub(crate) use memory::{Trace, hex};
pub(crate) type Digest = Text;
use worker::{Text, Worker, digest};

/// The limits of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerLimits {
    /// The time limit for one computation, without the time of marotte's answers.
    pub time: Duration,
    /// The time limit for a started worker to become ready.
    pub start: Duration,
    /// The limit of a worker's address space, in bytes.
    pub memory: u64,
}

impl Default for WorkerLimits {
    fn default() -> WorkerLimits {
        WorkerLimits { time: Duration::from_secs(20), start: Duration::from_secs(60), memory: 2 << 30 }
    }
}

/// The number of consecutive workers that fail to start after which no more are started.
const ATTEMPTS: usize = 3;

/// The number of workers that the code of one file may end before it's no longer run.
const DEATHS: usize = 3;

/// Workers, started when they are needed.
pub struct Pool {
    processes: Arc<dyn Processes>,
    program: String,
    limits: WorkerLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    idle: Vec<Worker>,
    memory: Memory,
    /// The number of consecutive workers that failed to start, with the reason for the last one.
    failed: usize,
    failure: String,
    /// The computations that ended a worker, by digests of their texts, with the number of times.
    fatal: HashMap<Text, usize>,
}

impl Pool {
    /// Creates a pool of workers that are processes of a program, the name or path of a `ruby`. Nothing is started yet.
    pub fn new(processes: Arc<dyn Processes>, program: &str, limits: WorkerLimits) -> Pool {
        Pool { processes, program: program.to_owned(), limits, state: Mutex::default() }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns an idle worker whose files are current, or a new one that is ready within `left`.
    fn take(&self, left: Option<Duration>, is_current: impl Fn(&Worker) -> bool) -> Result<Worker, NoAnswer> {
        loop {
            let Some(worker) = self.state().idle.pop() else { break };
            if is_current(&worker) {
                return Ok(worker);
            }
        }
        if self.state().failed >= ATTEMPTS {
            return Err(NoAnswer::Failed(self.state().failure.clone()));
        }
        let start = left.unwrap_or(self.limits.start).min(self.limits.start);
        let limits = WorkerLimits { start, ..self.limits };
        let started = Worker::start(&*self.processes, &self.program, limits);
        let mut state = self.state();
        match started {
            Ok(worker) => {
                state.failed = 0;
                Ok(worker)
            }
            Err(failure) => {
                state.failed += 1;
                state.failure.clone_from(&failure);
                Err(NoAnswer::Failed(failure))
            }
        }
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("program", &self.program).finish_non_exhaustive()
    }
}

/// The use of a pool by one evaluation: its worker, from the first computation on.
#[derive(Debug, Default)]
pub(crate) struct Session {
    worker: RefCell<Option<Worker>>,
    pool: RefCell<Option<Arc<Pool>>>,
}

impl Session {
    /// Computes something in a worker, or answers from the record. Without a pool, nothing is computed.
    pub(crate) fn compute(
        &self,
        pool: Option<&Arc<Pool>>,
        answers: Option<&Answers>,
        outside: &dyn Outward,
        computation: &Computation<'_>,
        host: &mut dyn Host,
    ) -> Result<Value, NoAnswer> {
        let key = memory::key(computation)?;
        if let (Some(key), Some(answers)) = (&key, answers) {
            for known in answers.traces(&key.digest, outside) {
                if let Some(end) = known.still_holds(outside, host)? {
                    return end;
                }
            }
        }
        let Some(pool) = pool else {
            return Err(NoAnswer::NotRecorded(format!(
                "no result of {} was recorded for this",
                computation.name
            )));
        };
        if pool.state().fatal.get(&digest(computation.text)).is_some_and(|it| *it >= DEATHS) {
            let message =
                format!("{} has ended {DEATHS} workers of Ruby and is not tried again", computation.name);
            return Err(NoAnswer::Failed(message));
        }
        let remembered = key.as_ref().and_then(|key| pool.state().memory.get(&key.digest));
        if let Some(known) = remembered
            && let Some(end) = known.still_holds(outside, host)?
        {
            Self::record(answers, key.as_ref(), computation, &known, outside);
            return end;
        }
        self.pool.borrow_mut().get_or_insert_with(|| Arc::clone(pool));
        // A nested computation runs in the worker of the outer one, which waits for its answer. If the worker is gone by then, the
        // outer one has failed as well.
        if self.worker.borrow().is_none() {
            let worker = pool.take(host.time_left(), |it| it.is_current(outside))?;
            *self.worker.borrow_mut() = Some(worker);
        }
        let (end, trace) = exchange::run(self, pool.limits, outside, computation, host)?;
        match (key, trace) {
            (Some(key), Some(trace)) => {
                Self::record(answers, Some(&key), computation, &trace, outside);
                pool.state().memory.put(key.digest, trace);
            }
            (key, _) => {
                let reason = match key {
                    Some(_) => "it logs, declares or sets something",
                    None => {
                        "its arguments contain a lambda, a type, a time or another value that is not plain data"
                    }
                };
                answers.inspect(|it| it.note_unrecorded(computation.name, reason));
            }
        }
        end
    }

    /// Records a computation unless it contains a sensitive value.
    fn record(
        answers: Option<&Answers>,
        key: Option<&memory::Key>,
        computation: &Computation<'_>,
        trace: &Trace,
        outside: &dyn Outward,
    ) {
        match (answers, key) {
            (Some(answers), Some(key)) if key.is_sensitive => {
                answers.note_unrecorded(computation.name, "an argument is Sensitive");
            }
            (Some(answers), Some(key)) => {
                answers.note_trace(&key.digest, computation.name, trace, outside);
            }
            _ => {}
        }
    }
}

impl Session {
    /// Records that a computation ended a worker.
    fn note_failure(&self, computation: &Computation<'_>) {
        if let Some(pool) = &*self.pool.borrow() {
            *pool.state().fatal.entry(digest(computation.text)).or_default() += 1;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let (Some(worker), Some(pool)) = (self.worker.take(), self.pool.take())
            && worker.is_idle()
            && !std::thread::panicking()
        {
            pool.state().idle.push(worker);
        }
    }
}

/// The parts of the code tree that computations read.
pub(crate) trait Outward {
    /// Returns the library that `require` refers to. None if no module has it.
    ///
    /// # Errors
    /// If reading it isn't permitted.
    fn library(&self, name: &str) -> Result<Option<Library>, String>;

    /// Returns the text of a Ruby file by its path. None if it cannot be read.
    fn text(&self, path: &str) -> Option<String>;

    /// Returns the folder of the environment.
    fn root(&self) -> Option<String>;

    /// Called regularly; unwinds if the result is no longer needed.
    fn interrupted(&self);
}

/// A library of a module.
pub(crate) struct Library {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// The files of a tree of code, read through queries.
pub(crate) struct Files<'a> {
    pub(crate) db: &'a dyn Db,
    pub(crate) run: crate::Run,
}

impl Outward for Files<'_> {
    fn library(&self, name: &str) -> Result<Option<Library>, String> {
        crate::ruby::library_text(self.db, self.run, name)
    }

    fn text(&self, path: &str) -> Option<String> {
        crate::ruby::file_text(self.db, path)
    }

    fn root(&self) -> Option<String> {
        self.run.environment(self.db).root(self.db).map(ToString::to_string)
    }

    fn interrupted(&self) {
        self.db.unwind_if_revision_cancelled();
    }
}
