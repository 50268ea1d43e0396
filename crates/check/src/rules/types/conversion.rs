//! `argument-type` and `argument-count` for conversions: the arguments cannot be converted to the type (D62 to D76).

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::{Callee, Expr};
use marotte_infer::declared::type_in;
use marotte_infer::disjoint::disjoint;
use marotte_infer::known_values::{refused, type_of, values_of};
use marotte_infer::signatures::Overload;
use marotte_pcore::relation::constructor_signatures;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::call::NamedCall;
use marotte_resolve::dialect;

use super::argument_count::arguments;
use super::mismatch::value_of;
use crate::context::{At, Context};

/// A conversion to a type.
pub(in crate::rules) struct Conversion {
    /// The target type.
    pub(in crate::rules) target: Type,
    /// The expression of the target type.
    named: ExprId,
    pub(in crate::rules) arguments: Vec<ExprId>,
}

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        let Some(conversion) = conversion(context, expr) else { continue };
        let is_splat = |it: &ExprId| matches!(body.expr(*it), Expr::Splat(_));
        if context.inference().is_unreachable(id) || conversion.arguments.iter().any(is_splat) {
            continue;
        }
        let Some((rule, at, message)) = fault(context, &conversion) else { continue };
        context.report(rule, At::Expr(at), message);
    }
}

/// Interprets an expression as a conversion, if it is one: `T(…)`, `T.new(…)`, `new(T, …)`, `value.convert_to(T, …)`.
pub(in crate::rules) fn conversion(context: &Context<'_, '_>, expr: &Expr) -> Option<Conversion> {
    let (named, arguments) = match expr {
        Expr::Call(call) if let Callee::Type(named) = &call.callee => (*named, call.arguments.to_vec()),
        _ => {
            let call = NamedCall::of(expr)?;
            let mut arguments: Vec<ExprId> = call.arguments().collect();
            let index = match call.plain_name() {
                "new" => 0,
                "convert_to" => 1,
                _ => return None,
            };
            (index < arguments.len()).then(|| arguments.remove(index)).map(|it| (it, arguments))?
        }
    };
    // A variable declared to hold a type may hold a more specific one.
    if !matches!(context.body.expr(named), Expr::Reference(_) | Expr::Access { .. }) {
        return None;
    }
    let target = type_in(context.db, context.file, context.item.body(context.db), named)?;
    Some(Conversion { target, named, arguments })
}

/// The certain error of a conversion: the rule, the place, and the message.
fn fault(context: &Context<'_, '_>, it: &Conversion) -> Option<(&'static rules::Rule, ExprId, String)> {
    let type_of = |id: &ExprId| type_of(context.typed(), *id);
    // A value of the target type is returned unchanged.
    if let [only] = &it.arguments[..]
        && type_of(only).is_none_or(|given| !disjoint(given, &it.target))
    {
        return None;
    }
    let Some(signatures) = constructor_signatures(dialect(), &it.target) else {
        let message = format!("`{}` has no constructor", it.target);
        return lacks_constructor(&it.target).then_some((rules::ARGUMENT_TYPE, it.named, message));
    };
    let overloads = signatures.into_iter().map(|callable| Overload { callable, dispatch: 0 });
    let overloads: Vec<Overload> = overloads.collect();
    let target = &it.target;
    let fitting: Vec<&Overload> =
        overloads.iter().filter(|overload| overload.takes(it.arguments.len())).collect();
    if fitting.is_empty() {
        let sizes = overloads.iter().filter_map(|it| Some(it.callable.parameters.as_ref()?.size_range()));
        let wanted = arguments(sizes);
        let given = match it.arguments.len() {
            0 => "none".to_owned(),
            count => count.to_string(),
        };
        return Some((
            rules::ARGUMENT_COUNT,
            it.named,
            format!("`{target}` is made of {wanted}, not of {given}"),
        ));
    }
    let places: Option<Vec<usize>> =
        fitting.iter().map(|overload| overload.refused(it.arguments.iter().map(type_of))).collect();
    if let Some(index) = places.and_then(|it| it.into_iter().max()) {
        let at = it.arguments[index];
        let given = type_of(&at)?;
        let found = value_of(given);
        let message = match index {
            0 => format!("{found} cannot be converted to {target}"),
            _ => format!("`{target}` cannot be made with {found} as argument {}", index + 1),
        };
        return Some((rules::ARGUMENT_TYPE, at, message));
    }
    // The content of strings isn't part of the parameters' types, and formats have a rule of their own.
    let first = *it.arguments.first()?;
    let is_text_of_its_own = match target.resolved().kind() {
        TypeKind::Type(_) | TypeKind::Regexp(_) | TypeKind::Object(_) => true,
        TypeKind::String(_) => it.arguments.len() > 1,
        _ => false,
    };
    if is_text_of_its_own {
        return None;
    }
    let of_each =
        it.arguments.iter().map(|it| values_of(context.typed(), *it)).collect::<Option<Vec<_>>>()?;
    let made_of = |of_each: &[Vec<Value>]| {
        let target = vec![Value::Type(target.clone())];
        refused("new", &[&[target], of_each].concat())
    };
    let error = made_of(&of_each)?;
    // The first argument may be valid on its own.
    let at = match &it.arguments[..] {
        [_, second, ..] if made_of(&of_each[..1]).is_none() => *second,
        _ => first,
    };
    // Some messages start with the name of a constructor.
    let message = match error.message.strip_prefix('\'').and_then(|it| it.split_once("' ")) {
        Some((_, message)) => message,
        None => &error.message,
    };
    let message = match message.contains('\n') {
        true => format!("{} cannot be converted to {target}", value_of(type_of(&first)?)),
        false => message.to_owned(),
    };
    Some((rules::ARGUMENT_TYPE, at, message))
}

/// Whether a type certainly has no constructor.
fn lacks_constructor(it: &Type) -> bool {
    matches!(
        it.resolved().kind(),
        TypeKind::Enum(_)
            | TypeKind::Pattern(_)
            | TypeKind::Variant(_)
            | TypeKind::Undef
            | TypeKind::Callable(_)
            | TypeKind::Collection(_)
            | TypeKind::Resource(_)
            | TypeKind::Class(_)
    )
}
