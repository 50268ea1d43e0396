use std::fmt;
use std::sync::Arc;

/// The error for a pattern that isn't a regular expression, or isn't supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexpError {
    /// The error, in the words of the reference if it reports the same one.
    pub message: String,
    /// The byte offset of the error in the pattern.
    pub position: usize,
    /// Whether the pattern is valid in Ruby, but can't be translated.
    pub unsupported: bool,
    /// The pattern as written.
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

/// The error for an aborted match: the pattern needs more steps, or more memory, than the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchError {
    /// The pattern as written.
    pub source: Arc<str>,
    /// Whether the groups of the pattern can't be found, rather than whether it matches.
    pub lacks_groups: bool,
}

impl fmt::Display for MatchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lacks_groups {
            return write!(
                out,
                "the match of a repeated group that may be empty is not supported: /{}/",
                self.source
            );
        }
        write!(out, "matching takes too many steps: /{}/", self.source)
    }
}

impl std::error::Error for MatchError {}

/// An error whose pattern isn't attached yet.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) position: usize,
    pub(super) unsupported: bool,
    /// Whether only what groups capture can't be translated.
    pub(super) is_about_groups: bool,
}

impl Fault {
    /// An error that Ruby reports, too.
    pub(super) fn invalid(position: usize, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), position, unsupported: false, is_about_groups: false }
    }

    /// An error for a construct that is valid in Ruby, but can't be translated.
    pub(super) fn unsupported(position: usize, construct: impl fmt::Display) -> Fault {
        let message = format!("{construct} is not supported");
        Fault { message, position, unsupported: true, is_about_groups: false }
    }

    /// An error for groups whose matches the engines don't find.
    pub(super) fn groups(construct: impl fmt::Display) -> Fault {
        Fault { is_about_groups: true, ..Fault::unsupported(0, construct) }
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
