//! After an error, what has nothing to do with it is still evaluated, and its errors are told, too.
//!
//! The statement with the error ends; those after it in the same body are evaluated, and so are other bodies. What only
//! follows from the error is not told.

use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Target, TargetKind};
use marotte_text::{Str, is_qualified, unrooted};

use super::State;
use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Place, Unwind};

/// The issue of what is wrong because of an error before. It is not told.
const FOLLOWS: &str = "follows-from-another-error";

/// Issues that may be there only because of an error before: something was not set or declared, or all that is allowed has
/// been used up.
const MAY_FOLLOW: [&str; 9] = [
    FOLLOWS,
    "unknown-resource",
    "missing-multi-assignment-variable",
    "hiera-undefined-variable",
    "iteration-limit",
    "copy-limit",
    "step-limit",
    "memory-limit",
    "time-limit",
];

/// What tells errors apart: the same one in a body that is evaluated again is told once.
pub(crate) type Told = (String, usize, Option<ExprId>);

impl Interpreter<'_> {
    /// Evaluates the statements of a class, resource type, node, or of what is outside of these. The errors of each are noted.
    pub(super) fn statements_by_themselves(&mut self, env: &Env<'_>, statements: &[ExprId]) -> Evaluated<()> {
        for (index, id) in statements.iter().enumerate() {
            match self.eval(env, *id) {
                Err(Unwind::Error(error)) => {
                    self.note_error(*error);
                    self.state()?.unset.extend(assigned(&env.code.body));
                }
                Err(Unwind::Undecided(it)) => {
                    return Err(self.skip_rest(env, statements.get(index + 1..).unwrap_or_default(), it));
                }
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
        match (&error.place, state.evaluating.clone()) {
            (None, place) => error.place = place,
            (Some(_), Some(place)) => error.others_mut().within.push(place),
            (Some(_), None) => {}
        }
        let origin = error.place.as_ref().map_or(0, |it| Arc::as_ptr(&it.origin).addr());
        let expr = error.place.as_ref().and_then(|it: &Place| it.expr);
        let what = match error.issue {
            // A statement may declare many resources, all of them with the same attributes.
            "unknown-parameter" => error.issue.to_owned(),
            _ => error.message.clone(),
        };
        if !state.told.insert((what, origin, expr)) {
            return;
        }
        state.errors.push(error);
    }

    /// Notes the error of something that is done by itself, if there is one.
    pub(super) fn noted(&mut self, result: Evaluated<()>) {
        if let Err(unwind) = result {
            self.note_error(unwind.into_error());
        }
    }

    /// The issue of reading a variable that has no value: whether it may have none because of an error.
    pub(crate) fn unknown_variable_issue(&self, name: &str) -> &'static str {
        let is_missing = |state: &State| {
            let is_qualified = is_qualified(unrooted(name));
            is_qualified || state.unset.contains(unrooted(name))
        };
        match &self.catalog {
            Some(state) if !state.errors.is_empty() && is_missing(state) => FOLLOWS,
            _ => "unknown-variable",
        }
    }

    /// Whether there has been an error, so that what is missing may be missing because of it.
    pub(super) fn is_after_error(&self) -> bool {
        self.catalog.as_ref().is_some_and(|it| !it.errors.is_empty())
    }
}

/// The names of the variables that a body sets.
fn assigned(body: &Body) -> Vec<Str> {
    let mut names = Vec::new();
    let mut open: Vec<&Target> = body
        .exprs()
        .filter_map(|(_, expr)| match expr {
            Expr::Assign { target, .. } => Some(&**target),
            _ => None,
        })
        .collect();
    while let Some(target) = open.pop() {
        match &target.kind {
            TargetKind::Variable(name, _) => names.push(name.clone()),
            TargetKind::Several(targets) => open.extend(targets.iter()),
            TargetKind::Other => {}
        }
    }
    names
}
