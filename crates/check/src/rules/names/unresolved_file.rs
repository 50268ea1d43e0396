//! `unresolved-file`: `file`, or the `source` of a file, refers to a file that the module doesn't have.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{Attribute, AttributeName, Expr};
use marotte_hir::{ExprId, ItemKind};
use marotte_infer::known_values::text_of;
use marotte_resolve::call::NamedCall;
use marotte_resolve::module_files::{ModulePath, in_misspelled_module, module_path};
use marotte_resolve::spelling::slip;

use super::computed_path::{known_folder, missing_folder};
use super::not_found;
use crate::context::{At, Context};

/// The prefix of a module's file in a `source`, on any server.
const MODULES: &str = "modules/";

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        if let Some(call) = NamedCall::of(expr) {
            match call.plain_name() {
                "file" => {
                    let names = Vec::from_iter(call.arguments());
                    folder(context, &names, |it| Some(it));
                    any(context, &names, |it| Some(it), None);
                }
                "run_script" | "upload_file" if context.item.kind(context.db) == ItemKind::Plan => {
                    for id in call.arguments().take(1) {
                        of_plan(context, id);
                    }
                }
                "binary_file" => any(context, &Vec::from_iter(call.arguments().take(1)), |it| Some(it), None),
                _ => {}
            }
        }
    }
    for declaration in context.declarations().iter().filter(|it| it.type_name == "file") {
        for attribute in declaration.parts.iter().flat_map(|it| &*it.attributes) {
            if attribute.name == AttributeName::Name("source".into()) {
                for id in context.choices(attribute.value) {
                    let names = match body.expr(id) {
                        Expr::Array(elements) => elements.to_vec(),
                        _ => vec![id],
                    };
                    folder(context, &names, of_url);
                    any(context, &names, of_url, Some(Level::Warning));
                }
            }
        }
    }
    addresses(context);
}

/// Reports the addresses of files of available modules that other resources, and variables, are given.
fn addresses(context: &mut Context<'_, '_>) {
    let body = context.body;
    // Examples name files of their users.
    if !matches!(context.item.kind(context.db), ItemKind::Class | ItemKind::Define) {
        return;
    }
    let declarations = context.declarations();
    let attributes = declarations.iter().flat_map(|it| &it.parts).flat_map(|it| &*it.attributes);
    let is_source =
        |it: &&Attribute| matches!(&it.name, AttributeName::Name(name) if name.contains("source"));
    let mut values: Vec<ExprId> = attributes.filter(is_source).map(|it| it.value).collect();
    values.extend(body.parameters.iter().filter_map(|it| it.default));
    values.extend(body.exprs().filter_map(|(_, expr)| match expr {
        Expr::Assign { value, .. } => Some(*value),
        _ => None,
    }));
    values.retain(|id| matches!(body.expr(*id), Expr::String(text) if of_url(text).is_some() && !text.contains(char::is_whitespace)));
    if values.is_empty() {
        return;
    }
    let reported = context.reported_ranges();
    for id in values {
        let Expr::String(text) = body.expr(id) else { continue };
        let Some(name) = of_url(text) else { continue };
        if context.inference().is_unreachable(id) || reported.contains(&context.range(At::Expr(id))) {
            continue;
        }
        let module = name.split('/').next().unwrap_or_default();
        let found = module_path(context.db, context.file, context.environment, "files", name);
        if let ModulePath::Missing(path) = found {
            let message = format!("there is no file `{path}` in module `{module}`");
            let finding = context.report(rules::UNRESOLVED_FILE, At::Expr(id), message);
            finding.level = Level::Warning;
            finding.label = Some("not found".to_owned());
        }
    }
}

/// Extracts `module/path` from `puppet:///modules/module/path`. Other mounts are up to the server. Escapes such as `%20` are
/// literal, and so is a `#`; the part after a `?` isn't part of the path.
fn of_url(url: &str) -> Option<&str> {
    let (_, path) = url.strip_prefix("puppet://")?.split_once('/')?;
    let path = path.strip_prefix(MODULES)?;
    let end = path.find(['?', '#']).filter(|at| path[*at..].starts_with('?'));
    Some(&path[..end.unwrap_or(path.len())])
}

