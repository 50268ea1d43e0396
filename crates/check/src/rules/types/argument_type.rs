//! `argument-type`: an argument of another type than the function accepts.

use marotte_db::File;
use marotte_diagnostics::rules;
use marotte_hir::body::{Expr, LambdaId};
use marotte_hir::{ExprId, Item, ItemKind};
use marotte_infer::declared::declared;
use marotte_infer::disjoint::{clash, disjoint};
use marotte_infer::signatures::{Overload, declared_at, lambda_type, overloads, parameters_of};
use marotte_pcore::infer::generalize;
use marotte_pcore::relation::assignable;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::call::NamedCall;
use marotte_resolve::dialect;
use marotte_resolve::functions::Function;

use super::mismatch::{blame, explain, until_set, value_of};
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.calls() {
        let Some(named) = NamedCall::of(expr) else { continue };
        // The number of elements of a splat is unknown.
        if named.arguments().any(|it| matches!(body.expr(it), Expr::Splat(_))) {
            continue;
        }
        let (name, lambda) = (named.plain_name(), named.lambda);
        let call = Called { name, arguments: named.arguments().collect(), lambda };
        match context.function(name) {
            Function::Puppet(item) if item.kind(context.db) == ItemKind::Function => {
                of_function(context, item, &call.arguments);
            }
            found => {
                let declared = match found {
                    Function::Ruby(it) => Some(it.file),
                    _ => None,
                };
                of_overloads(context, &call, &overloads(context.db, found, name), declared);
            }
        }
    }
}

/// A call with the types of all its arguments.
struct Called<'b> {
    name: &'b str,
    arguments: Vec<ExprId>,
    lambda: Option<LambdaId>,
}

/// A function that isn't written in Puppet rejects a call if each of its overloads does.
fn of_overloads(
    context: &mut Context<'_, '_>,
    call: &Called<'_>,
    overloads: &[Overload],
    declared: Option<File>,
) {
    let inference = context.inference();
    let types = || call.arguments.iter().map(|it| inference.type_of(*it));
    let refused = |it: &Overload| it.refuses(clash, types()).unwrap_or(usize::MAX);
    let takes_so_many = overloads.iter().filter(|it| it.takes(call.arguments.len()));
    let (fitting, others): (Vec<_>, Vec<_>) =
        takes_so_many.map(|it| (refused(it), it)).partition(|(_, it)| it.takes_lambda(call.lambda.is_some()));
    // The number of arguments, and the presence of a lambda, are checked by another rule.
    let Some(furthest) = fitting.iter().map(|(index, _)| *index).max() else { return };
    let is_certain = furthest == usize::MAX || fitting.iter().all(|(_, it)| it.refused(types()).is_some());
    let nearest = fitting.into_iter().filter(|(index, _)| *index == furthest);
    let nearest: Vec<&Overload> = nearest.map(|(_, it)| it).collect();
    let nearest = of_the_kind(context, call, nearest, furthest);
    let found = match furthest {
        usize::MAX => lambda(context, call, &nearest),
        index => argument(context, call, &nearest, index, declared.is_none()),
    };
    let Some((at, message, label)) = found else { return };
    let fits_otherwise = furthest != usize::MAX && others.iter().any(|(index, _)| *index == usize::MAX);
    let related = match (declared, &nearest[..]) {
        (Some(file), [only]) => declared_at(context.db, file, call.name, only.dispatch),
        _ => None,
    };
    let finding = context.report(rules::ARGUMENT_TYPE, at, message);
    finding.label = Some(label);
    finding.related.extend(related);
    // The second argument of a lookup looks like that of functions of earlier times.
    if furthest == 1 && call.name == "lookup" {
        finding.notes.push(
            "a default value is the fourth argument, or an option: `lookup('key', { 'default_value' => … })`"
                .to_owned(),
        );
    }
    if !is_certain {
        until_set(finding);
    }
    if fits_otherwise {
        let lambda = if call.lambda.is_some() { "without" } else { "with" };
        finding.notes.push(format!("`{}` takes such arguments {lambda} a lambda", call.name));
    }
}

/// The overloads that accept other values of the same kind as an argument, if any: one of them was meant.
fn of_the_kind<'o>(
    context: &Context<'_, '_>,
    call: &Called<'_>,
    overloads: Vec<&'o Overload>,
    index: usize,
) -> Vec<&'o Overload> {
    let given = call.arguments.get(index).and_then(|it| context.inference().type_of(*it));
    let Some(given) = given else { return overloads };
    let kind = match given.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) => Type::array(Type::any(), None),
        TypeKind::Hash(..) | TypeKind::Struct(_) => Type::hash(Type::any(), Type::any(), None),
        _ => generalize(given),
    };
    let takes_kind = |it: &&&Overload| it.parameter(index).is_some_and(|it| !disjoint(&kind, it));
    let meant: Vec<&Overload> = overloads.iter().filter(takes_kind).copied().collect();
    if meant.is_empty() { overloads } else { meant }
}

