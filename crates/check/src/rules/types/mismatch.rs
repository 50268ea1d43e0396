//! Messages about type mismatches.

use marotte_diagnostics::{Diagnostic, Level};
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_infer::inference::constant;
use marotte_pcore::infer::generalize;
use marotte_pcore::mismatch::describe_mismatch;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::dialect;
use marotte_resolve::spelling::nearest;

use crate::conditions::Decided;
use crate::context::Context;

/// Turns a finding into a warning if the error only shows once a value is set: some values of the type are accepted, but none
/// that carries information.
pub(in crate::rules) fn until_set(finding: &mut Diagnostic) {
    finding.level = Level::Warning;
    finding.notes.push("only `undef`, or what is empty, is taken".to_owned());
}

/// Type names that are longer, in bytes, don't fit into a message.
const LONG_NAME: usize = 80;

/// One sentence: the expected type, the actual one, and the position inside a collection.
pub(crate) fn explain(subject: &str, expected: &Type, given: &Type) -> String {
    let reason = describe_mismatch(dialect(), subject, expected, given);
    // The reference has no message for types without instances, and one line for each of several reasons.
    if reason.is_empty() || reason.contains('\n') {
        format!("{subject} expects {expected}, and this is {}", value_of(given))
    } else {
        reason
    }
}

/// The innermost literal part of a value that isn't of the expected type, with a label for it.
pub(in crate::rules) fn blame(context: &Context<'_, '_>, id: ExprId, expected: &Type) -> (ExprId, String) {
    // The recursion is as deep as the brackets in the source.
    let type_of = |id: ExprId| context.inference().type_of(id);
    let is_wrong = |id: ExprId, expected: &Type| type_of(id).is_some_and(|it| disjoint(it, expected));
    let whole = || (id, type_of(id).map(|it| format!("this is {}", value_of(it))).unwrap_or_default());
    let expected = expected.resolved();
    let expr = context.body.expr(id);
    match (expr, expected.kind()) {
        (_, TypeKind::Optional(Some(inner)) | TypeKind::NotUndef(Some(inner))) => blame(context, id, inner),
        (Expr::Array(_) | Expr::Hash(_), TypeKind::Variant(types)) => {
            let is_alike = |it: &&Type| match it.resolved().kind() {
                TypeKind::Array(..) | TypeKind::Tuple(_) => matches!(expr, Expr::Array(_)),
                TypeKind::Hash(..) | TypeKind::Struct(_) => matches!(expr, Expr::Hash(_)),
                _ => false,
            };
            match types.iter().filter(is_alike).collect::<Vec<_>>()[..] {
                [only] => blame(context, id, only),
                _ => whole(),
            }
        }
        (Expr::Array(elements), kind @ (TypeKind::Array(..) | TypeKind::Tuple(_))) => {
            let wanted = |index: usize| match kind {
                TypeKind::Array(element, _) => Some(element),
                TypeKind::Tuple(tuple) => tuple.type_at(index),
                _ => None,
            };
            let mut elements = elements.iter().enumerate();
            // The number of elements of a splat is unknown.
            if elements.clone().any(|(_, it)| matches!(context.body.expr(*it), Expr::Splat(_))) {
                return whole();
            }
            let wrong = elements
                .find_map(|(index, it)| Some((*it, wanted(index)?)).filter(|it| is_wrong(it.0, it.1)));
            wrong.map_or_else(whole, |(it, wanted)| blame(context, it, wanted))
        }
        (Expr::Hash(entries), TypeKind::Hash(key_type, value_type, _)) => {
            for (key, value) in entries {
                if is_wrong(*key, key_type) {
                    return blame(context, *key, key_type);
                }
                if is_wrong(*value, value_type) {
                    return blame(context, *value, value_type);
                }
            }
            whole()
        }
        (Expr::Hash(entries), TypeKind::Struct(elements)) => {
            for (key, value) in entries {
                let Expr::String(name) = context.body.expr(*key) else { continue };
                match elements.iter().find(|it| it.name == *name) {
                    Some(it) if is_wrong(*value, &it.value) => return blame(context, *value, &it.value),
                    Some(_) => {}
                    None => {
                        let label = match nearest(name, elements.iter().map(|it| it.name.as_str())) {
                            Some(nearest) => format!("did you mean `{nearest}`?"),
                            None => "no such key".to_owned(),
                        };
                        return (*key, label);
                    }
                }
            }
            whole()
        }
        _ => whole(),
    }
}

