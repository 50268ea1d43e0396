//! What a folder is told.

use std::fmt;
use std::panic::RefUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use camino::Utf8PathBuf;
use crossbeam_channel::{Sender, unbounded};
use marotte_project::ChangeBatch;
use salsa::CancellationToken;
use serde_json::{Map, Value};

use super::{Analysis, Checked, Start};
use crate::documents::Content;
use crate::message::Id;
use crate::pool::STACK;
use crate::settings::ServerSettings;
use crate::snapshot::{Answer, Opened, Snapshot};

/// What a folder is to do.
#[derive(Debug)]
pub(crate) enum Order {
    /// A document was opened, edited or closed.
    Edit(Edit),
    /// Files may have changed.
    Touched(ChangeBatch),
    /// The client has set this: what is about the server, and the rest by the names of `marotte.toml`.
    Configure(Arc<ServerSettings>, Map<String, Value>),
    /// Somebody wants to know something.
    Ask(Question),
    /// A check has ended.
    Checked(Box<Checked>),
    /// The session ends, or the folder leaves it.
    Stop,
}

/// What became of a document.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) path: Utf8PathBuf,
    /// None if it was closed.
    pub(crate) opened: Option<Opened>,
    pub(crate) content: Option<Content>,
}

/// Finds an answer in a state.
pub(crate) type Job = Arc<dyn Fn(&Snapshot) -> Answer<Value> + Send + Sync + RefUnwindSafe>;

/// What somebody wants to know.
#[derive(Clone)]
pub(crate) struct Question {
    /// The request's.
    pub(crate) id: Id,
    pub(crate) job: Job,
    pub(crate) cancellation: Arc<Cancellation>,
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Whether somebody still wants an answer, and how to stop whoever looks for it.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    is_cancelled: AtomicBool,
    running: Mutex<Vec<CancellationToken>>,
}

impl Cancellation {
    /// Nobody wants the answer any more.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
        for token in self.running.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            token.cancel();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Notes by what the search can be stopped. False if nobody wants the answer any more.
    pub(crate) fn begin(&self, token: CancellationToken) -> bool {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push(token);
        !self.is_cancelled()
    }

    /// The search has ended.
    pub(crate) fn end(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// A folder as the loop that reads messages knows it.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The folder; None for documents that are in none.
    pub(crate) root: Option<Utf8PathBuf>,
    orders: Sender<Order>,
}

impl Folder {
    /// Starts the thread of a folder.
    pub(crate) fn start(start: Start) -> Folder {
        let (orders, received) = unbounded();
        let root = start.root.clone();
        let own = orders.clone();
        let builder = thread::Builder::new().name("analysis".to_owned()).stack_size(STACK);
        let events = start.events.clone();
        if let Err(error) = builder.spawn(move || Analysis::run(start, own, &received)) {
            let message = format!("there is no thread to be had: {error}");
            // The loop listens: it is what calls this.
            let _ = events.send(crate::event::Event::Problem { message });
        }
        Folder { root, orders }
    }

    /// Tells it to do something, after all that it was told before.
    pub(crate) fn order(&self, order: Order) {
        // One that has ended does nothing more.
        let _ = self.orders.send(order);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.order(Order::Stop);
    }
}
