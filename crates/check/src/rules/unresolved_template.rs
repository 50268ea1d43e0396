//! `unresolved-template`: `epp` or `template` name a file that the module does not have.

use marotte_diagnostics::Level;

use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::known_values::text_of;
use crate::module_files::{ModulePath, module_path};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (names, ending): (Vec<_>, _) = match call.plain_name() {
            "epp" => (call.arguments().take(1).collect(), ".epp"),
            "template" => (call.arguments().collect(), ""),
            _ => continue,
        };
        for id in names.into_iter().flat_map(|it| context.choices(it)).collect::<Vec<_>>() {
            let Some(mut name) = text_of(context, id) else { continue };
            if !name.ends_with(ending) {
                name.push_str(ending);
            }
            let found = module_path(context.db, context.file, context.environment, "templates", &name);
            let (message, is_absent) = match found {
                ModulePath::Missing(path) => {
                    (format!("there is no template `{path}` in module `{}`", module(&name)), false)
                }
                ModulePath::NoModule => {
                    (format!("there is no module `{}` with a template", module(&name)), true)
                }
                ModulePath::Found(_) | ModulePath::Unknown => continue,
            };
            let finding = context.report("unresolved-template", At::Expr(id), message);
            finding.label = Some("not found".to_owned());
            if is_absent {
                // Servers have modules besides those of an environment.
                finding.level = Level::Warning;
            }
        }
    }
}

fn module(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}
