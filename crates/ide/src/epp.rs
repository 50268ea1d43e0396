//! Calls that render templates in EPP.

use marotte_db::File;
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, Variable};
use marotte_resolve::call::NamedCall;

use crate::Db;
use crate::words::has_words;

/// The extension of the templates.
pub(crate) const EXTENSION: &str = ".epp";

/// Whether a call renders a template with the values of a hash.
pub(crate) fn renders(call: &NamedCall<'_>) -> bool {
    matches!(call.plain_name(), "epp" | "deferrable_epp" | "stdlib::deferrable_epp")
}

/// Whether a file may have such a call, judging by its words.
pub(crate) fn may_render(db: &dyn Db, file: File) -> bool {
    ["epp", "deferrable_epp"].iter().any(|it| has_words(db, file, it))
}

/// Whether a text names the template at a path without its extension, which Puppet adds.
pub(crate) fn is_named(text: &str, path: &str) -> bool {
    text.trim_end_matches(EXTENSION) == path
}

/// The value of a variable that is set once; any other expression itself.
pub(crate) fn value_of(body: &Body, id: ExprId) -> ExprId {
    if let Expr::Variable(variable) = body.expr(id)
        && let Variable::Local { name, .. } = &**variable
    {
        return body.set_once(name).unwrap_or(id);
    }
    id
}
