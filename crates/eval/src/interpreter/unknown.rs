//! Unknown values: computations that only Ruby could do are requested from outside; without an answer, their value is
//! unknown.
//!
//! An unknown value flows through expressions into variables and resources. Where a decision depends on one (a branch,
//! a title, a name), the smallest expression that makes the decision is skipped: its value is unknown, its possible
//! effects are [in doubt](crate::catalog), and the rest of the body is evaluated. Only code after an expression that
//! may leave the body, like `return()`, is skipped with it.

use std::sync::Arc;

use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Callee, Expr, When, parts};
use marotte_pcore::value::{Unknown, UnknownSource, Value};

use super::{Block, Env, Evaluated, Interpreter};
use crate::catalog::{may_match, may_render};
use crate::{EvaluationError, Extension, Place, Unwind};

/// A decision that depends on an unknown value.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// The unknown value that the decision depends on.
    pub by: Arc<Unknown>,
    /// The place of the decision.
    pub place: Place,
    /// The constructs that may have been left, once the effects of the skipped code are in doubt. None before that.
    pub(crate) left: Option<Leaves>,
}

/// The constructs that skipped code may leave early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaves {
    /// The enclosing lambda or function, by `next`.
    pub(crate) block: bool,
    /// The enclosing iteration, by `break`.
    pub(crate) iteration: bool,
    /// The enclosing function, class or defined type, by `return`.
    pub(crate) function: bool,
}

impl Leaves {
    pub(crate) fn nothing(self) -> bool {
        self == Leaves::default()
    }

    fn and(self, other: Leaves) -> Leaves {
        Leaves {
            block: self.block | other.block,
            iteration: self.iteration | other.iteration,
            function: self.function | other.function,
        }
    }
}

impl Undecided {
    /// Converts to the error for contexts that can't continue without the value.
    pub(crate) fn into_error(self) -> EvaluationError {
        let message = format!("This depends on {}, which is not evaluated: its value is not known", self.by);
        EvaluationError::new(issues::UNKNOWN_VALUE, message).at(self.place)
    }

    /// Continues after a lambda, function or template has been left: returns an unknown value, or the constructs that
    /// may still be left.
    pub(crate) fn beyond(mut self: Box<Self>, absorbed: impl FnOnce(Leaves) -> Leaves) -> Evaluated {
        match self.left.map(absorbed) {
            Some(left) if left.nothing() => Ok(Value::Unknown(self.by.computed())),
            left => {
                self.left = left;
                Err(Unwind::Undecided(self))
            }
        }
    }
}

