//! What names of functions mean (C23, C24).

use std::collections::BTreeSet;

use marotte_db::{Db, Environment, File};
use marotte_eval::functions::{ALL, Builtin, builtin};
use marotte_hir::body::{Body, Callee, Expr, LambdaId};
use marotte_hir::{ExprId, Item, NameKind};
use marotte_text::{Str, normalized, unrooted};

use crate::names::{Lookup, lacks_modules, look_up, nearest, nearest_definition, short_slip, slip};
use crate::ruby::{RubyFile, RubyKind, is_mentioned, ruby_definition, ruby_names};

/// What the name of a function means.
#[derive(Clone, Copy)]
pub(crate) enum Function<'db> {
    /// One of the language itself.
    Builtin(&'static Builtin),
    /// One written in Puppet.
    Puppet(Item<'db>),
    /// One written in Ruby.
    Ruby(RubyFile),
    /// None.
    Missing,
    /// It may be defined where nobody can look.
    Unknown,
}

/// Functions that something beside Puppet brings: Bolt runs code that is made for it, and servers may have PuppetDB's.
const ELSEWHERE: [&str; 41] = [
    "add_facts",
    "add_to_group",
    "apply_prep",
    "background",
    "catch_errors",
    "download_file",
    "fail_plan",
    "facts",
    "get_resources",
    "get_target",
    "get_targets",
    "parallelize",
    "prompt",
    "puppetdb_command",
    "puppetdb_fact",
    "puppetdb_lookup_key",
    "puppetdb_query",
    "query_facts",
    "query_nodes",
    "query_resources",
    "remove_from_group",
    "resolve_references",
    "resource",
    "run_command",
    "run_container",
    "run_plan",
    "run_script",
    "run_task",
    "run_task_with",
    "set_config",
    "set_feature",
    "set_resources",
    "set_var",
    "upload_file",
    "vars",
    "wait",
    "wait_until_available",
    "without_default_logging",
    "write_file",
    "yield",
    "log",
];

/// Functions whose answer depends on what is declared.
const ASKING: [&str; 3] = ["defined", "defined_with_params", "getparam"];

/// What functions in Ruby are: those of the newer API are found first.
const RUBY: [RubyKind; 2] = [RubyKind::Function, RubyKind::LegacyFunction];

/// The name spaces of Bolt's functions.
const NAMESPACES_ELSEWHERE: [&str; 7] = ["ctrl", "dir", "file", "log", "out", "prompt", "system"];

/// What a name means as that of a function, as seen from a file.
pub(crate) fn function<'db>(
    db: &'db dyn Db,
    from: File,
    environment: Environment,
    name: &str,
) -> Function<'db> {
    let name = unrooted(name);
    if let Some(builtin) = builtin(name) {
        return Function::Builtin(builtin);
    }
    let looked_up = look_up(db, from, NameKind::Function, name);
    if let Lookup::Found(item) = looked_up {
        return Function::Puppet(item);
    }
    let lower = normalized(name);
    if let Some(file) = RUBY.iter().find_map(|kind| ruby_definition(db, environment, *kind, lower.clone())) {
        return Function::Ruby(file);
    }
    let is_elsewhere = match name.split_once("::") {
        Some((namespace, _)) => NAMESPACES_ELSEWHERE.contains(&namespace),
        None => ELSEWHERE.contains(&name) || lacks_modules(db, from, environment),
    };
    let is_unknown = looked_up == Lookup::Unknown
        || is_elsewhere
        || RUBY.iter().any(|kind| is_mentioned(db, environment, *kind, name.into()));
    if is_unknown { Function::Unknown } else { Function::Missing }
}

/// The function that was surely meant by the name of one that may be in a module that is not here: one of the language, or of
/// a module that is here.
pub(crate) fn misspelled_function<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &str,
) -> Option<&'db str> {
    let in_ruby = RUBY.iter().flat_map(|kind| ruby_names(db, environment, *kind));
    let of_language = || ALL.iter().map(|it| it.name);
    let meant = slip(name, of_language().chain(in_ruby)).or_else(|| short_slip(name, of_language()))?;
    let is_elsewhere = ELSEWHERE.contains(&name)
        // What ends in the name of a function is a name of its own.
        || name.ends_with(meant)
        || RUBY.iter().any(|kind| is_mentioned(db, environment, *kind, name.into()));
    (!is_elsewhere).then_some(meant)
}

/// The function whose name was probably meant.
pub(crate) fn nearest_function<'db>(
    db: &'db dyn Db,
    environment: Environment,
    name: &str,
) -> Option<(String, Option<Item<'db>>)> {
    if let Some(item) = nearest_definition(db, environment, NameKind::Function, name) {
        return Some((item.name(db).to_string(), Some(item)));
    }
    let ruby = RUBY.iter().flat_map(|kind| ruby_names(db, environment, *kind));
    let known = ALL.iter().map(|it| it.name).chain(ruby);
    nearest(name, known).map(|it| (it.to_owned(), None))
}

/// A call of a function by its name, in either notation.
pub(crate) struct NamedCall<'b> {
    /// The name as written.
    pub(crate) name: &'b str,
    /// What stands before the dot of `receiver.name(…)`: the first argument.
    pub(crate) receiver: Option<ExprId>,
    /// The arguments in parentheses.
    pub(crate) rest: &'b [ExprId],
    /// The lambda behind.
    pub(crate) lambda: Option<LambdaId>,
}

impl<'b> NamedCall<'b> {
    /// The call that an expression is.
    pub(crate) fn of(expr: &'b Expr) -> Option<NamedCall<'b>> {
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

    /// The name without `::` at the start.
    pub(crate) fn plain_name(&self) -> &'b str {
        unrooted(self.name)
    }

    /// All arguments, in order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = ExprId> {
        self.receiver.into_iter().chain(self.rest.iter().copied())
    }

    /// How many arguments it gives; none if that is computed.
    pub(crate) fn count(&self, body: &Body) -> Option<usize> {
        let is_splat = |id: ExprId| matches!(body.expr(id), Expr::Splat(_) | Expr::Missing);
        (!self.arguments().any(is_splat)).then(|| self.arguments().count())
    }
}

/// What a body asks about, whether it is declared: all texts in such questions, as names are compared.
pub(crate) fn names_in_questions(body: &Body) -> BTreeSet<Str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<ExprId> = Vec::new();
    for (_, expr) in body.exprs() {
        let call = NamedCall::of(expr).filter(|it| ASKING.contains(&normalized(it.name).as_str()));
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

/// The classes of which a body asks whether there are such at all, `defined('name')`, as names are compared.
pub(crate) fn names_asked_for(body: &Body) -> BTreeSet<Str> {
    let questions = body.exprs().filter_map(|(_, expr)| NamedCall::of(expr));
    let questions = questions.filter(|it| it.plain_name() == "defined");
    let arguments = questions.flat_map(|it| it.arguments().collect::<Vec<_>>());
    let names = arguments.filter_map(|it| match body.expr(it) {
        Expr::String(text) => Some(normalized(text)),
        _ => None,
    });
    names.collect()
}

/// Whether a body asks what is declared, and so may do what is right only if something is.
pub(crate) fn asks_what_is_declared(body: &Body) -> bool {
    let is_question =
        |expr: &Expr| NamedCall::of(expr).is_some_and(|it| ASKING.contains(&normalized(it.name).as_str()));
    body.exprs().any(|(_, expr)| is_question(expr))
}
