//! `always-false-condition`: a condition holds for no value.

use super::mismatch::{unequal, value_of};
use crate::conditions::decided;
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    for condition in decided(context).into_iter().filter(|it| !it.holds) {
        let mut message = "this condition never holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        context.report("always-false-condition", At::Expr(condition.test), message).label =
            condition.unequal.map(|it| unequal(&it));
    }
}
