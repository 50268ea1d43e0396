use marotte_diagnostics::{Rule, issues};
use std::fmt;

use marotte_pcore::value::Value;

use crate::{Place, ReadError, Undecided};

/// An error of evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationError {
    /// The rule or issue that the error belongs to.
    pub issue: &'static Rule,
    /// The message, without a place.
    pub message: String,
    /// The operation being evaluated, for errors that belong to no expression.
    pub during: Option<&'static str>,
    /// The place of the error. None if it isn't in code.
    pub place: Option<Place>,
    /// Whether the error says that a value is not known: no code can rescue it.
    pub(crate) is_unanswered: bool,
    /// Related places, if there are any.
    pub(crate) others: Option<Box<OtherPlaces>>,
}

/// Places related to an error, in addition to its own.
#[derive(Clone, Debug, Default)]
pub struct OtherPlaces {
    /// Other places that the message is about: earlier declarations.
    pub related: Vec<Place>,
    /// The resources whose bodies were being evaluated, innermost first.
    pub within: Vec<Place>,
    /// The place to examine if the error itself has no place.
    pub hint: Option<Place>,
    /// The line of the ERB template that was rendered, from 1: its code has no expressions to point at.
    pub line: Option<u32>,
}

impl EvaluationError {
    /// Creates an error with an issue of its own.
    pub fn new(issue: &'static Rule, message: impl Into<String>) -> EvaluationError {
        EvaluationError {
            issue,
            message: message.into(),
            during: None,
            place: None,
            is_unanswered: false,
            others: None,
        }
    }

    /// Creates an error raised by a function or conversion, about its operation rather than about the expression.
    pub fn runtime(message: impl Into<String>) -> EvaluationError {
        EvaluationError::new(issues::RUNTIME_ERROR, message)
    }

    /// Returns the related places of the error.
    pub fn others(&self) -> OtherPlaces {
        self.others.as_deref().cloned().unwrap_or_default()
    }

    /// The related places, for adding some.
    pub fn others_mut(&mut self) -> &mut OtherPlaces {
        self.others.get_or_insert_default()
    }

    /// Sets the place to an expression, unless there is one already.
    #[must_use]
    pub fn at(mut self, place: Place) -> EvaluationError {
        self.place.get_or_insert(place);
        self
    }
}

impl From<ReadError> for EvaluationError {
    fn from(error: ReadError) -> EvaluationError {
        EvaluationError { is_unanswered: true, ..EvaluationError::runtime(error.0) }
    }
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(label) = self.during {
            let article = if label.starts_with(['A', 'E', 'I', 'O', 'U', 'a', 'e', 'i', 'o', 'u']) {
                "an"
            } else {
                "a"
            };
            write!(out, "Error while evaluating {article} {label}, ")?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for EvaluationError {}

/// A reason why evaluation ends early.
#[derive(Clone, Debug)]
pub enum Unwind {
    /// An error that ends the evaluation.
    Error(Box<EvaluationError>),
    /// `next(value)`: ends the lambda or function.
    Next(Box<(Value, Place)>),
    /// `return(value)`: ends the function.
    Return(Box<(Value, Place)>),
    /// `break()`: ends the iteration.
    Break(Box<Place>),
    /// `$context.not_found`: ends the function that Hiera called for data.
    NotFound(Box<Place>),
    /// A decision depends on an unknown value: ends the body of the class, node or resource.
    Undecided(Box<Undecided>),
}

impl Unwind {
    /// Converts to the error that it is if there is nothing left to end (C43).
    pub fn into_error(self) -> EvaluationError {
        let illegal = |what: &str, place| {
            EvaluationError::runtime(format!("{what}() from context where this is illegal")).at(place)
        };
        match self {
            Unwind::Error(error) => *error,
            Unwind::Next(it) => illegal("next", it.1),
            Unwind::Return(it) => illegal("return", it.1),
            Unwind::Break(it) => illegal("break", *it),
            Unwind::NotFound(it) => illegal("not_found", *it),
            Unwind::Undecided(it) => it.into_error(),
        }
    }
}

impl From<ReadError> for Unwind {
    fn from(error: ReadError) -> Unwind {
        EvaluationError::from(error).into()
    }
}

impl From<EvaluationError> for Unwind {
    fn from(error: EvaluationError) -> Unwind {
        Unwind::Error(Box::new(error))
    }
}
