//! Threads that answer questions.

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

/// The parser's recursion is bounded, and its bound fits in here many times.
pub(crate) const STACK: usize = 64 << 20;

/// Threads that answer questions, in the order in which these come.
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
            // A machine that gives no more threads has at least those that there are.
            let _ = builder.spawn(move || received.into_iter().for_each(Task::run));
        }
        Pool { tasks }
    }

    /// Answers a question about a state. The answer is told as an event; nobody is told of one that nobody wants any more.
    pub(crate) fn answer(
        &self,
        folder: FolderId,
        snapshot: Snapshot,
        question: Question,
        events: Sender<Event>,
    ) {
        // The threads listen as long as there is a pool.
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
        // The snapshot is dropped before anybody hears of the answer, so that an edit that follows need not wait for it.
        let outcome = catch_unwind(AssertUnwindSafe(move || job(&snapshot)));
        question.cancellation.end();
        let result = match outcome {
            Ok(result) => result,
            Err(panic) => match panic.downcast::<salsa::Cancelled>() {
                Ok(_) if question.cancellation.is_cancelled() => return,
                Ok(cancelled) if !matches!(*cancelled, salsa::Cancelled::PropagatedPanic) => {
                    let _ = events.send(Event::Overtaken { folder, question });
                    return;
                }
                Ok(_) => Err(bug("a query that it needs failed")),
                Err(panic) => Err(bug(text(&*panic))),
            },
        };
        // Nobody listens any more when the session has ended.
        let _ = events.send(Event::Answered { id: question.id, result });
    }
}

fn bug(message: &str) -> ResponseError {
    ResponseError::new(ErrorCodes::InternalError, format!("this is a bug in marotte: {message}"))
}

/// What a panic says.
pub(crate) fn text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
