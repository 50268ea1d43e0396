//! Continuation after errors: unrelated code is still evaluated, and its errors are reported, too.
//!
//! Evaluation of the statement with the error ends; the statements after it in the same body are evaluated, and so are
//! other bodies. Mere consequences of the error are not reported.

use marotte_diagnostics::{Rule, issues, rules};
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Target, TargetKind};
use marotte_text::{Str, is_qualified, unrooted};

use super::State;
use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Place, Unwind};

/// The issue of an error that is a consequence of an earlier one. It is not reported.
const FOLLOWS: &Rule = issues::FOLLOWS_FROM_ANOTHER_ERROR;

/// Issues that may be mere consequences of an earlier error: something was not set or declared, or a limit has been
/// exhausted.
const MAY_FOLLOW: [&Rule; 9] = [
    FOLLOWS,
    issues::UNKNOWN_RESOURCE,
    issues::MISSING_MULTI_ASSIGNMENT_VARIABLE,
    issues::HIERA_UNDEFINED_VARIABLE,
    issues::ITERATION_LIMIT,
    issues::COPY_LIMIT,
    issues::STEP_LIMIT,
    issues::MEMORY_LIMIT,
    issues::TIME_LIMIT,
];

/// The identity of an error: the same one in a body that is evaluated again is reported once.
pub(crate) type Told = (String, usize, Option<ExprId>);

impl Interpreter<'_> {
    /// Evaluates the statements of a class, defined type or node, or of the code outside of these. The errors of each
    /// statement are recorded.
    pub(super) fn statements_by_themselves(&mut self, env: &Env<'_>, statements: &[ExprId]) -> Evaluated<()> {
        let mut is_faulty = false;
        for (index, id) in statements.iter().enumerate() {
            match self.eval(env, *id) {
                Err(Unwind::Error(error)) => {
                    self.note_error(*error);
                    // Names are never removed.
                    if !std::mem::replace(&mut is_faulty, true) {
                        self.state()?.unset.extend(assigned(&env.code.body));
                    }
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

    /// Records an error, unless it may be a mere consequence of a recorded one.
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
        // A statement may declare many resources, all of them with the same attributes.
        let is_of_statement = error.issue == rules::UNKNOWN_PARAMETER;
        let what = if is_of_statement { error.issue.name.to_owned() } else { error.message.clone() };
        if !state.told.insert((what, origin, expr)) {
            return;
        }
        state.errors.push(error);
    }

    /// Records the error of an independent step, if there is one.
    pub(super) fn noted(&mut self, result: Evaluated<()>) {
        if let Err(unwind) = result {
            self.note_error(unwind.into_error());
        }
    }

    /// The issue for reading a variable without a value, depending on whether an earlier error may explain that.
    pub(crate) fn unknown_variable_issue(&self, name: &str) -> &'static Rule {
        let is_missing = |state: &State| {
            let is_qualified = is_qualified(unrooted(name));
            is_qualified || state.unset.contains(unrooted(name))
        };
        match &self.catalog {
            Some(state) if !state.errors.is_empty() && is_missing(state) => FOLLOWS,
            _ => issues::UNKNOWN_VARIABLE,
        }
    }

    /// Whether there has been an error, so that anything missing may be missing because of it.
    pub(super) fn is_after_error(&self) -> bool {
        self.catalog.as_ref().is_some_and(|it| !it.errors.is_empty())
    }
}

/// The names of the variables that a body assigns.
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
