//! `missing-parameter`: a class, a defined type or a template is not given a parameter that has no default value.

use marotte_diagnostics::{Diagnostic, Level};
use marotte_hir::body::{AttributeName, Expr};
use marotte_hir::{ExprId, Item, ItemKind};

use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::module_files::{ModulePath, module_path};
use crate::parameters::{Given, given, is_template_with_parameters, may_have_data};
use crate::resource_types::is_altered_elsewhere;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        if let Expr::Resource(resource) = expr {
            for target in given(context, resource) {
                declared(context, &target);
            }
        } else if let Some(call) = NamedCall::of(expr)
            && call.plain_name() == "epp"
        {
            template(context, id, &call);
        }
    }
}

fn declared(context: &mut Context<'_, '_>, given: &Given<'_, '_>) {
    let (db, item) = (context.db, given.item);
    if matches!(context.body.expr(given.title), Expr::Default) {
        return;
    }
    let attributes = || given.body.attributes.iter().chain(given.defaults);
    if attributes().any(|it| it.name == AttributeName::Unfold) {
        return;
    }
    let is_given =
        |name: &str| attributes().any(|it| matches!(&it.name, AttributeName::Name(given) if given == name));
    let parameters = item.signature(db).parameters.iter();
    let missing: Vec<&str> =
        parameters.filter(|it| !it.is_optional && !is_given(&it.name)).map(|it| it.name.as_str()).collect();
    if missing.is_empty() {
        return;
    }
    if item.kind(db) == ItemKind::Class {
        if !may_have_data(db, context.environment, item) {
            // There is a layer of data that belongs to the server.
            let finding = report(context, item, At::Expr(given.title), &missing);
            finding.level = Level::Warning;
            finding.notes.push("no data here has a value; only the server's own could have one".to_owned());
        }
    } else if !is_altered_elsewhere(db, context.environment, context.file, item.name(db)) {
        report(context, item, At::Expr(given.title), &missing);
    }
}

/// `epp('module/path', { name => value })`.
fn template(context: &mut Context<'_, '_>, id: ExprId, call: &NamedCall<'_>) {
    let body = context.body;
    let arguments: Vec<_> = call.arguments().collect();
    let Some(Expr::String(path)) = arguments.first().map(|it| body.expr(*it)) else { return };
    let mut names = Vec::new();
    match arguments.get(1).map(|it| body.expr(*it)) {
        None => {}
        Some(Expr::Hash(entries)) => {
            for (key, _) in entries {
                let Expr::String(name) = body.expr(*key) else { return };
                names.push(name);
            }
        }
        Some(_) => return,
    }
    let path = if path.ends_with(".epp") { path.to_string() } else { format!("{path}.epp") };
    let found = module_path(context.db, context.file, context.environment, "templates", &path);
    let ModulePath::Found(file) = found else { return };
    let Some(item) = is_template_with_parameters(context.db, file) else { return };
    let parameters = item.signature(context.db).parameters.iter();
    let is_missing = |name: &marotte_text::Str| !names.contains(&name);
    let missing: Vec<&str> =
        parameters.filter(|it| !it.is_optional && is_missing(&it.name)).map(|it| it.name.as_str()).collect();
    if !missing.is_empty() {
        report(context, item, At::Callee(id), &missing);
    }
}

fn report<'f>(
    context: &'f mut Context<'_, '_>,
    item: Item<'_>,
    at: At,
    missing: &[&str],
) -> &'f mut Diagnostic {
    let db = context.db;
    let of = match item.kind(db) {
        ItemKind::Template => "the template".to_owned(),
        kind => format!("{} `{}`", kind.noun(), item.name(db).trim_start_matches("::")),
    };
    let names: Vec<String> = missing.iter().map(|it| format!("`{it}`")).collect();
    let plural = if names.len() > 1 { "s" } else { "" };
    let related: Vec<_> =
        missing.iter().filter_map(|it| context.parameter(item, it, "has no default value")).collect();
    let message = format!("{of} needs a value for parameter{plural} {}", names.join(", "));
    let finding = context.report("missing-parameter", at, message);
    finding.label = Some(format!("without {}", names.join(", ")));
    finding.related.extend(related);
    finding
}
