//! `always-true-condition`: a condition holds whatever the values are.

use marotte_pcore::types::TypeKind;

use super::mismatch::{absent_keys, unequal, value_of};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>) {
    for condition in context.decided().iter().filter(|it| it.holds) {
        let is_text = matches!(condition.known.resolved().kind(), TypeKind::String(_));
        let mut message = "this condition always holds".to_owned();
        if condition.is_value {
            message.push_str(&format!(": its value is {}", value_of(&condition.known)));
        }
        let absent = absent_keys(context, condition.test);
        let finding = context.report("always-true-condition", At::Expr(condition.test), message);
        finding.label = condition.unequal.as_ref().map(unequal);
        finding.notes.extend(absent);
        if is_text {
            finding.notes.push(
                "the empty string counts as true as well; compare with `''`, or ask `empty`".to_owned(),
            );
        }
    }
}
