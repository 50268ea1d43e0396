//! `unknown-parameter`: a class, a defined type, a template or a plan is passed a parameter that it doesn't have.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{Attribute, AttributeName, Expr, Variable};
use marotte_hir::{ExprId, Item, ItemKind, NameKind};
use marotte_infer::declarations::{alteration, chosen, queried, read_back};
use marotte_infer::inference::TypedItem;
use marotte_resolve::call::NamedCall;
use marotte_resolve::names::known;
use marotte_resolve::resource_types::{ResourceTypeName, is_universal};
use marotte_resolve::spelling::nearest;
use marotte_text::unrooted;

use crate::analysis::resources::parameters::{given, passed_by_call, recipient, renamed};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for declaration in context.declarations().iter() {
        for target in given(context, declaration) {
            let names = target.names().unwrap_or_default();
            let meant = renamed(target.item.signature(context.db), &names);
            attributes(context, target.item, target.attributes, None, meant);
            attributes(context, target.item, &chosen(context.body, target.attributes), None, None);
        }
    }
    let body = context.body;
    for (id, expr) in body.exprs() {
        if let Some((name, title, read)) = read_back(body, expr)
            && !context.inference().is_unreachable(id)
            && let Some(item) = declared_item(context, name, title)
        {
            attributes(context, item, &read, None, None);
        }
        if let Some((name, asked)) = queried(body, expr)
            && let ResourceTypeName::Define(item) = context.resource_type(name)
        {
            attributes(context, item, &asked, Some(Level::Warning), None);
        }
        if let Some((Some(name), given)) = alteration(body, expr)
            && let ResourceTypeName::Define(item) = context.resource_type(name)
        {
            // It fails as soon as there is such a resource.
            attributes(context, item, &given, Some(Level::Warning), None);
        } else if let Some(call) = NamedCall::of(expr)
            && let Some(passed) = passed_by_call(context, &call)
        {
            let signature = passed.item.signature(context.db);
            let names: Vec<&str> = passed.given.iter().map(|it| it.name.as_str()).collect();
            let meant = renamed(signature, &names).filter(|_| passed.is_complete);
            for it in passed.given.iter().filter(|it| signature.parameter(&it.name).is_none()) {
                if lacks(context, passed.item, &it.name) {
                    continue;
                }
                report(context, passed.item, At::Expr(it.at), &it.name, None, meant);
            }
        }
    }
}

/// Whether a template with parameters reads a variable that none of them is: a finding in the template, about the same slip.
fn lacks(context: &Context<'_, '_>, item: Item<'_>, name: &str) -> bool {
    if item.kind(context.db) != ItemKind::Template {
        return false;
    }
    let typed = TypedItem::new(context.db, item);
    let body = item.body(context.db);
    let is_it = |id: &ExprId| match body.expr(*id) {
        Expr::Variable(variable) => matches!(&**variable, Variable::Local { name: read, .. } if read == name),
        _ => false,
    };
    !body.parameters.is_empty() && typed.inference.unbound().iter().any(is_it)
}

/// The class or defined type whose resources a reference refers to.
fn declared_item<'db>(context: &Context<'db, '_>, type_name: &str, title: ExprId) -> Option<Item<'db>> {
    match (context.resource_type(type_name), context.body.expr(title)) {
        (ResourceTypeName::Define(item), _) => Some(item),
        (_, Expr::String(class) | Expr::Reference(class))
            if unrooted(type_name).eq_ignore_ascii_case("class") =>
        {
            known(context.db, context.file, NameKind::Class, class)
        }
        _ => None,
    }
}

/// Reports attributes whose names no parameter has. `renamed` is such a name with the required parameter that is probably meant.
fn attributes(
    context: &mut Context<'_, '_>,
    item: Item<'_>,
    given: &[Attribute],
    level: Option<Level>,
    renamed: Option<(&str, &str)>,
) {
    let signature = item.signature(context.db);
    for attribute in given {
        let AttributeName::Name(name) = &attribute.name else { continue };
        let is_stage = name == "stage" && item.kind(context.db) != ItemKind::Class;
        if signature.parameter(name).is_some() || is_universal(name) && !is_stage {
            continue;
        }
        report(context, item, At::Expr(attribute.at), name, level, renamed);
        if is_stage && let Some(finding) = context.last() {
            finding.notes.push("only classes can be put into a stage".to_owned());
        }
    }
}

fn report(
    context: &mut Context<'_, '_>,
    item: Item<'_>,
    at: At,
    name: &str,
    level: Option<Level>,
    renamed: Option<(&str, &str)>,
) {
    let db = context.db;
    let signature = item.signature(db);
    let nearest = nearest(name, signature.parameters.iter().map(|it| it.name.as_str()));
    let of = recipient(db, item);
    let related = match nearest {
        Some(nearest) => context.parameter(item, nearest, format!("did you mean `{nearest}`?")),
        None => Some(context.defined(
            item,
            match item.kind(db) {
                ItemKind::Template => "this is the template",
                _ => "defined here",
            },
        )),
    };
    let finding = context.report(rules::UNKNOWN_PARAMETER, at, format!("{of} has no parameter `{name}`"));
    finding.level = level.unwrap_or(finding.level);
    finding.label = Some("not a parameter".to_owned());
    finding.related.extend(related);
    if nearest.is_none() {
        /// Of more parameters, only the first are listed.
        const SHOWN: usize = 12;
        let shown = signature.parameters.iter().take(SHOWN);
        let names: Vec<String> = shown.map(|it| format!("`{}`", it.name)).collect();
        let more = if signature.parameters.len() > names.len() { ", …" } else { "" };
        finding.notes.push(match names.is_empty() {
            true => "it has no parameters".to_owned(),
            false => format!("its parameters are {}{more}", names.join(", ")),
        });
    }
    if let Some((_, required)) = renamed.filter(|it| it.0 == name) {
        finding.notes.push(format!("`{required}` has no default value, and is not passed"));
    }
}
