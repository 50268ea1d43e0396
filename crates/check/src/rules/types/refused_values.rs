//! `argument-type`: a pure function rejects its arguments, though their types are right.

use marotte_diagnostics::rules;
use marotte_eval::functions::Effects;
use marotte_hir::body::Expr;
use marotte_infer::known_values::{refused, values_of};
use marotte_infer::signatures::overloads;
use marotte_pcore::types::Size;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_ruby::core::legacy_functions;

use crate::context::{At, Context};

/// Functions whose arguments other rules check: formats, regular expressions, conversions.
const OTHERS: [&str; 6] = ["convert_to", "match", "new", "regsubst", "split", "sprintf"];

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr).filter(|it| it.lambda.is_none()) else { continue };
        let name = call.plain_name();
        let found = context.function(name);
        let Function::Builtin(builtin) = found else { continue };
        // Some check the number of their arguments themselves: `argument-count`.
        let is_legacy = builtin.shapes().all(|(size, _)| size == Size { min: 0, max: None })
            && legacy_functions().iter().any(|it| it.name == name);
        let is_splat = |id| matches!(body.expr(id), Expr::Splat(_));
        if builtin.effects != Effects::Pure
            || OTHERS.contains(&name)
            || is_legacy
            || context.inference().is_unreachable(id)
            || call.arguments().any(is_splat)
        {
            continue;
        }
        let of_each: Option<Vec<_>> = call.arguments().map(|it| values_of(context.typed(), it)).collect();
        let Some(of_each) = of_each.filter(|it| !it.is_empty()) else { continue };
        // Errors against the signatures are already reported.
        let types = || call.arguments().map(|it| context.inference().type_of(it));
        let takes = overloads(context.db, found, name)
            .iter()
            .any(|it| it.takes(of_each.len()) && it.takes_lambda(false) && it.refused(types()).is_none());
        let Some(error) = takes.then(|| refused(name, &of_each)).flatten() else { continue };
        let at = match call.arguments().collect::<Vec<_>>()[..] {
            [only] => At::Expr(only),
            _ => At::Callee(id),
        };
        let message = error.message.lines().next().unwrap_or_default().trim_end_matches('.').to_owned();
        context.report(rules::ARGUMENT_TYPE, at, message);
    }
}
