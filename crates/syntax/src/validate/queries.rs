//! Collectors and their queries.

use super::Checker;
use crate::SyntaxErrorKind;
use crate::ast::{BinaryOp, Collector, Expr, ExprKind};

impl Checker<'_> {
    pub(super) fn collector(&mut self, expr: &Expr, collector: &Collector) {
        if self.collector_is_allowed(expr, collector)
            && !matches!(collector.type_ref.kind, ExprKind::Reference(_) | ExprKind::Error)
        {
            self.illegal_expression(&collector.type_ref, "type name", expr.label());
        }
        self.inner(&collector.type_ref);
        if let Some(condition) = &collector.query.condition {
            self.condition(condition);
            self.inner(condition);
        }
        self.attributes(&collector.attributes, None);
    }

    /// Checks a condition: `==` and `!=` with anything on their sides, combined by `and` and `or`.
    fn condition(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Binary(binary) => match binary.op {
                BinaryOp::Equal | BinaryOp::NotEqual => {}
                BinaryOp::And | BinaryOp::Or => {
                    self.condition(&binary.left);
                    self.condition(&binary.right);
                }
                _ => self.report(expr.range, SyntaxErrorKind::IllegalQuery(expr.label())),
            },
            ExprKind::Parenthesized(inner) => self.condition(inner),
            ExprKind::Variable(_)
            | ExprKind::Name(_)
            | ExprKind::Integer { .. }
            | ExprKind::LargeInteger { .. }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Boolean(_)
            | ExprKind::Error => {}
            _ => self.report(expr.range, SyntaxErrorKind::IllegalQuery(expr.label())),
        }
    }
}
