//! Which variables an item reads.

use std::collections::HashSet;

use marotte_db::{File, environment_of, module_file};
use marotte_hir::body::{Body, Callee, Expr, LambdaId, Parameter, Target, TargetKind, Variable};
use marotte_hir::{ExprId, Item, ItemKind, items};
use marotte_text::Str;

use crate::Db;
use crate::context::Context;
use crate::functions::{Function, NamedCall, function};
use crate::literal::normalize;
use crate::names::nearest;

/// What an item reads.
#[derive(Debug, Default)]
pub(crate) struct Usage<'a> {
    names: HashSet<&'a str>,
    /// Something reads the scope as it likes: a template, a lookup.
    reads_all: bool,
}

impl<'a> Usage<'a> {
    pub(crate) fn new(body: &'a Body) -> Usage<'a> {
        let mut usage = Usage::default();
        let set: HashSet<ExprId> = assigned(body).map(|(at, _)| at).chain(declared(body)).collect();
        for (id, expr) in body.exprs() {
            match expr {
                Expr::Variable(variable) if !set.contains(&id) => match &**variable {
                    Variable::Local { name, .. } | Variable::Qualified { name, .. } | Variable::Top(name) => {
                        usage.names.insert(name);
                    }
                    Variable::Group(_) => {}
                },
                // `defined('$x')`, `getvar('x.y')`, and whatever else takes names for variables.
                Expr::String(text) => {
                    let name = text.trim_start_matches('$');
                    usage.names.insert(name);
                    usage.names.insert(name.split('.').next().unwrap_or_default());
                }
                Expr::Call(call) => {
                    if let Callee::Function(name) = &call.callee {
                        usage.reads_all |= reads_scope(name, call.arguments.len());
                    }
                }
                Expr::MethodCall(call) => {
                    usage.reads_all |= reads_scope(&call.name, call.arguments.len() + 1);
                }
                _ => {}
            }
        }
        usage
    }

    /// Whether something may read a variable of this name.
    pub(crate) fn may_read(&self, name: &str) -> bool {
        self.reads_all || self.names.contains(name)
    }
}

/// Whether a function may read variables of the scope that calls it. Functions of modules with such names do so as often
/// as those of Puppet itself.
fn reads_scope(name: &str, arguments: usize) -> bool {
    let name = normalize(name);
    match name.as_str() {
        // Given values for a template's parameters, they hand over nothing else.
        "epp" | "inline_epp" => arguments < 2,
        _ => ["template", "lookup", "hiera", "getvar", "scope", "epp"].iter().any(|it| name.contains(it)),
    }
}

/// Whether something that is wrong elsewhere may have been meant to read a variable of an item: a variable whose name is
/// nearly the same, or a function that does not exist.
pub(crate) fn may_be_meant(context: &Context<'_, '_>, name: &str) -> bool {
    let (db, file, environment, body) = (context.db, context.file, context.environment, context.body);
    let is_unknown = |expr: &Expr| {
        let call = NamedCall::of(expr);
        call.is_some_and(|it| {
            matches!(function(db, file, environment, it.name), Function::Missing | Function::Unknown)
        })
    };
    let is_near = |id: &ExprId| match body.expr(*id) {
        Expr::Variable(it) => {
            matches!(&**it, Variable::Local { name: read, .. } if nearest(read, [name]).is_some())
        }
        _ => false,
    };
    context.inference.unbound().iter().any(is_near) || body.exprs().any(|(_, expr)| is_unknown(expr))
}

/// Whether others can read the variables of an item, whatever it does. What a class of a module sets is an interface; a
/// class beside the statements that include it is not.
pub(crate) fn is_open(db: &dyn Db, item: Item<'_>) -> bool {
    match item.kind(db) {
        ItemKind::Function | ItemKind::Define => false,
        ItemKind::Class => !is_main(db, item.file(db)),
        _ => true,
    }
}

/// Whether a file is a main manifest, or one that stands for it: a file outside of modules with statements of its own.
fn is_main(db: &dyn Db, file: File) -> bool {
    let has_statements = || {
        let program = items(db, file).iter().find(|it| it.kind(db) == ItemKind::Program);
        program.is_some_and(|it| {
            let body = it.body(db);
            body.statements.iter().any(|id| *body.expr(*id) != Expr::Definition)
        })
    };
    module_file(db, file).is_none()
        && (environment_of(db, file).manifests(db).contains(file.path(db)) || has_statements())
}

/// The variables that a body assigns.
pub(crate) fn assigned(body: &Body) -> impl Iterator<Item = (ExprId, &Str)> {
    body.exprs()
        .filter_map(|(_, expr)| if let Expr::Assign { target, .. } = expr { Some(target) } else { None })
        .flat_map(|it| targets(it))
}

/// The variables that an assignment sets, in order.
pub(crate) fn targets(target: &Target) -> Vec<(ExprId, &Str)> {
    let mut found = Vec::new();
    let mut open = vec![target];
    while let Some(target) = open.pop() {
        match &target.kind {
            TargetKind::Variable(name, _) => found.push((target.at, name)),
            TargetKind::Several(targets) => open.extend(targets.iter().rev()),
            TargetKind::Other => {}
        }
    }
    found
}

/// All variables that a body and its lambdas set or take.
pub(crate) fn variables(body: &Body) -> impl Iterator<Item = &Str> {
    let taken = lambdas(body).flat_map(|it| body.lambda(it).parameters.iter());
    assigned(body).map(|(_, name)| name).chain(body.parameters.iter().chain(taken).map(|it| &it.name))
}

/// The lambdas of a body.
pub(crate) fn lambdas(body: &Body) -> impl Iterator<Item = LambdaId> {
    body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Call(it) => it.lambda,
        Expr::MethodCall(it) => it.lambda,
        Expr::Apply(_, it) => Some(*it),
        _ => None,
    })
}

/// What stands for parameters, of the body and of its lambdas.
fn declared(body: &Body) -> impl Iterator<Item = ExprId> {
    let at = |it: &Parameter| it.at;
    body.parameters
        .iter()
        .map(at)
        .chain(lambdas(body).flat_map(move |it| body.lambda(it).parameters.iter().map(at)))
}
