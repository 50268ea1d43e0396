//! `argument-count`: a function call with too few or too many arguments, or with a lambda that the function doesn't accept.

use marotte_db::{Db, File};
use marotte_diagnostics::rules;
use marotte_eval::functions::Builtin;
use marotte_hir::{Item, ItemKind, Signature};
use marotte_pcore::types::Size;
use marotte_resolve::call::NamedCall;
use marotte_resolve::functions::Function;
use marotte_resolve::ruby::ruby_functions;
use marotte_ruby::core::legacy_functions;
use marotte_ruby::function::{Dispatch, LegacyFunction};

use crate::context::{At, Context};

/// A signature, reduced to the number of arguments.
struct Shape {
    arguments: Size,
    /// Whether a lambda is rejected, permitted or required.
    lambda: LambdaUse,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LambdaUse {
    Refused,
    Optional,
    Required,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    for (id, expr) in context.body.calls() {
        let Some(call) = NamedCall::of(expr) else { continue };
        let found = context.function(call.name);
        let (shapes, item) = match found {
            Function::Builtin(builtin) => (of_builtin(builtin), None),
            Function::Ruby(it) if it.is_only => (of_ruby(context.db, it.file, call.plain_name()), None),
            Function::Puppet(item) if item.kind(context.db) == ItemKind::Function => {
                (vec![of_signature(item.signature(context.db))], Some(item))
            }
            _ => continue,
        };
        let Some(count) = call.count(context.body) else { continue };
        report(context, At::Callee(id), &call, count, &shapes, item);
    }
}

fn of_builtin(builtin: &'static Builtin) -> Vec<Shape> {
    let takes_all = |(size, _): (Size, _)| size == Size { min: 0, max: None };
    if builtin.shapes().all(takes_all)
        && let Some(legacy) = legacy_functions().iter().find(|it| it.name == builtin.name)
    {
        return of_legacy(legacy);
    }
    let shapes = builtin.shapes().map(|(arguments, block)| Shape {
        arguments,
        lambda: match block {
            None => LambdaUse::Refused,
            Some(true) => LambdaUse::Optional,
            Some(false) => LambdaUse::Required,
        },
    });
    shapes.collect()
}

/// The overloads don't contain what functions of the 3.x API check themselves.
fn of_legacy(function: &LegacyFunction) -> Vec<Shape> {
    let Some(arity) = function.arity else { return Vec::new() };
    let least = if arity < 0 { -(arity + 1) } else { arity };
    let Ok(min) = u64::try_from(least) else { return Vec::new() };
    let max = [(arity >= 0).then_some(min), function.most].into_iter().flatten().min();
    let arguments = Size { min: min.max(function.least), max };
    vec![Shape { arguments, lambda: LambdaUse::Optional }]
}

fn of_ruby(db: &dyn Db, file: File, name: &str) -> Vec<Shape> {
    let read = ruby_functions(db, file);
    if let Some(function) = read.functions.iter().find(|it| it.name == name) {
        let accepting = function.dispatches.iter().filter(|it| !it.mismatch && function.complete);
        return accepting.map(of_dispatch).collect();
    }
    read.legacy.iter().find(|it| it.name == name).map(of_legacy).unwrap_or_default()
}

fn of_dispatch(dispatch: &Dispatch) -> Shape {
    let (min, max) = dispatch.arguments();
    let lambda = match &dispatch.block {
        None => LambdaUse::Refused,
        Some(block) if block.optional => LambdaUse::Optional,
        Some(_) => LambdaUse::Required,
    };
    Shape { arguments: Size { min, max }, lambda }
}

/// A function written in Puppet doesn't accept a lambda.
fn of_signature(signature: &Signature) -> Shape {
    let parameters = &signature.parameters;
    let is_required = |it: &marotte_hir::SignatureParameter| !it.is_optional && !it.captures_rest;
    let min = parameters.iter().rposition(is_required).map_or(0, |it| it + 1);
    let rest = parameters.iter().any(|it| it.captures_rest);
    let max = (!rest).then_some(parameters.len() as u64);
    Shape { arguments: Size { min: min as u64, max }, lambda: LambdaUse::Refused }
}

fn report(
    context: &mut Context<'_, '_>,
    at: At,
    call: &NamedCall<'_>,
    count: usize,
    shapes: &[Shape],
    item: Option<Item<'_>>,
) {
    let count = count as u64;
    let takes = |it: &&Shape| it.arguments.min <= count && it.arguments.max.is_none_or(|max| count <= max);
    let name = call.plain_name();
    if shapes.is_empty() {
        return;
    }
    let fitting: Vec<&Shape> = shapes.iter().filter(takes).collect();
    let (message, label) = if fitting.is_empty() {
        let wanted = arguments(shapes.iter().map(|it| it.arguments));
        let given = if count == 0 { "none".to_owned() } else { count.to_string() };
        (format!("function `{name}` takes {wanted}, not {given}"), format!("{} given", counted(count)))
    } else if call.lambda.is_some() && fitting.iter().all(|it| it.lambda == LambdaUse::Refused) {
        (format!("function `{name}` takes no lambda"), "a lambda is given".to_owned())
    } else if call.lambda.is_none() && fitting.iter().all(|it| it.lambda == LambdaUse::Required) {
        (format!("function `{name}` needs a lambda"), "no lambda is given".to_owned())
    } else {
        return;
    };
    let related = item.map(|it| context.defined(it, "defined here"));
    let finding = context.report(rules::ARGUMENT_COUNT, at, message);
    finding.label = Some(label);
    finding.related.extend(related);
}

/// The permitted number of arguments, in words, over several signatures.
pub(in crate::rules) fn arguments(ways: impl Iterator<Item = Size> + Clone) -> String {
    let least = ways.clone().map(|it| it.min).min().unwrap_or_default();
    let greatest = ways.map(|it| it.max).max_by_key(|it| it.unwrap_or(u64::MAX)).flatten();
    match greatest {
        Some(greatest) if greatest == least => counted(least),
        Some(greatest) => format!("{least} to {}", counted(greatest)),
        None => format!("at least {}", counted(least)),
    }
}

fn counted(count: u64) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
