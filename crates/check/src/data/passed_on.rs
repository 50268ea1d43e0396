//! The use of data by code beyond the types of parameters: lists of classes that are declared, and hashes of resources.

use std::collections::BTreeSet;

use marotte_db::{Db, Environment, File, files_below};
use marotte_hir::body::{AttributeName, Body, Expr, Lambda, Variable};
use marotte_hir::{ExprId, Item, ItemKind, items};
use marotte_infer::declarations::value_of;
use marotte_infer::literal::type_name;
use marotte_resolve::call::NamedCall;
use marotte_resolve::manifests::manifests;
use marotte_text::{Str, normalized};

use crate::analysis::names::classes::Inclusion;
use crate::lookups::LookupCall;

/// The use that an item makes of data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PassedOn {
    /// The keys that it looks up whose values are names of classes to declare.
    pub(crate) classes: BTreeSet<Str>,
    /// The parameters, of a class, whose values are hashes of resources, by their titles; each with the type of the resources, in lower case.
    pub(crate) resources: BTreeSet<(Str, Str)>,
}

/// Returns the use that an item makes of data.
#[salsa::tracked(returns(ref))]
pub(crate) fn passed_on<'db>(db: &'db dyn Db, item: Item<'db>) -> PassedOn {
    let body = &**item.body(db);
    let is_class = item.kind(db) == ItemKind::Class;
    let is_parameter = |name: &str| is_class && body.parameters.iter().any(|it| it.name == name);
    let mut found = PassedOn::default();
    for (_, expr) in body.calls() {
        if Inclusion::of(body, expr).is_some()
            && let Some(call) = NamedCall::of(expr)
        {
            found.classes.extend(call.arguments().filter_map(|it| looked_up(body, it)));
        }
        let Some(call) = NamedCall::of(expr) else { continue };
        if call.plain_name() == "create_resources" {
            let arguments: Vec<ExprId> = call.arguments().collect();
            if let [of, hash, ..] = arguments[..]
                && let (Expr::String(of), Some(name)) = (body.expr(of), local(body, hash))
                && is_parameter(name)
            {
                found.resources.insert((name.into(), normalized(of.trim_start_matches('@'))));
            }
        }
        if call.plain_name() != "each" {
            continue;
        }
        let (Some(lambda), Some(each)) = (call.lambda.map(|it| body.lambda(it)), call.arguments().next())
        else {
            continue;
        };
        if let ([name], Some(key)) = (&lambda.parameters[..], looked_up(body, each))
            && is_included(body, lambda, &name.name)
        {
            found.classes.insert(key);
        }
        if let ([title, attributes], Some(name)) = (&lambda.parameters[..], local(body, each))
            && is_parameter(name)
            && let Some(of) = declared_by(body, lambda, &title.name, &attributes.name)
        {
            found.resources.insert((name.into(), of));
        }
    }
    found
}

/// The name of a local variable.
fn local(body: &Body, id: ExprId) -> Option<&str> {
    let Expr::Variable(variable) = body.expr(id) else { return None };
    match &**variable {
        Variable::Local { name, .. } => Some(name),
        _ => None,
    }
}

/// The key whose value an expression is: a lookup, or a variable that is set to one.
fn looked_up(body: &Body, id: ExprId) -> Option<Str> {
    let call = NamedCall::of(body.expr(value_of(body, id)))?;
    let name = match call.plain_name() {
        "lookup" => LookupCall::of(body, &call)?.name?,
        "hiera" | "hiera_array" | "hiera_include" => call.arguments().next()?,
        _ => return None,
    };
    match body.expr(name) {
        Expr::String(key) => Some(key.clone()),
        _ => None,
    }
}

/// Whether a lambda declares the class that its parameter names.
fn is_included(body: &Body, lambda: &Lambda, parameter: &str) -> bool {
    lambda.statements.iter().any(|it| {
        let expr = body.expr(*it);
        Inclusion::of(body, expr).is_some()
            && NamedCall::of(expr)
                .is_some_and(|call| call.arguments().any(|it| local(body, it) == Some(parameter)))
    })
}

/// The type of the resources that a lambda declares by a title and a hash of attributes.
fn declared_by(body: &Body, lambda: &Lambda, title: &str, attributes: &str) -> Option<Str> {
    lambda.statements.iter().find_map(|it| {
        let Expr::Resource(resource) = body.expr(*it) else { return None };
        let [only] = &resource.bodies[..] else { return None };
        let is_passed = only
            .attributes
            .iter()
            .any(|it| it.name == AttributeName::Unfold && local(body, it.value) == Some(attributes));
        (is_passed && local(body, only.title) == Some(title)).then(|| type_name(body, resource)).flatten()
    })
}

/// Returns the keys of data whose values are names of classes that some code of an environment declares, by looking at all of it.
pub(crate) fn class_keys(db: &dyn Db, environment: Environment) -> BTreeSet<Str> {
    let mut files: Vec<File> = manifests(db, environment).collect();
    for (_, folder) in environment.modules(db).iter() {
        let paths = files_below(db, &folder.join("manifests"), "pp");
        files.extend(paths.iter().map(|it| db.files().file(db, it)));
    }
    let of_items = files.into_iter().flat_map(|it| items(db, it)).map(|it| passed_on(db, *it));
    of_items.flat_map(|it| it.classes.iter().cloned()).collect()
}
