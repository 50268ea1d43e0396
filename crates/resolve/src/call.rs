//! Calls of functions by their names.

use std::collections::BTreeSet;

use marotte_eval::functions::{Builtin, Names, builtin};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Callee, Expr, LambdaId};
use marotte_text::{Str, normalized, unrooted};

/// Functions whose result depends on the declared resources and classes.
const ASKING: [&str; 3] = ["defined", "defined_with_params", "getparam"];

/// Functions of the module `stdlib` whose arguments name things.
const OF_STDLIB: [(&str, Names); 2] =
    [("ensure_resource", Names::ResourceType), ("ensure_resources", Names::ResourceType)];

/// The things that the arguments of a function name, if it is built in or in the module `stdlib`.
pub fn names_of_arguments(function: &str) -> Option<Names> {
    let in_stdlib = || OF_STDLIB.iter().find(|(name, _)| *name == function).map(|(_, names)| *names);
    builtin(function).map_or_else(in_stdlib, |it| it.names)
}

/// A call of a function by its name, in either notation.
pub struct NamedCall<'b> {
    /// The name as written.
    pub name: &'b str,
    /// The expression before the dot of `receiver.name(…)`: the first argument.
    pub receiver: Option<ExprId>,
    /// The arguments in parentheses.
    pub rest: &'b [ExprId],
    /// The lambda after the arguments.
    pub lambda: Option<LambdaId>,
}

impl<'b> NamedCall<'b> {
    /// Interprets an expression as a call of a named function, if it is one.
    #[inline]
    pub fn of(expr: &'b Expr) -> Option<NamedCall<'b>> {
        match expr {
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => {
                    Some(NamedCall { name, receiver: None, rest: &call.arguments, lambda: call.lambda })
                }
                Callee::Type(_) | Callee::Other(_) => None,
            },
            Expr::MethodCall(call) => Some(NamedCall {
                name: &call.name,
                receiver: Some(call.receiver),
                rest: &call.arguments,
                lambda: call.lambda,
            }),
            _ => None,
        }
    }

    /// The name without a leading `::`.
    pub fn plain_name(&self) -> &'b str {
        unrooted(self.name)
    }

    /// The built-in function of this name, if there is one.
    pub fn builtin(&self) -> Option<&'static Builtin> {
        builtin(self.plain_name())
    }

    /// The things that its arguments name.
    pub fn names(&self) -> Option<Names> {
        names_of_arguments(self.plain_name())
    }

    /// Whether it calls a function whose result depends on the declared resources and classes.
    fn queries_catalog(&self) -> bool {
        ASKING.iter().any(|it| self.plain_name().eq_ignore_ascii_case(it))
    }

    /// All arguments, in order.
    pub fn arguments(&self) -> impl Iterator<Item = ExprId> {
        self.receiver.into_iter().chain(self.rest.iter().copied())
    }

    /// The number of arguments; None if it is computed (a splat).
    pub fn count(&self, body: &Body) -> Option<usize> {
        let is_splat = |id: ExprId| matches!(body.expr(id), Expr::Splat(_) | Expr::Missing);
        (!self.arguments().any(is_splat)).then(|| self.arguments().count())
    }
}

/// The names that a body checks for being declared: all strings in such calls, normalized for comparison.
pub fn names_in_questions(body: &Body) -> BTreeSet<Str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<ExprId> = Vec::new();
    for (_, expr) in body.calls() {
        let call = NamedCall::of(expr).filter(NamedCall::queries_catalog);
        open.extend(call.iter().flat_map(NamedCall::arguments));
    }
    while let Some(id) = open.pop() {
        match body.expr(id) {
            Expr::String(text) => {
                found.insert(normalized(text));
            }
            Expr::Array(all) => open.extend(all),
            Expr::Access { target, keys } => {
                open.push(*target);
                open.extend(keys);
            }
            _ => {}
        }
    }
    found
}

/// The classes whose existence a body checks with `defined('name')`, normalized for comparison.
pub fn names_asked_for(body: &Body) -> BTreeSet<Str> {
    let questions = body.calls().filter_map(|(_, expr)| NamedCall::of(expr));
    let questions = questions.filter(|it| it.plain_name() == "defined");
    let arguments = questions.flat_map(|it| it.arguments().collect::<Vec<_>>());
    let names = arguments.filter_map(|it| match body.expr(it) {
        Expr::String(text) => Some(normalized(text)),
        _ => None,
    });
    names.collect()
}

/// Whether a body checks which resources or classes are declared, and may therefore contain code that is valid only under such a
/// condition.
pub fn queries_catalog(body: &Body) -> bool {
    let is_question = |expr: &Expr| NamedCall::of(expr).is_some_and(|it| it.queries_catalog());
    body.calls().any(|(_, expr)| is_question(expr))
}