impl Interpreter<'_> {
    /// Returns the value of a computation that wasn't evaluated for the given reason. In a catalog, it is unknown.
    pub(crate) fn unanswered(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        asked: Extension<'_>,
        reason: String,
    ) -> Evaluated {
        let place = env.place(id);
        match &mut self.catalog {
            None => {
                let error = EvaluationError::runtime(reason);
                Err(EvaluationError { is_unanswered: true, ..error }.into())
            }
            Some(state) => {
                let unknown = asked.unknown();
                state.gaps.ask(&unknown, reason, &place);
                Ok(Value::Unknown(unknown))
            }
        }
    }

    /// The result for a file that may not be read, for a reason that names the function: in a catalog, what depends on
    /// it is unknown.
    pub(crate) fn refused_file(&mut self, env: &Env<'_>, id: ExprId, name: &str, reason: String) -> Unwind {
        let place = env.place(id);
        match &mut self.catalog {
            None => {
                let error = EvaluationError::runtime(reason);
                EvaluationError { is_unanswered: true, ..error }.into()
            }
            Some(state) => {
                let cause = Unknown::new(UnknownSource::File(name.into()));
                state.gaps.ask(&cause, reason, &place);
                self.undecided(env, id, cause)
            }
        }
    }

    /// Ends an expression in which an unknown value decides.
    pub(crate) fn undecided(&self, env: &Env<'_>, id: ExprId, by: Arc<Unknown>) -> Unwind {
        Unwind::Undecided(Box::new(Undecided { by, place: env.place(id), left: None }))
    }

    /// Returns a value for a decision; fails if it is unknown.
    pub(crate) fn decided(&self, env: &Env<'_>, id: ExprId, value: Value) -> Evaluated {
        match value.unknown() {
            None => Ok(value),
            Some(by) => Err(self.undecided(env, id, by)),
        }
    }

    /// The value of a call that could not be completed because of an unknown value.
    pub(crate) fn unknown_call(
        &self,
        env: &Env<'_>,
        id: ExprId,
        by: Arc<Unknown>,
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        match block {
            None => Ok(Value::Unknown(by)),
            // The lambda's possible effects are in doubt.
            Some(_) => Err(self.undecided(env, id, by)),
        }
    }

    /// Skips an undecided expression. Its value is unknown; if it may leave enclosing code, that code ends here.
    pub(super) fn skip(&mut self, env: &Env<'_>, id: ExprId, mut undecided: Box<Undecided>) -> Evaluated {
        if self.catalog.is_none() {
            return Err(Unwind::Undecided(undecided));
        }
        let body = Arc::clone(&env.code.body);
        let own = leaves(&body, &[id]);
        let left = match undecided.left {
            None => own,
            // A lambda of this call may have been left: the iteration ends here.
            Some(left) if calls_lambda(body.expr(id)) => Leaves { iteration: own.iteration, ..left.and(own) },
            Some(left) => left.and(own),
        };
        self.skip_all(env, &[id], &undecided);
        if left.nothing() {
            let by = match self.skipped_type(env, id) {
                Some(it) => undecided.by.typed(it),
                None => undecided.by.computed(),
            };
            return Ok(Value::Unknown(by));
        }
        undecided.left = Some(left);
        Err(Unwind::Undecided(undecided))
    }

    /// Skips the statements after one that may have left them.
    pub(crate) fn skip_rest(
        &mut self,
        env: &Env<'_>,
        rest: &[ExprId],
        mut undecided: Box<Undecided>,
    ) -> Unwind {
        self.skip_all(env, rest, &undecided);
        if let Some(left) = undecided.left {
            undecided.left = Some(left.and(leaves(&env.code.body, rest)));
        }
        Unwind::Undecided(undecided)
    }

    fn skip_all(&mut self, env: &Env<'_>, ids: &[ExprId], undecided: &Undecided) {
        let by = &undecided.by;
        let body = &env.code.body;
        if self.doubt(env, ids, by)
            && let Some(state) = &mut self.catalog
        {
            state.gaps.skip(by, &undecided.place);
        }
        if ids.iter().any(|id| may_render(body, *id)) {
            self.render_unknown(env, by);
        }
        if ids.iter().any(|id| may_match(body, *id)) {
            self.capture_unknown(env, by);
        }
    }
}

fn calls_lambda(expr: &Expr) -> bool {
    match expr {
        Expr::Call(it) => it.lambda.is_some(),
        Expr::MethodCall(it) => it.lambda.is_some(),
        _ => false,
    }
}

/// The constructs that evaluating expressions may leave.
fn leaves(body: &Body, ids: &[ExprId]) -> Leaves {
    let mut left = Leaves::default();
    let mut open: Vec<(bool, ExprId)> = ids.iter().map(|id| (false, *id)).collect();
    while let Some((in_lambda, id)) = open.pop() {
        let expr = body.expr(id);
        let called = match expr {
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => Some(name),
                Callee::Type(_) | Callee::Other(_) => None,
            },
            Expr::MethodCall(call) => Some(&call.name),
            _ => None,
        };
        match called.map(|it| it.strip_prefix("::").unwrap_or(it)) {
            Some("return") => left.function = true,
            Some("next") if !in_lambda => left.block = true,
            Some("break") if !in_lambda => left.iteration = true,
            _ => {}
        }
        parts(body, expr, &mut |part, when| {
            open.push((in_lambda || matches!(when, When::Called(_)), part));
        });
    }
    left
}

/// A truth value, which may be unknown.
pub(crate) enum Truth {
    Known(bool),
    Unknown(Arc<Unknown>),
}

impl Truth {
    /// Returns the logical conjunction of two truth values.
    pub(crate) fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::Unknown(by), _) | (_, Truth::Unknown(by)) => Truth::Unknown(by),
            (Truth::Known(true), Truth::Known(true)) => Truth::Known(true),
        }
    }

    /// Returns the logical disjunction of two truth values.
    pub(crate) fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (Truth::Unknown(by), _) | (_, Truth::Unknown(by)) => Truth::Unknown(by),
            (Truth::Known(false), Truth::Known(false)) => Truth::Known(false),
        }
    }

    /// Converts to a value of the language.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Truth::Known(it) => Value::Boolean(it),
            Truth::Unknown(by) => Value::Unknown(by),
        }
    }
}