/// The reasons why the operands of a condition are `undef`.
pub(in crate::rules) fn absent_keys(context: &Context<'_, '_>, condition: ExprId) -> Vec<String> {
    let parts = match context.body.expr(condition) {
        Expr::Binary(it) => vec![it.left, it.right],
        _ => vec![condition],
    };
    parts.into_iter().filter_map(|it| absent_key(context, it)).collect()
}

/// The reason why an expression is `undef`, if it reads a key that the target never has.
pub(in crate::rules) fn absent_key(context: &Context<'_, '_>, id: ExprId) -> Option<String> {
    let Expr::Access { target, keys } = context.body.expr(id) else { return None };
    let [key] = &keys[..] else { return None };
    let Expr::String(name) = context.body.expr(*key) else { return None };
    let target = context.inference().type_of(*target)?.resolved();
    let target = match target.kind() {
        TypeKind::Optional(Some(it)) => it.resolved(),
        _ => target,
    };
    let TypeKind::Struct(elements) = target.kind() else { return None };
    let names = elements.iter().map(|it| it.name.as_str());
    if names.clone().any(|it| it == name) {
        return None;
    }
    Some(match nearest(name, names.clone()) {
        Some(nearest) => format!("there is no key `{name}` in it; did you mean `{nearest}`?"),
        None => {
            let mut some: Vec<String> = names.map(|it| format!("`{it}`")).take(13).collect();
            if some.len() > 12 {
                some[12] = "…".to_owned();
            }
            format!("there is no key `{name}` in it; its keys are {}", some.join(", "))
        }
    })
}

/// The reason why a condition's result is fixed, if its comparison explains it.
pub(in crate::rules) fn reason(condition: &Decided) -> Option<String> {
    let unequal =
        |(left, right): &(Type, Type)| format!("{} never equals {}", value_of(left), value_of(right));
    match condition.is_same {
        true => Some("this is compared with itself".to_owned()),
        false => condition.unequal.as_ref().map(unequal),
    }
}

/// A value of a type in messages: `the string 'a'`, `an Integer`.
pub(in crate::rules) fn value_of(it: &Type) -> String {
    match constant(it) {
        Some(value) if !matches!(it.kind(), TypeKind::Tuple(_) | TypeKind::Struct(_)) => {
            format!("`{}`", marotte_pcore::print::literal(&value))
        }
        _ => {
            let text = it.to_string();
            let name = match it.kind() {
                // The list of words is what matters.
                TypeKind::Enum(_) if text.len() <= LONG_NAME => text,
                _ => short_name(&generalize(it)),
            };
            let article = if name.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
            format!("{article} {name}")
        }
    }
}

/// The name of a type, without parameters if these are long.
fn short_name(it: &Type) -> String {
    let text = it.to_string();
    if text.len() <= LONG_NAME {
        return text;
    }
    let of_parts = |parts: Vec<String>| Some(format!("{}[{}]", plain_name(it), parts.join(", ")));
    let named = match it.kind() {
        TypeKind::Optional(Some(inner)) => of_parts(vec![short_name(inner)]),
        TypeKind::Variant(types) => {
            let mut names: Vec<String> = types.iter().map(plain_name).collect();
            let mut seen: Vec<String> = Vec::new();
            names.retain(|it| {
                !seen.contains(it) && {
                    seen.push(it.clone());
                    true
                }
            });
            match &names[..] {
                [only] => Some(only.clone()),
                _ => of_parts(names),
            }
        }
        _ => None,
    };
    named.filter(|it| it.len() <= LONG_NAME).unwrap_or_else(|| plain_name(it))
}

/// The name of a type without the part in brackets.
fn plain_name(it: &Type) -> String {
    it.to_string().split('[').next().unwrap_or_default().to_owned()
}
