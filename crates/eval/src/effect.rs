use std::fmt;
use std::sync::Arc;

use crate::Place;

/// What evaluation does to the outside. The list is closed: catalogs add to it, functions do not.
#[derive(Clone, Debug)]
pub enum Effect {
    /// A message.
    Log(Log),
}

/// A message of the program, or about it.
#[derive(Clone, Debug)]
pub struct Log {
    /// How loud.
    pub level: Level,
    /// The text.
    pub message: String,
    /// The issue, for messages about the program rather than of it.
    pub issue: Option<&'static str>,
    /// Where it was logged.
    pub place: Option<Place>,
    /// The resource in whose scope a program logged it, outside of the main class.
    pub scope: Option<Arc<str>>,
}

/// How loud a message is (E1, E2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// For those who look for mistakes.
    Debug,
    /// For those who want to know more.
    Info,
    /// Worth seeing.
    Notice,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Err,
    /// Something is wrong, and somebody must act at once.
    Alert,
    /// The system does not work.
    Emerg,
    /// Something is wrong that matters most.
    Crit,
}

impl Level {
    /// The name, which is that of the function that logs so.
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

/// Where effects go.
pub trait Effects {
    /// Takes one, in the order in which they happen.
    fn emit(&mut self, effect: Effect);
}

impl Effects for Vec<Effect> {
    fn emit(&mut self, effect: Effect) {
        self.push(effect);
    }
}
