//! `unknown-parameter`: a class, a defined type or a template is given a parameter that it does not have.

use marotte_diagnostics::Level;
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{Item, ItemKind};

use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::module_files::{ModulePath, module_path};
use crate::names::nearest;
use crate::parameters::{given, is_template_with_parameters};
use crate::resource_types::{ResourceTypeName, altered, is_universal, resource_type};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        if let Expr::Resource(resource) = expr {
            for target in given(context, resource) {
                attributes(context, target.item, &target.body.attributes, None);
            }
        } else if let Some((Some(name), given)) = altered(body, expr)
            && let ResourceTypeName::Define(item) =
                resource_type(context.db, context.file, context.environment, name)
        {
            // It is wrong as soon as there is such a resource.
            attributes(context, item, given, Some(Level::Warning));
        } else if let Some(call) = NamedCall::of(expr)
            && call.plain_name() == "epp"
        {
            template(context, &call);
        }
    }
}

fn attributes(context: &mut Context<'_, '_>, item: Item<'_>, given: &[Attribute], level: Option<Level>) {
    let signature = item.signature(context.db);
    for attribute in given {
        let AttributeName::Name(name) = &attribute.name else { continue };
        let is_stage = name == "stage" && item.kind(context.db) != ItemKind::Class;
        if signature.parameter(name).is_some() || is_universal(name) && !is_stage {
            continue;
        }
        report(context, item, At::Expr(attribute.at), name, level);
        if is_stage && let Some(finding) = context.last() {
            finding.notes.push("only classes can be put into a stage".to_owned());
        }
    }
}

/// `epp('module/path', { name => value })`.
fn template(context: &mut Context<'_, '_>, call: &NamedCall<'_>) {
    let arguments: Vec<_> = call.arguments().collect();
    let [path, hash] = arguments[..] else { return };
    let (Expr::String(path), Expr::Hash(entries)) = (context.body.expr(path), context.body.expr(hash)) else {
        return;
    };
    let path = if path.ends_with(".epp") { path.to_string() } else { format!("{path}.epp") };
    let found = module_path(context.db, context.file, context.environment, "templates", &path);
    let ModulePath::Found(file) = found else { return };
    let Some(item) = is_template_with_parameters(context.db, file) else { return };
    for (key, _) in entries {
        if let Expr::String(name) = context.body.expr(*key)
            && item.signature(context.db).parameter(name).is_none()
        {
            report(context, item, At::Expr(*key), name, None);
        }
    }
}

fn report(context: &mut Context<'_, '_>, item: Item<'_>, at: At, name: &str, level: Option<Level>) {
    let db = context.db;
    let signature = item.signature(db);
    let nearest = nearest(name, signature.parameters.iter().map(|it| it.name.as_str()));
    let of = match item.kind(db) {
        ItemKind::Template => "the template".to_owned(),
        kind => format!("{} `{}`", kind.noun(), item.name(db).trim_start_matches("::")),
    };
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
    let finding = context.report("unknown-parameter", at, format!("{of} has no parameter `{name}`"));
    finding.level = level.unwrap_or(finding.level);
    finding.label = Some("not a parameter".to_owned());
    finding.related.extend(related);
    if nearest.is_none() {
        let mut names: Vec<String> = signature.parameters.iter().map(|it| format!("`{}`", it.name)).collect();
        names.truncate(12);
        let more = if signature.parameters.len() > names.len() { ", …" } else { "" };
        finding.notes.push(match names.is_empty() {
            true => "it has no parameters".to_owned(),
            false => format!("its parameters are {}{more}", names.join(", ")),
        });
    }
}
