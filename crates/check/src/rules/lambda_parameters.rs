//! `argument-count` of lambdas: a function gives its lambda fewer values than that needs, or more than it takes.

use marotte_hir::body::Lambda;
use marotte_pcore::types::Size;

use crate::context::{At, Context};
use crate::functions::NamedCall;
use crate::signatures::{overloads, parameters_of};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (Some(lambda), Some(count)) = (call.lambda, call.count(body)) else { continue };
        let name = call.plain_name();
        let function = context.function(name);
        let types = || call.arguments().map(|it| context.inference.type_of(it));
        let given: Vec<Size> = overloads(context.db, function, name)
            .iter()
            .filter(|it| it.takes(count) && it.refused(types()).is_none())
            .filter_map(|it| Some(parameters_of(it.callable.block.as_ref()?)?.size_range()))
            .collect();
        let lambda = body.lambda(lambda);
        let takes = size(lambda);
        let is_taken = |given: &Size| {
            takes.min <= given.min
                && takes.max.is_none_or(|takes| given.max.is_some_and(|given| given <= takes))
        };
        if given.is_empty() || given.iter().any(is_taken) {
            continue;
        }
        let least = given.iter().map(|it| it.min).min().unwrap_or_default();
        let most = given.iter().map(|it| it.max.unwrap_or(it.min)).max().unwrap_or(least);
        let wanted = match (least, most) {
            (1, 1) => "1 parameter".to_owned(),
            _ if least == most => format!("{most} parameters"),
            _ => format!("{least} to {most} parameters"),
        };
        let has = match lambda.parameters.len() {
            0 => "none".to_owned(),
            count => count.to_string(),
        };
        // The first that is too much, or the function whose lambda has too few.
        let surplus = usize::try_from(most).ok().and_then(|it| lambda.parameters.get(it));
        let at = surplus.map_or(At::Callee(id), |it| At::Expr(it.at));
        context
            .report("argument-count", at, format!("the lambda of `{name}` has {wanted}, not {has}"))
            .label = Some(
            if surplus.is_some() { "one too many" } else { "its lambda has too few parameters" }.to_owned(),
        );
    }
}

/// How many values a lambda takes.
fn size(lambda: &Lambda) -> Size {
    let parameters = &lambda.parameters;
    let min = parameters.iter().filter(|it| it.default.is_none() && !it.captures_rest).count();
    let rest = parameters.iter().any(|it| it.captures_rest);
    Size { min: min as u64, max: (!rest).then_some(parameters.len() as u64) }
}
