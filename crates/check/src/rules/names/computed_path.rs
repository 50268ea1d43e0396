//! Names of files that are computed: what is known of them, and the folder that they are in.

use marotte_hir::ExprId;
use marotte_hir::body::{Expr, Segment};
use marotte_infer::known_values::text_of;
use marotte_resolve::module_files::{ModulePath, module_path};

use crate::context::Context;

/// The start of a text that is computed in part, up to the last `/` before what is not known: `m/sites` of `"m/sites/${name}.erb"`.
pub(super) fn known_folder(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    let Expr::Interpolated(segments) = context.body.expr(id) else { return None };
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

/// The message about `module/folder`, if the module has no such folder.
pub(super) fn missing_folder(context: &Context<'_, '_>, kind: &str, name: &str) -> Option<String> {
    let (module, _) = name.split_once('/')?;
    match module_path(context.db, context.file, context.environment, kind, name) {
        ModulePath::Missing(path) => Some(format!("there is no folder `{path}` in module `{module}`")),
        _ => None,
    }
}
