//! `argument-count` of lambdas: a built-in function gives its lambda fewer values than that needs, or more than it takes.

use marotte_hir::body::Lambda;
use marotte_pcore::types::{Size, TypeKind};

use crate::context::{At, Context};
use crate::functions::{Function, NamedCall, function};

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (Some(lambda), Some(count)) = (call.lambda, call.count(body)) else { continue };
        let Function::Builtin(builtin) = function(context.db, context.file, context.environment, call.name)
        else {
            continue;
        };
        let given: Vec<Size> = builtin
            .callables()
            .iter()
            .filter_map(|it| match it.kind() {
                TypeKind::Callable(it) => Some(it),
                _ => None,
            })
            .filter(|it| it.parameters.as_ref().is_none_or(|it| it.size_range().contains(count)))
            .filter_map(|it| block_size(it.block.as_ref()?))
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
        let name = call.plain_name();
        context
            .report("argument-count", at, format!("the lambda of `{name}` has {wanted}, not {has}"))
            .label =
            Some(if surplus.is_some() { "one too many" } else { "its lambda has too few" }.to_owned());
    }
}

/// How many values a function gives its lambda.
fn block_size(block: &marotte_pcore::types::Type) -> Option<Size> {
    match block.resolved().kind() {
        TypeKind::Optional(Some(it)) => block_size(it),
        TypeKind::Callable(it) => it.parameters.as_ref().map(|it| it.size_range()),
        _ => None,
    }
}

/// How many values a lambda takes.
fn size(lambda: &Lambda) -> Size {
    let parameters = &lambda.parameters;
    let min = parameters.iter().filter(|it| it.default.is_none() && !it.captures_rest).count();
    let rest = parameters.iter().any(|it| it.captures_rest);
    Size { min: min as u64, max: (!rest).then_some(parameters.len() as u64) }
}
