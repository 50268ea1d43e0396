//! The variables that an item reads.

use std::collections::BTreeSet;

use foldhash::HashSet;
use marotte_db::Db;
use marotte_db::{Environment, File, environment_of, module_file, source_text};
use marotte_hir::body::{Body, Expr, Parameter, Segment, Variable};
use marotte_hir::{ExprId, Item, ItemKind, items};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::manifests::{is_manifest, manifests};
use marotte_resolve::ruby::{RubyKind, ruby_definition};
use marotte_resolve::spelling::nearest;
use marotte_text::{Str, normalized};

use crate::context::Context;

/// The variables that an item reads.
#[derive(Debug, Default)]
pub(crate) struct Usage<'a> {
    names: HashSet<&'a str>,
    /// Whether something may read any variable of the scope: a template, a lookup.
    reads_all: bool,
}

impl<'a> Usage<'a> {
    pub(crate) fn new(body: &'a Body) -> Usage<'a> {
        let mut usage = Usage::default();
        let set: HashSet<ExprId> = body.assigned().map(|(at, _)| at).chain(declared(body)).collect();
        for (id, expr) in body.exprs() {
            match expr {
                Expr::Variable(variable) if !set.contains(&id) => match &**variable {
                    Variable::Local { name, .. } | Variable::Qualified { name, .. } | Variable::Top(name) => {
                        usage.names.insert(name);
                    }
                    Variable::Group(_) => {}
                },
                // `defined('$x')`, `getvar('x.y')`, and other strings that contain names of variables.
                Expr::String(text) => {
                    let name = text.trim_start_matches('$');
                    let end =
                        name.bytes().position(|it| !(it == b'_' || it == b':' || it.is_ascii_alphanumeric()));
                    match end {
                        None => usage.names.insert(name),
                        Some(end) if name.as_bytes()[end] == b'.' => usage.names.insert(&name[..end]),
                        Some(_) => false,
                    };
                }
                _ => usage.reads_all |= NamedCall::of(expr).is_some_and(|it| reads_scope(&it)),
            }
        }
        usage
    }

    /// Whether a variable of this name may be read.
    pub(crate) fn may_read(&self, name: &str) -> bool {
        self.reads_all || self.names.contains(name)
    }
}

/// Whether a function may read variables of the calling scope. Functions of modules with such names do so as often as those of
/// Puppet itself.
fn reads_scope(call: &NamedCall<'_>) -> bool {
    let name = normalized(call.name);
    match name.as_str() {
        // If parameters for the template are passed, nothing else is.
        "epp" | "inline_epp" => call.arguments().count() < 2,
        _ => ["template", "lookup", "hiera", "getvar", "scope", "epp"].iter().any(|it| name.contains(it)),
    }
}

/// Whether an item calls a Ruby function of a module that can read variables of its caller: a function of the current API
/// requests the scope as a parameter, and one of the 3.x API is a method of the scope.
pub(crate) fn shows_scope(context: &Context<'_, '_>) -> bool {
    let (db, environment) = (context.db, context.environment);
    let asks_for_it = |call: NamedCall<'_>| {
        [RubyKind::Function, RubyKind::LegacyFunction].into_iter().any(|kind| {
            let found = ruby_definition(db, environment, kind, normalized(call.name));
            found.is_some_and(|it| asks_for_scope(kind, source_text(db, it.file).text()))
        })
    };
    context.body.calls().any(|(_, expr)| NamedCall::of(expr).is_some_and(asks_for_it))
}

/// Whether the text of a function in Ruby contains one of the words by which it can read variables of its caller.
pub(crate) fn asks_for_scope(kind: RubyKind, text: &str) -> bool {
    let words = match kind {
        RubyKind::LegacyFunction => ["lookupvar", "to_hash"],
        _ => ["scope_param", "closure_scope"],
    };
    words.iter().any(|it| text.contains(it))
}

/// Errors in an item that may explain why nothing reads a variable that it sets.
pub(crate) struct Slips<'b> {
    /// Whether the item calls a function that doesn't exist, or may not.
    calls_unknown: bool,
    /// The variables that it reads and nothing sets.
    unbound: BTreeSet<&'b str>,
    /// The names in braces in its texts, which may lack their dollar signs.
    in_braces: HashSet<&'b str>,
}

