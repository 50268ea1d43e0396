//! `argument-type`: a function is given an argument that is not of the type it takes.

use marotte_eval::functions;
use marotte_hir::body::{Callee, Expr};
use marotte_hir::{ExprId, Item, NameKind};
use marotte_pcore::types::{CallableType, Type, TypeKind};

use super::mismatch::{blame, explain, value_of};
use crate::context::{At, Context};
use crate::declared::declared;
use crate::disjoint::disjoint;
use crate::names::known;

pub(super) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (_, expr) in body.exprs() {
        let (name, arguments): (_, Vec<ExprId>) = match expr {
            Expr::Call(call) => match &call.callee {
                Callee::Function(name) => (name, call.arguments.to_vec()),
                _ => continue,
            },
            Expr::MethodCall(call) => {
                let arguments = std::iter::once(call.receiver).chain(call.arguments.iter().copied());
                (&call.name, arguments.collect())
            }
            _ => continue,
        };
        // Where splats unfold is unknown.
        if arguments.iter().any(|it| matches!(body.expr(*it), Expr::Splat(_))) {
            continue;
        }
        let name = name.trim_start_matches("::");
        if let Some(builtin) = functions::builtin(name) {
            let callables = builtin.callables();
            of_builtin(context, name, &callables, &arguments);
        } else if let Some(item) = known(context.db, context.file, NameKind::Function, name) {
            of_function(context, item, &arguments);
        }
    }
}

/// A built-in function refuses a call if each of its overloads does.
fn of_builtin(context: &mut Context<'_, '_>, name: &str, callables: &[Type], arguments: &[ExprId]) {
    let overloads: Vec<&CallableType> = callables
        .iter()
        .filter_map(|it| match it.kind() {
            TypeKind::Callable(it) => Some(it),
            _ => None,
        })
        .filter(|it| takes_so_many(it, arguments.len()))
        .collect();
    // How many there may be is another rule's.
    if overloads.is_empty() {
        return;
    }
    let wrong = |context: &Context<'_, '_>, overload: &CallableType| {
        arguments.iter().enumerate().position(|(index, id)| {
            let expected = overload.parameters.as_ref().and_then(|it| it.type_at(index));
            let given = context.inference.type_of(*id);
            matches!((expected, given), (Some(expected), Some(given)) if disjoint(given, expected))
        })
    };
    let places: Option<Vec<usize>> = overloads.iter().map(|it| wrong(context, it)).collect();
    let Some(places) = places else { return };
    let Some(&index) = places.iter().max() else { return };
    let Some(given) = context.inference.type_of(arguments[index]).cloned() else { return };
    let mut expected: Vec<Type> =
        overloads.iter().filter_map(|it| it.parameters.as_ref()?.type_at(index)).cloned().collect();
    expected.dedup();
    let message = match &expected[..] {
        [only] => explain(&format!("`{name}` argument {}", index + 1), only, &given),
        _ => {
            let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
            let expected = expected.join(" or ");
            format!("`{name}` takes {expected} as argument {}, and this is {}", index + 1, value_of(&given))
        }
    };
    let (at, label) = match &expected[..] {
        [only] => blame(context, arguments[index], only),
        _ => (arguments[index], format!("this is {}", value_of(&given))),
    };
    context.report("argument-type", At::Expr(at), message).label = Some(label);
}

fn takes_so_many(callable: &CallableType, count: usize) -> bool {
    callable.parameters.as_ref().is_none_or(|it| it.size_range().contains(count))
}

fn of_function(context: &mut Context<'_, '_>, item: Item<'_>, arguments: &[ExprId]) {
    let types = declared(context.db, item);
    let parameters = &item.signature(context.db).parameters;
    for (index, id) in arguments.iter().enumerate() {
        let Some(parameter) = parameters.get(index).or(parameters.last().filter(|it| it.captures_rest))
        else {
            return;
        };
        let position = index.min(parameters.len().saturating_sub(1));
        let (Some(Some(expected)), Some(given)) =
            (types.parameters.get(position), context.inference.type_of(*id))
        else {
            continue;
        };
        let element = match expected.resolved().kind() {
            TypeKind::Array(element, _) if parameter.captures_rest => element.clone(),
            _ => expected.clone(),
        };
        if disjoint(given, &element) {
            let given = given.clone();
            let subject = format!("parameter `${}` of `{}`", parameter.name, item.name(context.db));
            let related = context.parameter(item, &parameter.name, "the parameter is declared here");
            let (at, label) = blame(context, *id, &element);
            let finding = context.report("argument-type", At::Expr(at), explain(&subject, &element, &given));
            finding.label = Some(label);
            finding.related.extend(related);
        }
    }
}
