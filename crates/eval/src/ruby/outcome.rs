//! The outcome of an evaluation of Ruby code.

use marotte_diagnostics::issues;
use marotte_ruby_eval::stop::{Result, Stop};
use marotte_ruby_eval::{Value as RubyValue, Vm};

use super::{Answer, NotEvaluated};
use crate::interpreter::Evaluated;
use crate::{EvaluationError, Unwind};

/// The class of the exception of a lookup without a value. Ruby code may rescue it.
pub(super) const LOOKUP_ERROR: &str = "Puppet::DataBinding::LookupError";

/// The outcome of an evaluation of Ruby code.
pub(crate) enum Outcome<T> {
    /// A result.
    Value(T),
    /// An exception that was not rescued.
    Raised(Raised),
    /// A feature that is not implemented, or a value that is not known.
    NotEvaluated(NotEvaluated),
}

/// An exception that was not rescued.
pub(crate) struct Raised {
    /// The message.
    pub(crate) message: String,
    /// The path of the file or template and the line in it, if they are known.
    pub(crate) place: Option<(String, u32)>,
}

/// Converts the result of an evaluation.
pub(super) fn of<T>(vm: &mut Vm<'_>, result: Result<T>) -> Evaluated<Outcome<T>> {
    let stop = match result {
        Ok(value) => return Ok(Outcome::Value(value)),
        Err(stop) => *stop,
    };
    if matches!(stop, Stop::Unsupported(_) | Stop::Unknown(_) | Stop::Exhausted(_) | Stop::Throw { .. }) {
        vm.doubt_kept_state();
    }
    Ok(match stop {
        Stop::Raise(exception) => match raised(vm, &exception) {
            Outcome::Raised(it) if vm.is_a(&exception, LOOKUP_ERROR) => {
                return Err(EvaluationError::new(issues::LOOKUP_ERROR, it.message).into());
            }
            outcome => outcome,
        },
        Stop::Unsupported(it) => {
            Outcome::NotEvaluated(NotEvaluated::Unsupported(format!("{it} is not implemented")))
        }
        Stop::Unknown(by) => Outcome::NotEvaluated(NotEvaluated::Unknown(by)),
        // With the values themselves, the budget might have been enough.
        Stop::Exhausted(message) if vm.has_unknown() => {
            Outcome::NotEvaluated(NotEvaluated::Unsupported(message))
        }
        Stop::Exhausted(message) => return Err(EvaluationError::new(issues::RUBY_LIMIT, message).into()),
        Stop::Host(control) => match control.downcast::<Unwind>() {
            Ok(unwind) => return Err(*unwind),
            Err(_) => Outcome::NotEvaluated(NotEvaluated::Unsupported("such control flow".to_owned())),
        },
        // Code around the call from Puppet code catches it.
        Stop::Throw { .. } => {
            let reason = "a throw out of the Ruby code is not implemented";
            Outcome::NotEvaluated(NotEvaluated::Unsupported(reason.to_owned()))
        }
        Stop::Break { .. } | Stop::Next(_) | Stop::Redo | Stop::Retry | Stop::Return { .. } => {
            let reason = "a jump out of the Ruby code is not implemented";
            Outcome::NotEvaluated(NotEvaluated::Unsupported(reason.to_owned()))
        }
    })
}

fn raised<T>(vm: &mut Vm<'_>, exception: &RubyValue) -> Outcome<T> {
    let place = vm.exception_place(exception);
    match vm.call(exception, "message", &[]).and_then(|it| vm.to_s(&it)) {
        Ok(message) => Outcome::Raised(Raised { message: message.lossy(), place }),
        Err(_) => Outcome::NotEvaluated(NotEvaluated::Unsupported("the message of an exception".to_owned())),
    }
}

impl<T> Outcome<T> {
    /// The result, or the reason why there is none; an exception is an error.
    pub(super) fn answer(self) -> Evaluated<Answer<T>> {
        match self {
            Outcome::Value(value) => Ok(Ok(value)),
            Outcome::Raised(raised) => Err(EvaluationError::runtime(raised.message).into()),
            Outcome::NotEvaluated(reason) => Ok(Err(reason)),
        }
    }
}
