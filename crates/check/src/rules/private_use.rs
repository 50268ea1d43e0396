//! `private-use`: something private is used from another module.

use marotte_db::module_file;
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{Item, NameKind, Privacy};
use marotte_infer::literal::references;
use marotte_resolve::names::known;
use marotte_text::{Str, unrooted};

use crate::context::{At, Context};
use crate::relationships::{operands, related_in_hashes};
use crate::uses::Used;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let own = module_file(context.db, context.file).map(|it| it.module.clone());
    for it in context.uses().iter() {
        if let Used::Item(item) = it.of {
            report(context, own.as_ref(), it.at, item, "used from elsewhere");
        }
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
    let finding = context.report("private-use", at, message);
    finding.label = Some(label.to_owned());
    finding.related.push(related);
}

/// The classes that stand in relationships, or whose parameters and variables are read: where, which, and what that is.
fn looks_at_classes(context: &Context<'_, '_>) -> Vec<(At, Str, &'static str)> {
    let body = context.body;
    let mut found = Vec::new();
    let related: Vec<_> = operands(body).into_iter().map(|it| it.0).chain(related_in_hashes(body)).collect();
    for id in related {
        for (at, reference) in references(body, id).0 {
            if reference.type_name == "class" {
                found.push((At::Expr(at), reference.title.clone(), "related from elsewhere"));
            }
        }
    }
    for (id, expr) in body.exprs() {
        match expr {
            Expr::Variable(variable) => {
                if let Variable::Qualified { scope, .. } = &**variable {
                    found.push((At::Expr(id), scope.clone(), "its variable is read elsewhere"));
                }
            }
            Expr::Access { target, .. } if matches!(body.expr(*target), Expr::Access { .. }) => {
                for (at, reference) in references(body, *target).0 {
                    if reference.type_name == "class" {
                        found.push((
                            At::Expr(at),
                            reference.title.clone(),
                            "its parameter is read elsewhere",
                        ));
                    }
                }
            }
            _ => {}
        }
    }
    found
}
