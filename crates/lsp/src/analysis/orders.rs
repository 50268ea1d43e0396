//! The messages to a folder's thread.

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

/// A message to a folder's thread.
#[derive(Debug)]
pub(crate) enum Order {
    /// A document was opened, edited or closed.
    Edit(Edit),
    /// Files may have changed.
    Touched(ChangeBatch),
    /// The client's settings: those of the server, and the rest by the names of `marotte.toml`.
    Configure(Arc<ServerSettings>, Map<String, Value>),
    /// A request of the client.
    Ask(Question),
    /// A request of the client waits for the diagnostics of all previous edits.
    Settle(Id),
    /// A check has finished.
    Checked(Box<Checked>),
    /// The session ends, or the folder was removed from it.
    Stop,
}

/// A change of a document.
#[derive(Clone, Debug)]
pub(crate) struct Edit {
    pub(crate) path: Utf8PathBuf,
    /// None if the document was closed.
    pub(crate) opened: Option<Opened>,
    pub(crate) content: Option<Content>,
}

/// Computes the answer of a request from a snapshot.
pub(crate) type Job = Arc<dyn Fn(&Snapshot) -> Answer<Value> + Send + Sync + RefUnwindSafe>;

/// A request to be answered from a snapshot.
#[derive(Clone)]
pub(crate) struct Question {
    /// The request's ID.
    pub(crate) id: Id,
    pub(crate) job: Job,
    pub(crate) cancellation: Arc<Cancellation>,
}

impl fmt::Debug for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Cancels a request: whether its answer is still wanted, and the token that stops the computation.
#[derive(Debug, Default)]
pub(crate) struct Cancellation {
    is_cancelled: AtomicBool,
    running: Mutex<Vec<CancellationToken>>,
}

impl Cancellation {
    /// Cancels the request that it belongs to.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::SeqCst);
        for token in self.running.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            token.cancel();
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::SeqCst)
    }

    /// Registers the token that stops the computation. Returns false if the request was already cancelled.
    pub(crate) fn begin(&self, token: CancellationToken) -> bool {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).push(token);
        !self.is_cancelled()
    }

    /// The computation has ended.
    pub(crate) fn end(&self) {
        self.running.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// The handle of a folder in the main loop.
#[derive(Debug)]
pub(crate) struct Folder {
    /// The root folder; None for documents outside of all folders.
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
            // The receiver exists: it is the loop that calls this function.
            let _ = events.send(crate::event::Event::Problem { message });
        }
        Folder { root, orders }
    }

    /// Sends an order, to be handled after all previous ones.
    pub(crate) fn order(&self, order: Order) {
        // A thread that has ended ignores orders.
        let _ = self.orders.send(order);
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.order(Order::Stop);
    }
}
