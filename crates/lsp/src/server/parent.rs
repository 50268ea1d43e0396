//! A server ends with the process that started it, even if nobody closes the pipe.

use crossbeam_channel::Sender;

use crate::event::Event;

/// Tells when the process of this number has ended.
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
        // Nobody listens any more when the session has ended before.
        let _ = events.send(Event::ClientGone);
    });
}

/// The end of its input has to do here.
#[cfg(not(unix))]
pub(super) fn watch(_process: Option<i32>, _events: Sender<Event>) {}
