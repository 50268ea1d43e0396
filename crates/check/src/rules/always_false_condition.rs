//! `always-false-condition`: a condition holds for no value.

use super::mismatch::{absent_keys, reason, value_of};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    for condition in context.decided().iter().filter(|it| !it.holds) {
        let mut message = "this condition never holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        let absent = absent_keys(context, condition.test);
        let finding = context.report("always-false-condition", At::Expr(condition.test), message);
        finding.label = reason(condition);
        finding.notes.extend(absent);
    }
}
