use std::fmt;

use marotte_pcore::value::Value;

use crate::{Place, ReadError, Undecided};

/// Why a program has no value.
#[derive(Clone, Debug)]
pub struct EvaluationError {
    /// The issue of the reference that it is, in kebab case.
    pub issue: &'static str,
    /// What is wrong.
    pub message: String,
    /// What was being evaluated, for errors that no expression stands for.
    pub during: Option<&'static str>,
    /// Where.
    pub place: Option<Place>,
    /// Places beside its own; none if there are none.
    pub(crate) others: Option<Box<OtherPlaces>>,
}

/// Places that belong to an error beside its own.
#[derive(Clone, Debug, Default)]
pub struct OtherPlaces {
    /// What the message is about, too: earlier declarations.
    pub related: Vec<Place>,
    /// The resources whose bodies were being evaluated, innermost first.
    pub within: Vec<Place>,
    /// Where to look, if the error is of no place.
    pub hint: Option<Place>,
}

impl EvaluationError {
    /// An error of its own kind.
    pub fn new(issue: &'static str, message: impl Into<String>) -> EvaluationError {
        EvaluationError { issue, message: message.into(), during: None, place: None, others: None }
    }

    /// An error that a function or conversion raises, about what it does rather than about the expression.
    pub fn runtime(message: impl Into<String>) -> EvaluationError {
        EvaluationError::new("runtime-error", message)
    }

    /// Places beside its own.
    pub fn others(&self) -> OtherPlaces {
        self.others.as_deref().cloned().unwrap_or_default()
    }

    /// The same, to add some.
    pub fn others_mut(&mut self) -> &mut OtherPlaces {
        self.others.get_or_insert_default()
    }

    /// At an expression, unless it has a place already.
    #[must_use]
    pub fn at(mut self, place: Place) -> EvaluationError {
        self.place.get_or_insert(place);
        self
    }
}

impl From<ReadError> for EvaluationError {
    fn from(error: ReadError) -> EvaluationError {
        EvaluationError::runtime(error.0)
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

/// What ends evaluation before its end.
#[derive(Clone, Debug)]
pub enum Unwind {
    /// An error.
    Error(Box<EvaluationError>),
    /// `next(value)`: ends the lambda or function.
    Next(Box<(Value, Place)>),
    /// `return(value)`: ends the function.
    Return(Box<(Value, Place)>),
    /// `break()`: ends the iteration.
    Break(Box<Place>),
    /// `$context.not_found`: ends the function that Hiera called for data.
    NotFound(Box<Place>),
    /// A decision depends on what is not known: ends the body of the class, node or resource.
    Undecided(Box<Undecided>),
}

impl Unwind {
    /// The error that it is where nothing is left to end (C43).
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
