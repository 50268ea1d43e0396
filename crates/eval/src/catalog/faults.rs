//! After an error, what has nothing to do with it is still evaluated, and its errors are told, too.
//!
//! The statement with the error ends; those after it in the same body are evaluated, and so are other bodies. What only
//! follows from the error is not told.

use std::sync::Arc;

use marotte_hir::ExprId;

use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Place, Unwind};

/// Issues that may be there only because of an error before: something was not set or declared, or all that is allowed has
/// been used up.
const MAY_FOLLOW: [&str; 6] = [
    "unknown-variable",
    "unknown-resource",
    "missing-multi-assignment-variable",
    "hiera-undefined-variable",
    "iteration-limit",
    "copy-limit",
];

/// What tells errors apart: the same one in a body that is evaluated again is told once.
pub(crate) type Told = (String, usize, Option<ExprId>);

impl Interpreter<'_> {
    /// Evaluates the statements of a class, resource type, node, or of what is outside of these. The errors of each are noted.
    pub(super) fn statements_by_themselves(&mut self, env: &Env<'_>, statements: &[ExprId]) -> Evaluated<()> {
        for id in statements {
            match self.eval(env, *id) {
                Err(Unwind::Error(error)) => self.note_error(*error),
                Err(other) => return Err(other),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// Notes an error, unless it may only follow from one that is known.
    pub(super) fn note_error(&mut self, mut error: EvaluationError) {
        let Some(state) = &mut self.catalog else { return };
        if !state.errors.is_empty() && MAY_FOLLOW.contains(&error.issue) {
            return;
        }
        let origin = error.place.as_ref().map_or(0, |it| Arc::as_ptr(&it.origin).addr());
        let expr = error.place.as_ref().and_then(|it: &Place| it.expr);
        if !state.told.insert((error.message.clone(), origin, expr)) {
            return;
        }
        match (&error.place, state.evaluating.clone()) {
            (None, place) => error.place = place,
            (Some(_), Some(place)) => error.others_mut().within.push(place),
            (Some(_), None) => {}
        }
        state.errors.push(error);
    }

    /// Notes the error of something that is done by itself, if there is one.
    pub(super) fn noted(&mut self, result: Evaluated<()>) {
        if let Err(unwind) = result {
            self.note_error(unwind.into_error());
        }
    }

    /// Whether there has been an error, so that what is missing may be missing because of it.
    pub(crate) fn is_after_error(&self) -> bool {
        self.catalog.as_ref().is_some_and(|it| !it.errors.is_empty())
    }
}
