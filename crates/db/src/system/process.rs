//! Programs that exchange messages with marotte over pipes: a second trait for the outside world.

use std::fmt;
use std::io;
use std::panic::RefUnwindSafe;
use std::time::Duration;

/// The largest message, in bytes.
pub const MESSAGE_LIMIT: usize = 64 << 20;

/// The program to start. Its environment consists of `environment` alone, and it inherits no descriptor but its three pipes.
#[derive(Clone, Debug)]
pub struct Program<'a> {
    /// The name or path. A name is searched in the folders of `PATH` of `environment`.
    pub program: &'a str,
    /// The arguments. No shell interprets them.
    pub arguments: &'a [&'a str],
    /// The variables of the environment.
    pub environment: &'a [(&'a str, &'a str)],
}

/// The machine's interface for starting programs.
pub trait Processes: fmt::Debug + Send + Sync + RefUnwindSafe {
    /// Starts a program. Never called without the user's permission.
    ///
    /// # Errors
    /// If the program cannot be started.
    fn start(&self, program: &Program<'_>) -> io::Result<Box<dyn Process>>;

    /// Runs a command (a path and its arguments), in the current folder and with the environment of marotte, and returns its standard
    /// output. After the time it is ended, with the processes that it started. Never called without the user's permission.
    ///
    /// # Errors
    /// If the command cannot be run, does not succeed, or has not ended in time, or if its output has more than `limit` bytes. A
    /// message that describes it.
    fn output(&self, command: &[&str], time: Duration, limit: usize) -> Result<Vec<u8>, String>;
}

/// The result of waiting for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A complete message.
    Message(Vec<u8>),
    /// No message arrived within the time.
    Nothing,
    /// The program wrote bytes that are not a message.
    Garbled,
    /// The program closed its output.
    End,
}

/// A started program. Dropping it ends the program.
///
/// A message is the number of its bytes in decimal digits, a line feed, and the bytes, at most [`MESSAGE_LIMIT`].
pub trait Process: fmt::Debug + Send {
    /// Sends a message without waiting until the program reads it. Messages to a program that doesn't read are lost.
    fn send(&mut self, message: Vec<u8>);

    /// Waits for the next message, for a limited time.
    fn receive(&mut self, wait: Duration) -> Received;

    /// Ends the program and the processes that it started, and waits until it has ended. Returns how it ended, with what it
    /// wrote to standard error: `it ended with status 1: no such file`.
    fn end(&mut self) -> String;
}
