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
        let wrong = |it: ExprId| context.inference().type_of(it).filter(|it| is_wrong(it, expected)).cloned();
        let of_default = wrong(default).map(|given| (default, given, false));
        // A lookup without a type may return anything that data has.
        let of_fallback = || {
            let value = fallback(context.body, default)?;
            // As without a default value, some data has to have the key.
            let is_required = matches!(context.body.expr(value), Expr::Undef);
            wrong(value).filter(|_| !is_required).map(|given| (value, given, true))
        };
        let Some((default, given, is_fallback)) = of_default.or_else(of_fallback) else { continue };
        if parameter.captures_rest {
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
        if is_fallback {
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
