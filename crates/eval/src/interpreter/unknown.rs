//! What only Ruby could compute: the outside is asked for it, and where that has no answer, the value is unknown.
//!
//! An unknown value flows through expressions into variables and resources. Where something is decided by one (a branch, a
//! title, a name), the class, node or resource whose body decides ends, with one warning; the rest of the catalog still comes
//! out. What has no effect but its value, like a function that declares nothing, ends in an unknown value instead.

use std::collections::HashSet;
use std::sync::Arc;

use marotte_hir::ExprId;
use marotte_hir::body::{self, Body, Callee, Expr, When, parts};
use marotte_pcore::value::{Unknown, Value};
use marotte_text::Str;

use super::{Block, Env, Evaluated, Interpreter};
use crate::functions::{self, Builtin, Reach};
use crate::{EvaluationError, Extension, Place, Unwind};

/// A decision that depends on an unknown value.
#[derive(Clone, Debug)]
pub struct Undecided {
    /// On which.
    pub by: Arc<Unknown>,
    /// Where.
    pub place: Place,
}

impl Undecided {
    /// What it is where nothing goes on without it.
    pub(crate) fn into_error(self) -> EvaluationError {
        let message = format!("This depends on {}, which is not evaluated: its value is not known", self.by);
        EvaluationError::new("unknown-value", message).at(self.place)
    }
}

impl Interpreter<'_> {
    /// The value of what is written in Ruby. In a catalog, it is unknown if the outside does not answer, which is said once.
    pub(crate) fn extension(&mut self, env: &Env<'_>, id: ExprId, asked: Extension<'_>) -> Evaluated {
        let answer = self.requests.extension(asked, &|name| self.find_variable(env, name));
        match answer {
            Ok(value) => Ok(value),
            Err(refused) if self.catalog.is_none() => Err(EvaluationError::from(refused).into()),
            Err(refused) => {
                let (unknown, place) = (asked.unknown(), env.place(id));
                if self.asked_in_vain.insert((Arc::as_ptr(&place.origin) as usize, id)) {
                    self.warn(
                        "unknown-value",
                        format!("The value of {unknown} is not known: {refused}"),
                        place,
                    );
                }
                Ok(Value::Unknown(unknown))
            }
        }
    }

    /// What ends a body in which something is decided by an unknown value.
    pub(crate) fn undecided(&self, env: &Env<'_>, id: ExprId, by: Arc<Unknown>) -> Unwind {
        Unwind::Undecided(Box::new(Undecided { by, place: env.place(id) }))
    }

    /// A value by which something is decided.
    pub(crate) fn decided(&self, env: &Env<'_>, id: ExprId, value: Value) -> Evaluated {
        match value.unknown() {
            None => Ok(value),
            Some(by) => Err(self.undecided(env, id, by)),
        }
    }

    /// What is unknown therefore, if evaluating some expressions can do nothing but give a value; otherwise the end of the
    /// body around.
    pub(crate) fn unknown_value(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        by: Arc<Unknown>,
        skipped: &[ExprId],
    ) -> Evaluated {
        match self.only_compute(&env.code.body, skipped) {
            true => Ok(Value::Unknown(by)),
            false => Err(self.undecided(env, id, by)),
        }
    }

    /// The value of a call that something unknown kept from running to its end.
    pub(crate) fn unknown_call(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        by: Arc<Unknown>,
        block: Option<&Block<'_>>,
    ) -> Evaluated {
        match block.is_none_or(|it| self.only_compute(&it.closure.code.body, it.closure.statements)) {
            true => Ok(Value::Unknown(by)),
            false => Err(self.undecided(env, id, by)),
        }
    }

    /// Whether evaluating expressions can do nothing but give values, and set variables that nobody else reads: neither
    /// they nor the functions that they call.
    pub(super) fn only_compute(&self, body: &Arc<Body>, ids: &[ExprId]) -> bool {
        self.have_no_effects(body, ids, false)
    }

    /// The same of a template, whose value is the text that it renders.
    pub(super) fn only_renders(&self, body: &Arc<Body>) -> bool {
        self.have_no_effects(body, &body.statements, true)
    }

    fn have_no_effects(&self, body: &Arc<Body>, ids: &[ExprId], may_render: bool) -> bool {
        let mut open: Vec<(Arc<Body>, ExprId)> = ids.iter().map(|id| (Arc::clone(body), *id)).collect();
        let mut seen: HashSet<Str> = HashSet::new();
        while let Some((body, id)) = open.pop() {
            let expr = body.expr(id);
            let called = match expr {
                Expr::Relationship { .. }
                | Expr::Resource(_)
                | Expr::ResourceDefaults(..)
                | Expr::ResourceOverride(..)
                | Expr::Collector(_)
                | Expr::Apply(..) => return false,
                // A part of a template that does not render leaves the rest with too little text.
                Expr::RenderText(_) | Expr::Render(_) if !may_render => return false,
                Expr::Assign { target, .. } if sets_scope(target) => return false,
                Expr::Call(call) => match &call.callee {
                    Callee::Function(name) => Some(name),
                    Callee::Type(_) | Callee::Other(_) => None,
                },
                Expr::MethodCall(call) => Some(&call.name),
                _ => None,
            };
            if let Some(name) = called {
                let name = name.strip_prefix("::").unwrap_or(name);
                match (functions::builtin(name), self.function_body(name)) {
                    (Some(builtin), _) if !only_computes(builtin) => return false,
                    (Some(_), _) => {}
                    (None, None) => match self.requests.ruby_function(name) {
                        Some(it) if !it.may_declare => {}
                        _ => return false,
                    },
                    (None, Some(called)) if seen.insert(name.into()) => {
                        open.extend(called.statements.iter().map(|id| (Arc::clone(&called), *id)));
                    }
                    (None, Some(_)) => {}
                }
            }
            parts(&body, expr, &mut |part, _: When| open.push((Arc::clone(&body), part)));
        }
        true
    }
}

/// Whether a function of the language can do nothing but give a value.
fn only_computes(builtin: &Builtin) -> bool {
    match builtin.reach {
        Reach::Catalog => builtin.name == "tagged",
        // `fail` ends the whole catalog.
        Reach::ControlFlow => builtin.name != "fail",
        Reach::Pure | Reach::Scope | Reach::Logs | Reach::Reads | Reach::Runs => true,
    }
}

/// Whether an assignment sets a variable that others can read.
fn sets_scope(target: &body::Target) -> bool {
    match &target.kind {
        body::TargetKind::Variable(_, slot) => slot.is_none(),
        body::TargetKind::Several(targets) => targets.iter().any(sets_scope),
        body::TargetKind::Other => true,
    }
}
