//! The default values of parameters.

use marotte_hir::body::{Expr, Variable};
use marotte_hir::{ExprId, ItemKind};
use marotte_text::unrooted;

use crate::context::Context;
use crate::data::found::values_of_key;

/// The default value of the parameter that is read, if it applies when no value is passed: data has none.
pub(crate) fn default_that_applies(context: &Context<'_, '_>, id: ExprId) -> Option<ExprId> {
    let (db, item, body) = (context.db, context.item, context.body);
    let Expr::Variable(variable) = body.expr(id) else { return None };
    let Variable::Local { name, .. } = &**variable else { return None };
    let default = body.parameters.iter().find(|it| it.name == *name)?.default?;
    let is_default = match item.kind(db) {
        ItemKind::Define => true,
        ItemKind::Class => {
            let key = format!("{}::{name}", unrooted(item.name(db)));
            values_of_key(db, context.environment, &key).is_some_and(|it| it.is_empty())
        }
        _ => false,
    };
    is_default.then_some(default)
}
