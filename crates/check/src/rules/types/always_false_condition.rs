//! `always-false-condition`: a condition that never holds.

use marotte_diagnostics::rules;
use marotte_hir::body::{BinaryOp, Expr};
use marotte_hir::{Body, ExprId};

use super::mismatch::{absent_keys, reason, value_of};
use crate::context::{At, Context};
use crate::hints;

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for condition in context.decided().iter().filter(|it| !it.holds) {
        let mut message = "this condition never holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        let absent = absent_keys(context, condition.test);
        let word = word_for_undef(context.body, condition.test);
        let finding = context.report(rules::ALWAYS_FALSE_CONDITION, At::Expr(condition.test), message);
        finding.label = reason(condition);
        finding.notes.extend(absent);
        finding.notes.extend(word);
    }
}

/// That a word of other languages, with which something is compared, is a text.
fn word_for_undef(body: &Body, test: ExprId) -> Option<String> {
    let Expr::Binary(it) = body.expr(test) else { return None };
    let is_word = |id: ExprId| match body.expr(id) {
        Expr::String(text) => hints::word_for_undef(text),
        _ => None,
    };
    let is_comparison = matches!(it.op, BinaryOp::Equal | BinaryOp::NotEqual);
    is_comparison.then(|| is_word(it.left).or_else(|| is_word(it.right))).flatten()
}
