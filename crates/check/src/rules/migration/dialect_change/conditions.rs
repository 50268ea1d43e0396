//! The truth of the empty string (X75).

use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;

use super::{Dialects, Replacement, report, source};
use crate::context::{At, Context};

pub(super) fn check(context: &mut Context<'_, '_>, dialects: Dialects) {
    let Dialects { written, today } = dialects;
    if written.evaluation.empty_string_is_true == today.evaluation.empty_string_is_true {
        return;
    }
    let body = context.body;
    let mut tests: Vec<ExprId> = Vec::new();
    for (_, expr) in body.exprs() {
        match expr {
            Expr::If(it) | Expr::Unless(it) => tests.extend(it.arms.iter().map(|it| it.test)),
            Expr::And(left, right) | Expr::Or(left, right) => tests.extend([*left, *right]),
            Expr::Not(it) => tests.push(*it),
            _ => {}
        }
    }
    for test in tests {
        let Some(known) = context.inference().type_of(test) else { continue };
        if !may_be_empty(known, dialects) {
            continue;
        }
        let message = "the empty string is true in Puppet 8".to_owned();
        // All other values are converted to Booleans as before.
        let fix = matches!(body.expr(test), Expr::Variable(_)).then(|| {
            let text = source(context, test);
            let text = match known.resolved().kind() {
                TypeKind::Optional(_) => format!("!empty({text})"),
                _ => format!("({text} != '')"),
            };
            Replacement::safe(test, text)
        });
        report(context, At::Expr(test), message, fix);
    }
}

/// Whether a value of a type may be the empty string, and is always a string or `undef`.
fn may_be_empty(it: &Type, dialects: Dialects) -> bool {
    let is_text = |it: &Type| {
        matches!(it.resolved().kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
    };
    let texts = match it.resolved().kind() {
        TypeKind::Optional(Some(inner)) => is_text(inner),
        _ => is_text(it),
    };
    texts && instance_of(dialects.today, it, &Value::String("".into()))
}
