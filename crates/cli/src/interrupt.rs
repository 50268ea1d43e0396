//! Signals: interrupts, for commands that run until interrupted, and the limit on the size of files.

use std::process;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use marotte_project::watch::Signal;

use crate::failure::Failure;

/// The time that a running command has to notice an interrupt. After that the process ends without losing data.
const PATIENCE: Duration = Duration::from_millis(700);

/// Sends a stop signal when the user interrupts the program, which ends soon after, even if it is busy.
pub(crate) fn stop_on_interrupt(signals: Sender<Signal>) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        // The loop has already ended if the signal cannot be sent.
        let _ = signals.send(Signal::Stop);
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            process::exit(0);
        });
    })
    .map_err(|error| format!("cannot react to interrupts: {error}").into())
}

/// Lets a write fail with an error if it exceeds the limit on the size of files (`ulimit -f`), whose signal would end the process
/// without a message and with a temporary file left. Programs that the process starts still get the signal, unlike one that is
/// ignored.
#[cfg(unix)]
#[expect(unsafe_code, reason = "handlers of signals must be safe to run at any point; this one does nothing")]
pub(crate) fn let_writes_fail_beyond_the_limit() {
    use nix::sys::signal::{SigHandler, Signal, signal};

    extern "C" fn do_nothing(_: std::ffi::c_int) {}
    // SAFETY: the handler touches no state. If it cannot be set, a write beyond the limit still ends the process.
    let _ = unsafe { signal(Signal::SIGXFSZ, SigHandler::Handler(do_nothing)) };
}

#[cfg(not(unix))]
pub(crate) fn let_writes_fail_beyond_the_limit() {}
