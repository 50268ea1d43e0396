use std::fmt;
use std::sync::Arc;

/// A pattern is not a regular expression, or not one that can be matched here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    /// What is wrong, in the words of the reference where it finds the same fault.
    pub message: String,
    /// Where it is, as a byte offset into the pattern.
    pub position: usize,
    /// Whether Ruby takes the pattern, and only the translation has no equivalent for it.
    pub unsupported: bool,
    /// The pattern.
    pub source: Arc<str>,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.message)?;
        if self.unsupported {
            write!(out, " at position {}", self.position)?;
        }
        write!(out, ": /{}/", self.source)
    }
}

impl std::error::Error for RegexpError {}

/// A match was given up: the pattern needs more steps, or more memory, than a match may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchError {
    /// The pattern.
    pub source: Arc<str>,
}

impl fmt::Display for MatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "matching takes too many steps: /{}/", self.source)
    }
}

impl std::error::Error for MatchError {}

/// A fault, before it is known in which pattern.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) position: usize,
    pub(super) unsupported: bool,
}

impl Fault {
    /// What Ruby refuses too.
    pub(super) fn invalid(position: usize, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), position, unsupported: false }
    }

    /// What Ruby takes, and the translation cannot express.
    pub(super) fn unsupported(position: usize, construct: impl fmt::Display) -> Fault {
        Fault { message: format!("{construct} is not supported"), position, unsupported: true }
    }

    pub(super) fn in_source(self, source: &Arc<str>) -> RegexpError {
        RegexpError {
            message: self.message,
            position: self.position,
            unsupported: self.unsupported,
            source: source.clone(),
        }
    }
}
