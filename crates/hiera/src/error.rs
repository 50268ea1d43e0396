use std::fmt;

use marotte_pcore::mismatch::{Mismatch, MismatchKind, PathElement};
use marotte_text::Str;

use crate::data::Step;

/// The error that a lookup ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// The kind of the error.
    pub kind: ErrorKind,
    /// The message of the error.
    pub message: String,
    /// The `hiera.yaml` that caused the error, and the line in it.
    pub place: Option<(Str, Option<u32>)>,
    /// The part of that file that caused the error, if it is known more precisely than by its line.
    pub part: Option<Box<ConfigPart>>,
    /// The name of the missing variable.
    pub(crate) variable: Option<Str>,
}

/// A part of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigPart {
    /// The path of the part, from the top.
    pub steps: Box<[Step]>,
    /// The key in the hash at that path, if only the key is meant.
    pub key: Option<Str>,
}

impl ConfigPart {
    /// Returns the part that violates the type of configurations. `None` for the whole configuration.
    pub(crate) fn of_mismatch(mismatch: &Mismatch) -> Option<ConfigPart> {
        let mut key = match &mismatch.kind {
            MismatchKind::ExtraneousKey(key) => Some(key.clone()),
            _ => None,
        };
        let mut steps = Vec::new();
        for element in &mismatch.path {
            match element {
                PathElement::EntryValue(key) => steps.push(Step::Key(key.clone())),
                PathElement::Index(index) => steps.push(Step::Index(*index)),
                PathElement::EntryKey(it) => key = Some(it.clone()),
                _ => {}
            }
        }
        (key.is_some() || !steps.is_empty()).then(|| ConfigPart { steps: steps.into(), key })
    }
}

/// Kinds of errors. They matter because outer layers pass some on and wrap others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An issue of H30, in kebab case.
    Issue(&'static str),
    /// An error of Hiera without an issue code.
    Lookup,
    /// A `Lookup` error that the global layer has wrapped.
    Failed,
    /// An error of a component that Hiera uses: the type system, merging, scopes.
    Other,
    /// A variable that doesn't exist.
    Undefined,
}

impl LookupError {
    /// Creates an error of Hiera without an issue code.
    pub fn new(message: impl Into<String>) -> LookupError {
        LookupError {
            kind: ErrorKind::Lookup,
            message: message.into(),
            place: None,
            part: None,
            variable: None,
        }
    }

    /// The error for a level that uses a Hiera 3 backend, which isn't included in Puppet 8.
    pub(crate) fn no_hiera3() -> LookupError {
        LookupError::new("Hiera 3 is not installed")
    }

    /// Creates an error of a component that Hiera uses.
    pub fn other(message: impl Into<String>) -> LookupError {
        LookupError { kind: ErrorKind::Other, ..LookupError::new(message) }
    }

    /// Attaches a part of the configuration to the error.
    pub(crate) fn at(self, steps: impl IntoIterator<Item = Step>, key: Option<&str>) -> LookupError {
        let part = ConfigPart { steps: steps.into_iter().collect(), key: key.map(Str::from) };
        LookupError { part: Some(Box::new(part)), ..self }
    }

    /// Creates an error with one of the issues in H30.
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

/// The reason why a lookup ended: an error of its own, or one that the outside raised.
#[derive(Clone, Debug)]
pub enum Fault<E> {
    /// An error of Hiera.
    Lookup(Box<LookupError>),
    /// An error of a function or lambda that Hiera called.
    Host(E),
}

impl<E> From<LookupError> for Fault<E> {
    fn from(error: LookupError) -> Fault<E> {
        Fault::Lookup(Box::new(error))
    }
}
