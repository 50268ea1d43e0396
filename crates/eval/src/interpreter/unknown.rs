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

use super::call::Function;
use super::{Block, Env, Evaluated, Interpreter};
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
        let answer = self.requests.extension(asked, &|name| self.find_variable_or_unknown(env, name));
        match answer {
            Ok(value) => Ok(value),
            Err(refused) if self.catalog.is_none() => Err(EvaluationError::from(refused).into()),
            Err(refused) => {
                let (unknown, place) = (asked.unknown(), env.place(id));
                // The text is kept, so that no other takes its place in memory.
                let asked_at = (Arc::as_ptr(&place.origin).addr(), id);
                if self.asked_in_vain.insert(asked_at, Arc::clone(&place.origin)).is_none() {
                    let message = format!("The value of {unknown} is not known: {refused}");
                    self.warn("unknown-value", message, place);
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
        match self.have_no_effects(Piece::Expressions, &env.code.body, skipped) {
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
        match block.is_none_or(|it| self.block_only_computes(it)) {
            true => Ok(Value::Unknown(by)),
            false => Err(self.undecided(env, id, by)),
        }
    }

    /// What a call gives that a decision within it kept from running to its end: something unknown, if the function can do
    /// nothing but give a value.
    pub(super) fn undecided_call(
        &self,
        function: &Function,
        block: Option<&Block<'_>>,
        undecided: Box<Undecided>,
    ) -> Evaluated {
        let only_computes = match function {
            // What was to be decided is in its lambda.
            Function::Builtin(builtin) => {
                builtin.only_computes() && block.is_some_and(|it| self.block_only_computes(it))
            }
            Function::Code(it) => self.have_no_effects(Piece::Function, &it.1.body, &it.1.body.statements),
            Function::Ruby(_) => false,
        };
        match only_computes {
            true => Ok(Value::Unknown(undecided.by)),
            false => Err(Unwind::Undecided(undecided)),
        }
    }

    fn block_only_computes(&self, block: &Block<'_>) -> bool {
        self.have_no_effects(Piece::Lambda, &block.closure.code.body, block.closure.statements)
    }

    /// Whether evaluating a template can do nothing but give the text that it renders.
    pub(super) fn only_renders(&self, body: &Arc<Body>) -> bool {
        self.have_no_effects(Piece::Template, body, &body.statements)
    }

    /// Whether evaluating expressions can do nothing but give values, and set variables that nobody else reads: neither
    /// they nor the functions that they call.
    fn have_no_effects(&self, piece: Piece, body: &Arc<Body>, ids: &[ExprId]) -> bool {
        let mut open: Vec<(Piece, Arc<Body>, ExprId)> =
            ids.iter().map(|id| (piece, Arc::clone(body), *id)).collect();
        let mut seen: HashSet<Str> = HashSet::new();
        while let Some((piece, body, id)) = open.pop() {
            let expr = body.expr(id);
            let called = match expr {
                Expr::Relationship { .. }
                | Expr::Resource(_)
                | Expr::ResourceDefaults(..)
                | Expr::ResourceOverride(..)
                | Expr::Collector(_)
                | Expr::Apply(..) => return false,
                // A part of a template that does not render leaves the rest with too little text.
                Expr::RenderText(_) | Expr::Render(_) if piece != Piece::Template => return false,
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
                match (self.builtin(name), self.function_body(name)) {
                    (Some(builtin), _) if !builtin.only_computes() || piece.is_left_by(name) => return false,
                    (Some(_), _) => {}
                    (None, None) => match self.requests.ruby_function(name) {
                        Some(it) if !it.may_declare => {}
                        _ => return false,
                    },
                    (None, Some(called)) if seen.insert(name.into()) => {
                        let defaults = called.parameters.iter().filter_map(|it| it.default.as_ref());
                        let all = called.statements.iter().chain(defaults);
                        open.extend(all.map(|id| (Piece::Function, Arc::clone(&called), *id)));
                    }
                    (None, Some(_)) => {}
                }
            }
            parts(&body, expr, &mut |part, when| {
                let piece = match (piece, when) {
                    (Piece::Expressions, When::Called(_)) => Piece::Lambda,
                    _ => piece,
                };
                open.push((piece, Arc::clone(&body), part));
            });
        }
        true
    }
}

/// What code is part of that may or may not run to its end: it matters where `return`, `next` and `break` in it lead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Piece {
    /// Of a body, which goes on after it.
    Expressions,
    /// The body of a lambda.
    Lambda,
    /// The body of a function.
    Function,
    /// A template.
    Template,
}

impl Piece {
    /// Whether calling a function of the language may end what is around the piece.
    fn is_left_by(self, function: &str) -> bool {
        match function {
            "return" => matches!(self, Piece::Expressions | Piece::Lambda),
            "next" | "break" => self == Piece::Expressions,
            _ => false,
        }
    }
}

/// Whether something is true.
pub(crate) enum Truth {
    Known(bool),
    Unknown(Arc<Unknown>),
}

impl Truth {
    /// Whether both are.
    pub(crate) fn and(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(false), _) | (_, Truth::Known(false)) => Truth::Known(false),
            (Truth::Unknown(by), _) | (_, Truth::Unknown(by)) => Truth::Unknown(by),
            (Truth::Known(true), Truth::Known(true)) => Truth::Known(true),
        }
    }

    /// Whether one is.
    pub(crate) fn or(self, other: Truth) -> Truth {
        match (self, other) {
            (Truth::Known(true), _) | (_, Truth::Known(true)) => Truth::Known(true),
            (Truth::Unknown(by), _) | (_, Truth::Unknown(by)) => Truth::Unknown(by),
            (Truth::Known(false), Truth::Known(false)) => Truth::Known(false),
        }
    }

    /// As a value of the language.
    pub(crate) fn into_value(self) -> Value {
        match self {
            Truth::Known(it) => Value::Boolean(it),
            Truth::Unknown(by) => Value::Unknown(by),
        }
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
