//! Watches the files of a folder, for clients that don't support it.

use std::sync::{Arc, mpsc};
use std::thread;

use camino::Utf8PathBuf;
use crossbeam_channel::Sender;
use marotte_project::ChangeBatch;
use marotte_project::watch::{Debounce, FileWatcher, Watched, changes};

use super::{Order, Start};
use crate::event::Event;

/// A watcher of the machine's files, whose signals are sent as orders.
pub(super) struct Watching {
    watcher: FileWatcher,
    events: Sender<Event>,
}

impl Watching {
    /// Starts watching the folder, and the files on which its settings depend. None if the operating system denies it, which is reported.
    pub(super) fn start(start: &Start, sources: &[Utf8PathBuf], orders: Sender<Order>) -> Option<Watching> {
        let (signals, received) = mpsc::channel();
        let watched = Watched::new(start.root.clone()).with_lists(&*start.system);
        let watched = watched.with(sources.iter().cloned());
        let watcher = match FileWatcher::new(Arc::clone(&start.system), watched, signals) {
            Ok(watcher) => watcher,
            Err(error) => {
                let message = format!("files are not watched: {error}");
                let _ = start.events.send(Event::Problem { message });
                return None;
            }
        };
        thread::spawn(move || {
            // Ends when the watcher is dropped, which owns the other end, or the folder.
            while let Some(batch) = changes(&received, Debounce::default()) {
                if orders.send(Order::Touched(batch)).is_err() {
                    break;
                }
            }
        });
        Some(Watching { watcher, events: start.events.clone() })
    }

    /// Updates the watches for folders that appeared or disappeared.
    pub(super) fn follow(&mut self, batch: &ChangeBatch) {
        if let Err(error) = self.watcher.follow(batch) {
            self.tell(&error.to_string());
        }
    }

    /// Replaces the watched paths, and returns the new ones.
    pub(super) fn set(&mut self, watched: Watched) -> ChangeBatch {
        self.watcher.set(watched).unwrap_or_else(|error| {
            self.tell(&error.to_string());
            ChangeBatch::new()
        })
    }

    fn tell(&self, error: &str) {
        let _ = self.events.send(Event::Problem { message: format!("files are not watched: {error}") });
    }
}
