//! Names of files that are computed: what is known of them, and the folder that they are in.

use marotte_diagnostics::{Level, Rule};
use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Segment};
use marotte_infer::known_values::text_of;
use marotte_resolve::module_files::{ModulePath, module_path};

use crate::context::{At, Context};

/// The start of a text that is computed in part, up to the last `/` before what is not known: `m/sites` of `"m/sites/${name}.erb"`.
pub(super) fn known_folder(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    let Expr::Interpolated(segments) = context.body.expr(id) else { return None };
    if context.inference().is_unreachable(id) {
        return None;
    }
    let mut known = String::new();
    for segment in segments {
        match segment {
            Segment::Text(text) => known.push_str(text),
            Segment::Expr(expr) => match text_of(context.typed(), *expr) {
                Some(text) => known.push_str(&text),
                None => break,
            },
        }
    }
    known.truncate(known.rfind('/')?);
    Some(known)
}

/// Reports `module/folder`, the folder of a computed name, if the module has no such folder below the folder of this kind.
pub(super) fn missing_folder(
    context: &mut Context<'_, '_>,
    rule: &'static Rule,
    id: ExprId,
    kind: &str,
    name: &str,
) {
    let Some((module, _)) = name.split_once('/') else { return };
    let found = module_path(context.db, context.file, context.environment, kind, name);
    let ModulePath::Missing(path) = found else { return };
    let message = format!("there is no folder `{path}` in module `{module}`");
    let finding = context.report(rule, At::Expr(id), message);
    finding.level = Level::Warning;
    finding.label = Some("not found".to_owned());
}
