//! `default-value-type`: a parameter's default value that isn't of the parameter's type.

use marotte_diagnostics::{Level, rules};
use marotte_hir::ItemKind;
use marotte_hir::body::Expr;
use marotte_infer::declared::declared;
use marotte_infer::disjoint::{disjoint, refused};

use super::mismatch::{blame, explain};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let types = declared(context.db, context.item);
    let is_wrong = match context.item.kind(context.db) {
        ItemKind::Class | ItemKind::Define | ItemKind::Template => refused,
        _ => disjoint,
    };
    for (parameter, expected) in context.body.parameters.iter().zip(&types.parameters) {
        let (Some(default), Some(expected)) = (parameter.default, expected) else { continue };
        let Some(given) = context.inference().type_of(default).cloned() else { continue };
        if parameter.captures_rest || !is_wrong(&given, expected) {
            continue;
        }
        let subject = format!("the default value of `${}`", parameter.name);
        let related =
            parameter.type_expr.map(|it| context.related(At::Expr(it), "the type is declared here"));
        let (at, label) = blame(context, default, expected);
        let is_nothing = matches!(context.body.expr(default), Expr::Undef);
        let finding =
            context.report(rules::DEFAULT_VALUE_TYPE, At::Expr(at), explain(&subject, expected, &given));
        finding.label = Some(label);
        finding.related.extend(related);
        if is_nothing {
            // Many authors write this to require a value, which works as long as a value is passed.
            finding.level = Level::Warning;
            finding.notes.push(
                "callers have to pass a value all the same; without a default value, the error would name the parameter"
                    .to_owned(),
            );
        }
    }
}
