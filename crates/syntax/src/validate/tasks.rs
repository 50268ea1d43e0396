//! Tasks mode: plans compile no catalog, except in the blocks of `apply`.

use super::{Checker, Place};
use crate::SyntaxErrorKind;
use crate::ast::{Apply, Collector, Expr};

impl Checker<'_> {
    /// Rejects catalog code in a plan. A rejected expression is not checked further, but its children are.
    pub(super) fn catalog_code_is_allowed(&mut self, expr: &Expr) -> bool {
        let allowed = !self.mode.tasks || self.in_apply;
        if !allowed {
            self.report(expr.range, SyntaxErrorKind::NotInPlan(expr.label()));
        }
        allowed
    }

    /// Rejects collectors of exported resources in `apply`, where nothing can be imported from other nodes.
    pub(super) fn collector_is_allowed(&mut self, expr: &Expr, collector: &Collector) -> bool {
        let allowed = self.catalog_code_is_allowed(expr);
        if allowed && self.mode.tasks && collector.query.exported {
            self.report(expr.range, SyntaxErrorKind::NotInApply(expr.label()));
            return false;
        }
        allowed
    }

    pub(super) fn apply(&mut self, expr: &Expr, apply: &Apply) {
        if self.in_apply {
            self.report(expr.range, SyntaxErrorKind::NotInApply(expr.label()));
        }
        for argument in &apply.arguments {
            self.expr(argument, Place::Top);
        }
        let in_apply = std::mem::replace(&mut self.in_apply, true);
        self.block(&apply.body, Place::ClassBody);
        self.in_apply = in_apply;
    }
}
