//! The templates in ERB that a body renders.

use marotte_db::File;
use marotte_hir::body::{Expr, Variable};
use marotte_hir::{ExprId, ItemKind, NameKind};
use marotte_infer::known_values::values_of;
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::module_files::{ModulePath, module_path};
use marotte_resolve::names::{Lookup, look_up};
use marotte_text::Str;

use crate::context::Context;

/// Returns the files that a class or a defined type renders with `template`, each with the argument that names it: several, if the
/// argument is one of a few names. Calls that are never evaluated are left out, and so are names that are computed.
pub(crate) fn rendered_templates(context: &Context<'_, '_>) -> Vec<(ExprId, File)> {
    let db = context.db;
    let files = |argument| {
        let paths = values_of(context.typed(), argument).or_else(|| default_of(context, argument));
        let paths = paths.unwrap_or_default();
        let template = |path: Value| {
            let path = path.as_str()?;
            match module_path(db, context.file, context.environment, "templates", path) {
                ModulePath::Found(template) => Some((argument, template)),
                _ => None,
            }
        };
        paths.into_iter().filter_map(template).collect::<Vec<_>>()
    };
    template_arguments(context).into_iter().flat_map(files).collect()
}

/// The default value of a parameter, if an expression is one and the value is a string.
fn default_of(context: &Context<'_, '_>, id: ExprId) -> Option<Vec<Value>> {
    let body = context.body;
    let Expr::Variable(variable) = body.expr(id) else { return None };
    let name = match &**variable {
        Variable::Local { name, .. } => name,
        Variable::Qualified { scope, name, .. } => {
            let Lookup::Found(class) = look_up(context.db, context.file, NameKind::Class, scope) else {
                return None;
            };
            let body = class.body(context.db);
            let default = body.parameters.iter().find(|it| it.name == *name)?.default?;
            return match body.expr(default) {
                Expr::String(path) => Some(vec![Value::from(path.as_str())]),
                _ => None,
            };
        }
        Variable::Top(_) | Variable::Group(_) => return None,
    };
    let default = body.parameters.iter().find(|it| it.name == *name)?.default?;
    values_of(context.typed(), default)
}

/// Returns the arguments that name templates in the calls of `template` of a class or a defined type.
pub(crate) fn template_arguments(context: &Context<'_, '_>) -> Vec<ExprId> {
    if !matches!(context.item.kind(context.db), ItemKind::Class | ItemKind::Define) {
        return Vec::new();
    }
    let calls = context.body.calls().filter_map(|(id, expr)| Some((id, NamedCall::of(expr)?)));
    let calls = calls
        .filter(|(id, call)| call.plain_name() == "template" && !context.inference().is_unreachable(*id));
    calls.flat_map(|(_, call)| call.arguments().collect::<Vec<_>>()).collect()
}

/// Returns the texts that a class or a defined type renders with `inline_template`, each with the argument that it is.
pub(crate) fn inline_templates(context: &Context<'_, '_>) -> Vec<(ExprId, Str)> {
    if !matches!(context.item.kind(context.db), ItemKind::Class | ItemKind::Define) {
        return Vec::new();
    }
    let calls = context.body.calls().filter_map(|(id, expr)| Some((id, NamedCall::of(expr)?)));
    let calls = calls.filter(|(id, call)| {
        call.plain_name() == "inline_template" && !context.inference().is_unreachable(*id)
    });
    let arguments = calls.flat_map(|(_, call)| call.arguments().collect::<Vec<_>>());
    let text = |argument| match context.body.expr(argument) {
        Expr::String(text) => Some((argument, text.clone())),
        _ => None,
    };
    arguments.filter_map(text).collect()
}
