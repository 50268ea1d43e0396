//! `unresolved-template`: `epp` or `template` refers to a file that the module doesn't have.

use marotte_db::module_file;
use marotte_diagnostics::{Level, rules};
use marotte_hir::ExprId;
use marotte_infer::known_values::text_of;
use marotte_resolve::call::NamedCall;
use marotte_resolve::metadata::metadata;
use marotte_resolve::module_files::{ModulePath, in_misspelled_module, module_path};
use marotte_resolve::spelling::nearest;

use super::computed_path::{known_folder, missing_folder};
use super::not_found;
use crate::analysis::resources::parameters::DEFERRABLE;
use crate::analysis::variables::defaults::default_that_applies;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (names, ending): (Vec<_>, _) = match call.plain_name() {
            "epp" | DEFERRABLE => (call.arguments().take(1).collect(), ".epp"),
            "template" => (call.arguments().collect(), ""),
            _ => continue,
        };
        for id in names.into_iter().flat_map(|it| context.choices(it)).collect::<Vec<_>>() {
            let default = default_that_applies(context, id);
            let id = default.unwrap_or(id);
            let Some(mut name) = text_of(context.typed(), id) else {
                if let Some(known) = known_folder(context, id) {
                    missing_folder(context, rules::UNRESOLVED_TEMPLATE, id, "templates", &known);
                }
                continue;
            };
            if !name.ends_with(ending) {
                name.push_str(ending);
            }
            if !name.is_empty() && !name.contains(['/', '\\']) {
                // A word in a default may say that there is no template.
                if default.is_none() {
                    without_module(context, id, &name);
                }
                continue;
            }
            let found = module_path(context.db, context.file, context.environment, "templates", &name);
            let (message, is_absent) = match found {
                ModulePath::Missing(path) => {
                    (format!("there is no template `{path}` in module `{}`", module(&name)), false)
                }
                ModulePath::NoModule => {
                    (format!("there is no module `{}` with a template", module(&name)), true)
                }
                ModulePath::Found(_) if ending.is_empty() && name.ends_with(".epp") => {
                    let message = "`template` renders ERB, but this template is in EPP";
                    let finding = context.report(rules::UNRESOLVED_TEMPLATE, At::Expr(id), message);
                    finding.level = Level::Warning;
                    finding.label = Some("did you mean `epp`?".to_owned());
                    continue;
                }
                ModulePath::Unknown => {
                    let other = || {
                        let (db, file) = (context.db, context.file);
                        in_misspelled_module(db, file, context.environment, "templates", &name)
                    };
                    if let Some(own) = own_template(context, &name).or_else(other) {
                        let message = format!("there is no module `{}` with a template", module(&name));
                        let at = At::Expr(id);
                        not_found::report_unknown(context, rules::UNRESOLVED_TEMPLATE, at, message, &own);
                    }
                    continue;
                }
                ModulePath::Found(_) => continue,
            };
            // The parameter may select another module's template; the code that sets it knows.
            if default.is_some() && (is_absent || context.has_reported(rules::UNRESOLVED_TEMPLATE, &message))
            {
                continue;
            }
            let finding = context.report(rules::UNRESOLVED_TEMPLATE, At::Expr(id), message);
            finding.label = Some("not found".to_owned());
            if is_absent {
                // Servers have modules in addition to those of an environment.
                finding.level = Level::Warning;
            }
        }
    }
}

/// Reports a template that is named without a module, which no module provides.
fn without_module(context: &mut Context<'_, '_>, id: ExprId, name: &str) {
    let message = format!("the template `{name}` is found nowhere: a name starts with that of a module");
    let own = module_file(context.db, context.file).map(|it| format!("{}/{name}", it.module));
    let meant = own.filter(|it| {
        let found = module_path(context.db, context.file, context.environment, "templates", it);
        matches!(found, ModulePath::Found(_))
    });
    let finding = context.report(rules::UNRESOLVED_TEMPLATE, At::Expr(id), message);
    finding.label = Some(meant.map_or("no module".to_owned(), |it| format!("did you mean `{it}`?")));
}

/// The template of the item's own module that is meant by a name of which only the module is misspelled. None if the metadata
/// list the module.
fn own_template(context: &Context<'_, '_>, name: &str) -> Option<String> {
    let db = context.db;
    let own = &module_file(db, context.file)?.module;
    let (module, path) = name.split_once('/')?;
    let is_listed = metadata(db, context.environment, own.clone())
        .is_none_or(|it| it.dependencies.iter().any(|it| it == module));
    nearest(module, [own.as_str()]).filter(|_| !is_listed)?;
    let meant = format!("{own}/{path}");
    let found = module_path(db, context.file, context.environment, "templates", &meant);
    matches!(found, ModulePath::Found(_)).then_some(meant)
}

fn module(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}
