//! `always-true-condition`: a condition that always holds.

use marotte_diagnostics::rules;
use marotte_hir::body::{BinaryOp, Expr};
use marotte_hir::{Body, ExprId};
use marotte_pcore::types::TypeKind;

use super::mismatch::{absent_keys, reason, value_of};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for condition in context.decided().iter().filter(|it| it.holds) {
        let is_text = matches!(condition.known.resolved().kind(), TypeKind::String(_));
        let is_list = matches!(
            condition.known.resolved().kind(),
            TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Hash(..) | TypeKind::Struct(_)
        );
        let mut message = "this condition always holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        let absent = absent_keys(context, condition.test);
        let finding = context.report(rules::ALWAYS_TRUE_CONDITION, At::Expr(condition.test), message);
        finding.label = reason(condition);
        finding.notes.extend(absent);
        if is_text && is_rest_of_comparison(body, condition.test) {
            finding.notes.push(
                "`or` and `and` join whole conditions: repeat the comparison, or ask `$value in ['one', 'other']`"
                    .to_owned(),
            );
        } else if is_list {
            finding.notes.push("an empty array or hash counts as true as well; ask `empty`".to_owned());
        } else if is_text {
            finding.notes.push(
                "the empty string counts as true as well; compare with `''`, or ask `empty`".to_owned(),
            );
        }
    }
}

/// Whether a string after `or` is written as if it continued the comparison before: `$a == 'x' or 'y'`.
fn is_rest_of_comparison(body: &Body, text: ExprId) -> bool {
    let is_comparison = |id: ExprId| match body.expr(id) {
        Expr::Binary(it) => matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::Match),
        _ => false,
    };
    matches!(body.expr(text), Expr::String(_))
        && body.exprs().any(|(_, expr)| match expr {
            Expr::Or(left, right) | Expr::And(left, right) => *right == text && is_comparison(*left),
            _ => false,
        })
}
