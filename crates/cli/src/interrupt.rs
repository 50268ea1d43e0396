//! Interrupts, for commands that run until interrupted.

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
