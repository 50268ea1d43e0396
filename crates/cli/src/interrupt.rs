//! Interrupts, for commands that run until there is one.

use std::process;
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use marotte_project::watch::Signal;

use crate::failure::Failure;

/// How long what runs has to notice that it is to stop. Nobody waits for it any longer: nothing is lost with it.
const PATIENCE: Duration = Duration::from_millis(700);

/// Sends a signal to stop when the user interrupts the program, which then ends soon, whatever it does.
pub(crate) fn stop_on_interrupt(signals: Sender<Signal>) -> Result<(), Failure> {
    ctrlc::set_handler(move || {
        // The loop has ended already if it does not listen.
        let _ = signals.send(Signal::Stop);
        thread::spawn(|| {
            thread::sleep(PATIENCE);
            process::exit(0);
        });
    })
    .map_err(|error| format!("cannot react to interrupts: {error}").into())
}