/// Reports the file that a plan sends, which is in `files` of a module, or in the folder that the name says.
fn of_plan(context: &mut Context<'_, '_>, id: ExprId) {
    let Some(name) = text_of(context.typed(), id) else { return };
    let parts = name.split_once('/').and_then(|(module, rest)| Some((module, rest.split_once('/')?)));
    if let Some((module, (folder @ ("files" | "scripts"), rest))) = parts {
        let name = format!("{module}/{rest}");
        let found = module_path(context.db, context.file, context.environment, folder, &name);
        if matches!(found, ModulePath::Found(_)) {
            return;
        }
    }
    any(context, &[id], |it| Some(it), None);
}

/// Whether a URL certainly means a file of a module, in another, wrong form.
fn mistaken(context: &mut Context<'_, '_>, id: ExprId, url: &str) {
    let Some((server, path)) = url.strip_prefix("puppet://").and_then(|it| it.split_once('/')) else {
        return;
    };
    let (mount, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_file = || {
        let found = module_path(context.db, context.file, context.environment, "files", path);
        matches!(found, ModulePath::Found(_))
    };
    let meant = match (server, mount) {
        ("modules", _) => path,
        ("", "module") => rest,
        ("", _) if slip(mount, ["modules"]).is_some() => rest,
        ("", _) if is_file() => path,
        _ => return,
    };
    let message = "files of modules are not found at such an address";
    let finding = context.report(rules::UNRESOLVED_FILE, At::Expr(id), message);
    finding.level = Level::Warning;
    finding.label = Some(format!("did you mean `puppet:///modules/{meant}`?"));
}

/// Reports the folder of a file whose name is computed, if the module has no such folder.
fn folder(context: &mut Context<'_, '_>, names: &[ExprId], path: fn(&str) -> Option<&str>) {
    // Another one of several may exist.
    let [name] = *names else { return };
    let known = known_folder(context, name);
    if let Some(known) = known.as_deref().and_then(path) {
        missing_folder(context, rules::UNRESOLVED_FILE, name, "files", known);
    }
}

/// Reports file names if none of them exists: the first existing one is used.
fn any(
    context: &mut Context<'_, '_>,
    names: &[ExprId],
    path: fn(&str) -> Option<&str>,
    level: Option<Level>,
) {
    let mut missing = Vec::new();
    let (db, file, environment) = (context.db, context.file, context.environment);
    let misspelled = |name: &str| in_misspelled_module(db, file, environment, "files", name);
    for id in names {
        let Some(text) = text_of(context.typed(), *id) else { return };
        let Some(name) = path(&text) else {
            mistaken(context, *id, &text);
            return;
        };
        let module = name.split('/').next().unwrap_or_default();
        let found = module_path(context.db, context.file, context.environment, "files", name);
        missing.push(match found {
            ModulePath::Missing(path) => {
                (*id, level, format!("there is no file `{path}` in module `{module}`"))
            }
            // Servers have modules in addition to those of an environment.
            ModulePath::NoModule => {
                (*id, Some(Level::Warning), format!("there is no module `{module}` with a file"))
            }
            ModulePath::Unknown if let Some(meant) = misspelled(name) => {
                let message = format!("there is no module `{module}` with this file");
                let at = At::Expr(*id);
                not_found::report_unknown(context, rules::UNRESOLVED_FILE, at, message, &meant);
                return;
            }
            ModulePath::Found(_) | ModulePath::Unknown => return,
        });
    }
    let several = missing.len() > 1;
    let Some((first, level, message)) = missing.into_iter().next() else { return };
    let finding = context.report(rules::UNRESOLVED_FILE, At::Expr(first), message);
    finding.level = level.unwrap_or(finding.level);
    finding.label = Some("not found".to_owned());
    if several {
        finding.notes.push("none of the other files exists, either".to_owned());
    }
}
