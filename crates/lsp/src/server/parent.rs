//! Ends the server together with the process that started it, even if the pipe stays open.

use crossbeam_channel::Sender;

use crate::event::Event;

/// Sends an event when the process with this ID has ended.
#[cfg(unix)]
pub(super) fn watch(process: Option<i32>, events: Sender<Event>) {
    use std::thread;
    use std::time::Duration;

    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    const PAUSE: Duration = Duration::from_secs(3);

    let Some(process) = process.and_then(Pid::from_raw) else { return };
    thread::spawn(move || {
        while test_kill_process(process) != Err(Errno::SRCH) {
            thread::sleep(PAUSE);
        }
        // The receiver is gone if the session has ended before.
        let _ = events.send(Event::ClientGone);
    });
}

/// A placeholder for systems where this is not supported: the end of the input has to suffice.
#[cfg(not(unix))]
pub(super) fn watch(_process: Option<i32>, _events: Sender<Event>) {}
