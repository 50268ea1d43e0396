//! What only a catalog can evaluate, and is refused without one.

use marotte_hir::ExprId;
use marotte_hir::body::Expr;

use super::{Env, Evaluated, Interpreter};
use crate::Unwind;

impl Interpreter<'_> {
    /// Refuses an expression that adds to a catalog.
    pub(super) fn catalog(&mut self, env: &Env<'_>, id: ExprId, expr: &Expr) -> Evaluated {
        let what = match expr {
            Expr::Relationship { .. } => "a relationship",
            Expr::Resource(_) => "a resource",
            Expr::ResourceDefaults(..) => "defaults of resources",
            Expr::ResourceOverride(..) => "an override of a resource",
            Expr::Collector(_) => "a collector",
            _ => "apply",
        };
        Err(self.no_catalog(env, id, what))
    }

    /// An operation needs a catalog, and there is none.
    pub(crate) fn no_catalog(&self, env: &Env<'_>, id: ExprId, operation: &str) -> Unwind {
        let message = format!("{operation} needs a catalog, and expressions are evaluated without one");
        self.fail(env, id, "catalog-operation-not-supported", message)
    }
}