/// An error: place, message, label.
type Fault = (At, String, String);

/// The error in an argument that no overload accepts. `is_builtin` is whether the function is not defined in the tree.
fn argument(
    context: &Context<'_, '_>,
    call: &Called<'_>,
    overloads: &[&Overload],
    index: usize,
    is_builtin: bool,
) -> Option<Fault> {
    let id = call.arguments[index];
    let given = context.inference().type_of(id)?;
    if is_absent_key(context, id) {
        return None;
    }
    // The aliases of built-in functions are not in the user's code.
    let named = |it: &'_ Type| if is_builtin { it.resolved().clone() } else { it.clone() };
    let mut expected: Vec<Type> = overloads.iter().filter_map(|it| it.parameter(index).map(named)).collect();
    expected.dedup();
    let (name, number) = (call.name, index + 1);
    if let [only] = &expected[..] {
        let (at, label) = blame(context, id, only);
        let message = explain(&format!("`{name}` argument {number}"), only, given);
        return Some((At::Expr(at), message, label));
    }
    let shown = |it: &Type| match it.kind() {
        TypeKind::Struct(_) if is_builtin => "a hash of options".to_owned(),
        _ => it.to_string(),
    };
    let expected = expected.iter().map(shown).collect::<Vec<_>>().join(" or ");
    let found = value_of(given);
    let message = format!("`{name}` takes {expected} as argument {number}, and this is {found}");
    Some((At::Expr(id), message, format!("this is {found}")))
}

/// The error in a lambda, if none of the overloads that accept the arguments accepts it. The number of its parameters is
/// checked by another rule.
fn lambda(context: &Context<'_, '_>, call: &Called<'_>, overloads: &[&Overload]) -> Option<Fault> {
    let id = call.lambda?;
    let lambda = lambda_type(context.db, context.item, context.body, id)?;
    let wanted: Option<Vec<&Type>> = overloads.iter().map(|it| it.refused_lambda(&lambda)).collect();
    let takes = parameters_of(&lambda)?;
    let mut wanted = wanted?.into_iter().filter_map(parameters_of);
    let wanted = wanted.find(|it| takes.size_range().covers(it.size_range()))?;
    let mut parameters = context.body.lambda(id).parameters.iter().enumerate();
    let (parameter, given, takes) = parameters.find_map(|(index, parameter)| {
        let (given, takes) = (wanted.type_at(index)?, takes.type_at(index)?);
        (!assignable(dialect(), takes, given)).then_some((parameter, given, takes))
    })?;
    let (name, parameter_name) = (call.name, &parameter.name);
    let message = format!("`{name}` gives its lambda {given} as `${parameter_name}`, which takes {takes}");
    Some((At::Expr(parameter.at), message, format!("takes {takes}")))
}

/// Whether an argument is the value of a key that its hash never has: `unresolved-variable` reports the key.
fn is_absent_key(context: &Context<'_, '_>, id: ExprId) -> bool {
    let is_undef =
        || context.inference().type_of(id).is_some_and(|it| *it.resolved().kind() == TypeKind::Undef);
    match context.body.expr(id) {
        Expr::Access { target, keys } => {
            let of_struct = context.inference().type_of(*target).map(|it| it.resolved().kind());
            keys.len() == 1 && matches!(of_struct, Some(TypeKind::Struct(_))) && is_undef()
        }
        _ => false,
    }
}

fn of_function(context: &mut Context<'_, '_>, item: Item<'_>, arguments: &[ExprId]) {
    let types = declared(context.db, item);
    let parameters = &item.signature(context.db).parameters;
    // The number of arguments is checked by another rule.
    let required = parameters.iter().filter(|it| !it.is_optional && !it.captures_rest).count();
    let captures_rest = parameters.last().is_some_and(|it| it.captures_rest);
    if arguments.len() < required || arguments.len() > parameters.len() && !captures_rest {
        return;
    }
    for (index, id) in arguments.iter().enumerate() {
        let Some(parameter) = parameters.get(index).or(parameters.last().filter(|it| it.captures_rest))
        else {
            return;
        };
        let position = index.min(parameters.len().saturating_sub(1));
        let (Some(Some(expected)), Some(given)) =
            (types.parameters.get(position), context.inference().type_of(*id))
        else {
            continue;
        };
        let element = match expected.resolved().kind() {
            TypeKind::Array(element, _) if parameter.captures_rest => element.clone(),
            _ => expected.clone(),
        };
        if clash(given, &element) && !is_absent_key(context, *id) {
            let is_certain = disjoint(given, &element);
            let given = given.clone();
            let subject = format!("parameter `${}` of `{}`", parameter.name, item.name(context.db));
            let related = context.parameter(item, &parameter.name, "the parameter is declared here");
            let (at, label) = blame(context, *id, &element);
            let finding =
                context.report(rules::ARGUMENT_TYPE, At::Expr(at), explain(&subject, &element, &given));
            finding.label = Some(label);
            finding.related.extend(related);
            if !is_certain {
                until_set(finding);
            }
        }
    }
}
