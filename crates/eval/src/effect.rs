use marotte_diagnostics::Rule;
use std::fmt;
use std::sync::Arc;

use crate::Place;

/// An effect of evaluation on the outside. The list is closed: catalogs add to it, functions do not.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A log message of the program.
    Log(Log),
}

/// A message of the program, or about it.
#[derive(Clone, Debug)]
pub struct Log {
    /// The severity of the message.
    pub level: Level,
    /// The text of the message.
    pub message: String,
    /// The issue, for messages about the program rather than by it.
    pub issue: Option<&'static Rule>,
    /// The place of the logging call.
    pub place: Option<Place>,
    /// The resource in whose scope a program logged it, outside of the main class.
    pub scope: Option<Arc<str>>,
}

/// The severity of a message (E1, E2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A message for debugging.
    Debug,
    /// A message with details.
    Info,
    /// A normal but significant message.
    Notice,
    /// A message about a possible problem.
    Warning,
    /// A message about an error.
    Err,
    /// An error that requires immediate action.
    Alert,
    /// The system is unusable.
    Emerg,
    /// A message about a critical error.
    Crit,
}

impl Level {
    /// The name, which is also that of the logging function.
    pub fn name(self) -> &'static str {
        match self {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Notice => "notice",
            Level::Warning => "warning",
            Level::Err => "err",
            Level::Alert => "alert",
            Level::Emerg => "emerg",
            Level::Crit => "crit",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A sink for effects.
pub trait Effects {
    /// Takes one effect; called in the order in which they happen.
    fn emit(&mut self, effect: Effect);
}

impl Effects for Vec<Effect> {
    fn emit(&mut self, effect: Effect) {
        self.push(effect);
    }
}
