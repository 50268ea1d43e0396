use std::fmt;

use marotte_pcore::mismatch::{Mismatch, MismatchKind, PathElement};
use marotte_text::Str;

use crate::data::Step;

/// Why a lookup ends without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupError {
    /// What kind of error it is.
    pub kind: ErrorKind,
    /// What is wrong.
    pub message: String,
    /// The `hiera.yaml` that is at fault, and the line in it.
    pub place: Option<(Str, Option<u32>)>,
    /// The part of that file that is at fault, if it is known better than by its line.
    pub part: Option<Box<ConfigPart>>,
    /// The variable that is not there.
    pub(crate) variable: Option<Str>,
}

/// A part of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigPart {
    /// The way to it, from the top.
    pub steps: Box<[Step]>,
    /// Of what stands there, only this key.
    pub key: Option<Str>,
}

impl ConfigPart {
    /// What does not fit the type that a configuration must have. None if that is all of it.
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
        LookupError {
            kind: ErrorKind::Lookup,
            message: message.into(),
            place: None,
            part: None,
            variable: None,
        }
    }

    /// That a level is one of Hiera 3, with which Puppet 8 does not come.
    pub(crate) fn no_hiera3() -> LookupError {
        LookupError::new("Hiera 3 is not installed")
    }

    /// An error of what Hiera uses.
    pub fn other(message: impl Into<String>) -> LookupError {
        LookupError { kind: ErrorKind::Other, ..LookupError::new(message) }
    }

    /// The same, of a part of the configuration.
    pub(crate) fn at(self, steps: impl IntoIterator<Item = Step>, key: Option<&str>) -> LookupError {
        let part = ConfigPart { steps: steps.into_iter().collect(), key: key.map(Str::from) };
        LookupError { part: Some(Box::new(part)), ..self }
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