impl<'b> Slips<'b> {
    pub(crate) fn new(context: &Context<'b, '_>) -> Slips<'b> {
        let body = context.body;
        let is_unknown = |expr: &Expr| {
            let call = NamedCall::of(expr);
            call.is_some_and(|it| matches!(context.function(it.name), Function::Missing | Function::Unknown))
        };
        let local = |id: &ExprId| match body.expr(*id) {
            Expr::Variable(variable) => match &**variable {
                Variable::Local { name, .. } => Some(name.as_str()),
                _ => None,
            },
            _ => None,
        };
        let mut in_braces = HashSet::default();
        for (_, expr) in body.exprs() {
            match expr {
                Expr::String(text) => in_braces.extend(names_in_braces(text)),
                Expr::Interpolated(segments) => {
                    for it in segments {
                        if let Segment::Text(text) = it {
                            in_braces.extend(names_in_braces(text));
                        }
                    }
                }
                _ => {}
            }
        }
        Slips {
            in_braces,
            calls_unknown: body.calls().any(|(_, expr)| is_unknown(expr)),
            unbound: context.inference().unbound().iter().filter_map(local).collect(),
        }
    }

    /// Whether one of these errors may have been meant to read a variable: a similar name, or a function.
    pub(crate) fn may_mean(&self, name: &str) -> bool {
        /// The number of unset variables beyond which the item must get its variables in a way that isn't analyzed.
        const MOST: usize = 50;
        self.calls_unknown
            || self.unbound.len() > MOST
            || self.in_braces.contains(name)
            || self.unbound.iter().any(|read| nearest(read, [name]).is_some())
    }
}

/// The names of variables in braces in a text: `{name}`.
fn names_in_braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|rest| {
        let end = rest.find(|it: char| !it.is_alphanumeric() && it != '_')?;
        rest[end..].starts_with('}').then_some(&rest[..end])
    })
}

/// Whether the variables of an item can be read from outside, whatever it does itself. The variables of a module's class are an
/// interface; those of a class next to the statements that include it aren't.
pub(crate) fn is_open(db: &dyn Db, item: Item<'_>) -> bool {
    match item.kind(db) {
        ItemKind::Function | ItemKind::Define => false,
        ItemKind::Class => !is_main(db, item.file(db)),
        _ => true,
    }
}

/// Whether a file is a main manifest, or replaces one: a file outside of modules with top-level statements.
fn is_main(db: &dyn Db, file: File) -> bool {
    module_file(db, file).is_none()
        && (is_manifest(db, environment_of(db, file), file) || has_statements(db, file))
}

/// Whether a file has top-level statements.
#[salsa::tracked(returns(copy))]
fn has_statements(db: &dyn Db, file: File) -> bool {
    let program = items(db, file).iter().find(|it| it.kind(db) == ItemKind::Program);
    program.is_some_and(|it| {
        let body = it.body(db);
        body.statements.iter().any(|id| *body.expr(*id) != Expr::Definition)
    })
}

/// Whether a file outside of modules, or a main manifest, reads variables of a class by the class's name, or has a class that
/// inherits them.
pub(crate) fn is_read_outside(db: &dyn Db, environment: Environment, file: File, class: &str) -> bool {
    let class = normalized(class);
    classes_read(db, file).contains(&class) || is_read_by_manifest(db, environment, class)
}

#[salsa::tracked(returns(copy))]
fn is_read_by_manifest(db: &dyn Db, environment: Environment, class: Str) -> bool {
    classes_read_by_manifests(db, environment).contains(&class)
}

#[salsa::tracked(returns(ref))]
fn classes_read_by_manifests(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    manifests(db, environment).flat_map(|file| classes_read(db, file)).cloned().collect()
}

/// The classes whose variables a file reads or inherits, normalized for comparison.
#[salsa::tracked(returns(ref))]
fn classes_read(db: &dyn Db, file: File) -> BTreeSet<Str> {
    let mut found = BTreeSet::new();
    for item in items(db, file) {
        found.extend(item.signature(db).parent.as_deref().map(normalized));
        for (_, expr) in item.body(db).exprs() {
            if let Expr::Variable(variable) = expr
                && let Variable::Qualified { scope, .. } = &**variable
            {
                found.insert(normalized(scope));
            }
        }
    }
    found
}

/// The expressions of parameters, of the body and of its lambdas.
fn declared(body: &Body) -> impl Iterator<Item = ExprId> {
    let at = |it: &Parameter| it.at;
    body.parameters
        .iter()
        .map(at)
        .chain(body.lambdas().flat_map(move |it| body.lambda(it).parameters.iter().map(at)))
}
