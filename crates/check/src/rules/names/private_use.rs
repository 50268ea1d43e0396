//! `private-use`: something private is used from another module.

use marotte_db::module_file;
use marotte_diagnostics::rules;
use marotte_hir::body::{Body, Expr, Variable};
use marotte_hir::{ExprId, Item, NameKind, Privacy};
use marotte_infer::literal::references;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::known;
use marotte_resolve::resource_types::ResourceTypeName;
use marotte_text::{Str, unrooted};

use super::unresolved_resource_type::takes_type;
use crate::analysis::names::uses::Used;
use crate::analysis::resources::relationships::named;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let own = module_file(context.db, context.file).map(|it| it.module.clone());
    for it in context.uses().iter() {
        if let Used::Item(item) = it.of {
            report(context, own.as_ref(), it.at, item, "used from elsewhere");
        }
    }
    for (at, item) in declared_by_calls(context) {
        report(context, own.as_ref(), at, item, "used from elsewhere");
    }
    for (at, name, label) in looks_at_classes(context) {
        if let Some(item) = known(context.db, context.file, NameKind::Class, &name) {
            report(context, own.as_ref(), at, item, label);
        }
    }
}

fn report(context: &mut Context<'_, '_>, own: Option<&Str>, at: At, item: Item<'_>, label: &str) {
    let db = context.db;
    let Some(module) = Used::Item(item).other_module(db, own) else { return };
    let Some(privacy) = item.privacy(db) else { return };
    let said = match privacy {
        Privacy::Asserted => "it calls `assert_private()`",
        Privacy::Documented => "its comment says `@api private`",
    };
    let related = context.defined(item, said);
    let name = unrooted(item.name(db));
    let message = format!("{} `{name}` is private to module `{module}`", item.kind(db).noun());
    let finding = context.report(rules::PRIVATE_USE, at, message);
    finding.label = Some(label.to_owned());
    finding.related.push(related);
}

/// The defined types whose resources `create_resources` and its like declare.
fn declared_by_calls<'db>(context: &Context<'db, '_>) -> Vec<(At, Item<'db>)> {
    let calls = context.body.calls().filter_map(|(_, expr)| NamedCall::of(expr));
    let types = calls.filter_map(|call| {
        let first = call.arguments().next().filter(|_| takes_type(context, &call))?;
        let Expr::String(name) = context.body.expr(first) else { return None };
        match context.resource_type(name.trim_start_matches('@')) {
            ResourceTypeName::Define(item) => Some((At::Expr(first), item)),
            _ => None,
        }
    });
    types.collect()
}

/// The classes in relationships, and those whose parameters and variables are read: the place, the name, and the kind of use.
fn looks_at_classes(context: &Context<'_, '_>) -> Vec<(At, Str, &'static str)> {
    let body = context.body;
    let mut found = Vec::new();
    let mut classes = |id: ExprId, label: &'static str| {
        let classes = references(body, id).0.into_iter().filter(|it| it.1.type_name == "class");
        found.extend(classes.map(|(at, it)| (At::Expr(at), it.title, label)));
    };
    for id in named(body) {
        classes(id, "related from elsewhere");
    }
    for (_, expr) in body.exprs() {
        match expr {
            Expr::Access { target, .. } if matches!(body.expr(*target), Expr::Access { .. }) => {
                classes(*target, "its parameter is read elsewhere");
            }
            _ => {
                if let Some(call) = NamedCall::of(expr).filter(|it| it.plain_name() == "getparam")
                    && let Some(first) = call.arguments().next()
                {
                    classes(first, "its parameter is read elsewhere");
                }
            }
        }
    }
    for (id, expr) in body.exprs() {
        if let Expr::Variable(variable) = expr
            && let Variable::Qualified { scope, .. } = &**variable
        {
            found.push((At::Expr(id), scope.clone(), "its variable is read elsewhere"));
        } else if let Some((at, scope)) = variable_in_text(body, expr) {
            found.push((At::Expr(at), scope.into(), "its variable is read elsewhere"));
        }
    }
    found
}

/// The argument and the class of `getvar('class::variable')`.
fn variable_in_text<'b>(body: &'b Body, expr: &'b Expr) -> Option<(ExprId, &'b str)> {
    let call = NamedCall::of(expr).filter(|it| it.plain_name() == "getvar")?;
    let at = call.arguments().next()?;
    let Expr::String(path) = body.expr(at) else { return None };
    let variable = path.split_once('.').map_or(path.as_str(), |it| it.0);
    Some((at, variable.rsplit_once("::")?.0))
}
