use std::fmt;

use marotte_text::Str;

/// Why a lookup ends without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// The `hiera.yaml` that is at fault, and the line in it.
    pub place: Option<(Str, Option<u32>)>,
    /// The variable that is not there.
    pub(crate) variable: Option<Str>,
}

/// Kinds of errors. They matter because layers around pass some on, and wrap others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// One of the issues H30, in kebab case.
    Issue(&'static str),
    /// Hiera's, without an issue.
    Lookup,
    /// What the global layer makes of one of Hiera's.
    Failed,
    /// Of what Hiera uses: the type system, merging, scopes.
    Other,
    /// A variable that is not there.
    Undefined,
}

impl LookupError {
    /// An error of Hiera that no issue stands for.
    pub fn new(message: impl Into<String>) -> LookupError {
        LookupError { kind: ErrorKind::Lookup, message: message.into(), place: None, variable: None }
    }

    /// That a level is one of Hiera 3, with which Puppet 8 does not come.
    pub(crate) fn no_hiera3() -> LookupError {
        LookupError::new("Hiera 3 is not installed")
    }

    /// An error of what Hiera uses.
    pub fn other(message: impl Into<String>) -> LookupError {
        LookupError { kind: ErrorKind::Other, ..LookupError::new(message) }
    }

    /// One of the issues H30.
    pub fn issue(issue: &'static str, message: impl Into<String>) -> LookupError {
        LookupError { kind: ErrorKind::Issue(issue), ..LookupError::new(message) }
    }
}

impl fmt::Display for LookupError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for LookupError {}

/// What ends a lookup: an error of its own, or something that the outside raised.
#[derive(Clone, Debug)]
pub enum Fault<E> {
    /// Hiera's own.
    Lookup(Box<LookupError>),
    /// Of a function that Hiera called, or a lambda.
    Outside(E),
}

impl<E> From<LookupError> for Fault<E> {
    fn from(error: LookupError) -> Fault<E> {
        Fault::Lookup(Box::new(error))
    }
}
