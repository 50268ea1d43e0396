//! `unresolved-template`: `epp` or `template` name a file that the module does not have.

use marotte_hir::body::Expr;

use crate::context::{At, Context};
use crate::functions::NamedCall;
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
        for id in names {
            let Expr::String(text) = body.expr(id) else { continue };
            let mut name = text.to_string();
            if !name.ends_with(ending) {
                name.push_str(ending);
            }
            let found = module_path(context.db, context.file, context.environment, "templates", &name);
            let message = match found {
                ModulePath::Missing(path) => {
                    format!("there is no template `{path}` in module `{}`", module(&name))
                }
                ModulePath::NoModule => format!("there is no module `{}` with a template", module(&name)),
                ModulePath::Found(_) | ModulePath::Unknown => continue,
            };
            context.report("unresolved-template", At::Expr(id), message).label = Some("not found".to_owned());
        }
    }
}

fn module(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}
