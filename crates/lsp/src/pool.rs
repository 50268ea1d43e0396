//! The threads that answer requests.

use std::any::Any;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crossbeam_channel::{Sender, unbounded};
use lsp_types::ErrorCodes;
use salsa::Database as _;

use crate::analysis::Question;
use crate::event::{Event, FolderId};
use crate::message::ResponseError;
use crate::snapshot::Snapshot;

/// The stack size of a thread: the parser's recursion is bounded, and fits in here many times.
pub(crate) const STACK: usize = 64 << 20;

/// Threads that answer requests, in order of arrival.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    tasks: Sender<Task>,
}

struct Task {
    snapshot: Snapshot,
    folder: FolderId,
    question: Question,
    events: Sender<Event>,
}

impl Pool {
    /// Starts the threads, which end when the last clone of the pool is dropped.
    pub(crate) fn new() -> Pool {
        let (tasks, received) = unbounded::<Task>();
        let threads = thread::available_parallelism().map_or(2, NonZero::get).clamp(2, 8);
        for index in 0..threads {
            let received = received.clone();
            let builder = thread::Builder::new().name(format!("answer-{index}")).stack_size(STACK);
            // If the machine refuses further threads, the existing ones suffice.
            let _ = builder.spawn(move || {
                if index == 0 {
                    // So that the first completion and the first hover don't have to.
                    marotte_ide::read_records();
                }
                received.into_iter().for_each(Task::run);
            });
        }
        Pool { tasks }
    }

    /// Answers a request from a snapshot. The result is sent as an event; results of cancelled requests are dropped.
    pub(crate) fn answer(
        &self,
        folder: FolderId,
        snapshot: Snapshot,
        question: Question,
        events: Sender<Event>,
    ) {
        // The threads receive tasks as long as the pool exists.
        let _ = self.tasks.send(Task { snapshot, folder, question, events });
    }
}

impl Task {
    fn run(self) {
        let Task { snapshot, folder, question, events } = self;
        if !question.cancellation.begin(snapshot.db.cancellation_token()) {
            return;
        }
        let job = &question.job;
        let answer = || catch_unwind(AssertUnwindSafe(|| job(&snapshot)));
        // A query that this request waits for fails if an edit or the client cancels the other request that evaluates it. Evaluated here,
        // it ends for its own reason.
        let outcome = answer().or_else(|panic| if is_of_other(&*panic) { answer() } else { Err(panic) });
        // An edit that follows the result doesn't have to wait for the snapshot.
        drop(snapshot);
        question.cancellation.end();
        let result = match outcome {
            Ok(result) => result,
            Err(panic) => match panic.downcast::<salsa::Cancelled>() {
                Ok(_) if question.cancellation.is_cancelled() => return,
                Ok(cancelled) if !is_of_other(&*cancelled) => {
                    let _ = events.send(Event::Overtaken { folder, question });
                    return;
                }
                Ok(_) => Err(bug("a query that it needs failed")),
                Err(panic) => Err(bug(text(&*panic))),
            },
        };
        // The receiver is gone once the session has ended.
        let _ = events.send(Event::Answered { id: question.id, result });
    }
}

/// Whether a query unwound because it waited for one that another thread evaluated, and that unwound.
fn is_of_other(panic: &(dyn Any + Send)) -> bool {
    matches!(panic.downcast_ref::<salsa::Cancelled>(), Some(salsa::Cancelled::PropagatedPanic))
}

fn bug(message: &str) -> ResponseError {
    ResponseError::new(ErrorCodes::InternalError, format!("this is a bug in marotte: {message}"))
}

/// The message of a panic.
pub(crate) fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
