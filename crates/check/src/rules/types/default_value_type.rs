//! `default-value-type`: a parameter's default value that isn't of the parameter's type.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::Expr;
use marotte_hir::{Body, ExprId, ItemKind};
use marotte_infer::declared::declared;
use marotte_infer::disjoint::{disjoint, refused};
use marotte_resolve::call::NamedCall;

use super::mismatch::{blame, explain};
use crate::context::{At, Context};

/// The default value of a lookup: the fourth argument of `lookup`, or the option `default_value`.
fn fallback(body: &Body, value: ExprId) -> Option<ExprId> {
    let call = NamedCall::of(body.expr(value)).filter(|it| it.plain_name() == "lookup")?;
    let arguments: Vec<ExprId> = call.arguments().collect();
    let is_option = |key: ExprId| matches!(body.expr(key), Expr::String(it) if it == "default_value");
    match (&arguments[..], arguments.last().map(|it| body.expr(*it))) {
        ([_, _, _, value], _) => Some(*value),
        (_, Some(Expr::Hash(options))) => options.iter().find(|it| is_option(it.0)).map(|it| it.1),
        _ => None,
    }
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let types = declared(context.db, context.item);
    let is_wrong = match context.item.kind(context.db) {
        ItemKind::Class | ItemKind::Define | ItemKind::Template => refused,
        _ => disjoint,
    };
    for (parameter, expected) in context.body.parameters.iter().zip(&types.parameters) {
        let (Some(default), Some(expected)) = (parameter.default, expected) else { continue };
        let fallback = fallback(context.body, default);
        let default = fallback.unwrap_or(default);
        let Some(given) = context.inference().type_of(default).cloned() else { continue };
        if parameter.captures_rest || !is_wrong(&given, expected) {
            continue;
        }
        let subject = format!("the default value of `${}`", parameter.name);
        let related =
            parameter.type_expr.map(|it| context.related(At::Expr(it), "the type is declared here"));
        let (at, label) = blame(context, default, expected);
        let is_nothing = matches!(context.body.expr(default), Expr::Undef);
        if fallback.is_some() && is_nothing {
            // As without a default value, some data has to have the key.
            continue;
        }
        let finding =
            context.report(rules::DEFAULT_VALUE_TYPE, At::Expr(at), explain(&subject, expected, &given));
        finding.label = Some(label);
        finding.related.extend(related);
        if fallback.is_some() {
            finding.level = Level::Warning;
            finding.notes.push("the lookup returns it if no data has the key".to_owned());
        }
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
