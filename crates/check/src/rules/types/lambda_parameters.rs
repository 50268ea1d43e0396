//! `argument-count` and `argument-type` for lambdas: a function passes to its lambda fewer values than it requires, more than
//! it accepts, or values of other types than its parameters'.

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::{Lambda, LambdaId};
use marotte_infer::declared::type_in;
use marotte_infer::disjoint::{clash, disjoint};
use marotte_infer::inference::{Known, lambda_arguments};
use marotte_infer::signatures::{overloads, parameters_of};
use marotte_pcore::types::{Size, Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;

use super::mismatch::{until_set, value_of};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let (Some(lambda), Some(count)) = (call.lambda, call.count(body)) else { continue };
        let lambda = Called { at: id, call, count, lambda };
        let is_told = lambda.is_short_of_values(context) || lambda.takes_another_count(context);
        if !is_told {
            lambda.takes_other_types(context);
        }
    }
}

/// A lambda, and the function that calls it.
struct Called<'b> {
    at: ExprId,
    call: NamedCall<'b>,
    /// The number of arguments passed to the function.
    count: usize,
    lambda: LambdaId,
}

impl Called<'_> {
    /// Reports a lambda of `with`, which passes on its arguments, that requires more of them. Surplus arguments don't matter.
    fn is_short_of_values(&self, context: &mut Context<'_, '_>) -> bool {
        if self.call.plain_name() != "with" || context.inference().is_unreachable(self.at) {
            return false;
        }
        let needed = context.body.lambda(self.lambda).parameters.iter();
        let mut needed = needed.filter(|it| it.default.is_none() && !it.captures_rest);
        let Some(lacking) = needed.nth(self.count) else { return false };
        let values = match self.count {
            1 => "1 value".to_owned(),
            count => format!("{count} values"),
        };
        let message = format!("`with` gives its lambda {values}, which is none for `${}`", lacking.name);
        let finding = context.report(rules::ARGUMENT_COUNT, At::Expr(lacking.at), message);
        finding.label = Some("no value is left for it".to_owned());
        true
    }

    /// Reports a lambda that doesn't accept the number of values in the function's signature.
    fn takes_another_count(&self, context: &mut Context<'_, '_>) -> bool {
        let name = self.call.plain_name();
        let function = context.function(name);
        let types = || self.call.arguments().map(|it| context.inference().type_of(it));
        let given: Vec<Size> = overloads(context.db, function, name)
            .iter()
            .filter(|it| it.takes(self.count) && it.refused(types()).is_none())
            .filter_map(|it| Some(parameters_of(it.callable.block.as_ref()?)?.size_range()))
            .collect();
        let lambda = context.body.lambda(self.lambda);
        let takes = size(lambda);
        let is_taken = |given: &Size| {
            takes.min <= given.min
                && takes.max.is_none_or(|takes| given.max.is_some_and(|given| given <= takes))
        };
        if given.is_empty() || given.iter().any(is_taken) {
            return false;
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
        // The first surplus parameter, or the function whose lambda has too few.
        let surplus = usize::try_from(most).ok().and_then(|it| lambda.parameters.get(it));
        let at = surplus.map_or(At::Callee(self.at), |it| At::Expr(it.at));
        context
            .report(rules::ARGUMENT_COUNT, at, format!("the lambda of `{name}` has {wanted}, not {has}"))
            .label = Some(
            if surplus.is_some() { "one too many" } else { "its lambda has too few parameters" }.to_owned(),
        );
        true
    }

    /// Reports the first parameter whose type excludes the values that a built-in function passes.
    fn takes_other_types(&self, context: &mut Context<'_, '_>) {
        let name = self.call.plain_name();
        let Function::Builtin(builtin) = context.function(name) else { return };
        if context.inference().is_unreachable(self.at) {
            return;
        }
        let parameters = &context.body.lambda(self.lambda).parameters;
        if parameters.iter().all(|it| it.type_expr.is_none()) {
            return;
        }
        let arguments: Vec<Known> =
            self.call.arguments().map(|it| context.inference().type_of(it).cloned()).collect();
        // Each element of a tuple is passed at some point.
        let all_come = matches!(
            arguments.first().and_then(Option::as_ref).map(|it| it.resolved().kind()),
            Some(TypeKind::Tuple(it)) if it.size.is_none()
        );
        let mut given = lambda_arguments(builtin, &arguments, parameters.len());
        // The accumulator starts as the given start value, or as the first element.
        if let ("reduce", [memory, element]) = (name, &mut given[..]) {
            *memory = arguments.get(1).unwrap_or(element).clone();
        }
        let wrong = parameters.iter().zip(given).filter(|(it, _)| !it.captures_rest).find_map(
            |(parameter, given)| {
                let takes =
                    type_in(context.db, context.file, context.item.body(context.db), parameter.type_expr?)?;
                let given = refused(&given?, &takes, all_come)?;
                Some((parameter, takes, given))
            },
        );
        let Some((parameter, takes, given)) = wrong else { return };
        let is_certain = disjoint(&given, &takes);
        let given = value_of(&given);
        let message =
            format!("`{name}` gives its lambda {given} as `${}`, which takes {takes}", parameter.name);
        let finding = context.report(rules::ARGUMENT_TYPE, At::Expr(parameter.at), message);
        finding.label = Some(format!("is given {given}"));
        if !is_certain {
            until_set(finding);
        }
    }
}

/// The part of a type that another type excludes; the whole type, unless each of several types is passed.
fn refused(given: &Type, takes: &Type, all_come: bool) -> Option<Type> {
    match given.kind() {
        TypeKind::Variant(types) if all_come => types.iter().find(|it| clash(it, takes)).cloned(),
        _ => clash(given, takes).then(|| given.clone()),
    }
}

/// The number of values that a lambda accepts.
fn size(lambda: &Lambda) -> Size {
    let parameters = &lambda.parameters;
    let min = parameters.iter().filter(|it| it.default.is_none() && !it.captures_rest).count();
    let rest = parameters.iter().any(|it| it.captures_rest);
    Size { min: min as u64, max: (!rest).then_some(parameters.len() as u64) }
}
