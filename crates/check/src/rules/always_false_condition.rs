//! `always-false-condition`: a condition holds for no value.

use super::mismatch::{absent_keys, unequal, value_of};
use crate::conditions::decided;
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    for condition in decided(context).into_iter().filter(|it| !it.holds) {
        let mut message = "this condition never holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        let absent = absent_keys(context, condition.test);
        let finding = context.report("always-false-condition", At::Expr(condition.test), message);
        finding.label = condition.unequal.map(|it| unequal(&it));
        finding.notes.extend(absent);
    }
}
