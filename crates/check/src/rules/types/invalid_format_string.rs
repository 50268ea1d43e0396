//! `invalid-format-string`: a format of `sprintf`, `String.new` or `strftime` that cannot be applied (E26, E31, D67).

use marotte_diagnostics::rules;
use marotte_hir::ExprId;
use marotte_hir::body::Expr;
use marotte_infer::disjoint::disjoint;
use marotte_infer::known_values::{combinations, values_of};
use marotte_pcore::format::{DirectiveError, FormatError, sprintf};
use marotte_pcore::time::{LocalOffset, Timespan, Timestamp};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_resolve::call::NamedCall;
use marotte_resolve::dialect;

use super::mismatch::value_of;
use super::string_format;
use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    let body = context.body;
    for (id, expr) in body.exprs() {
        if context.inference().is_unreachable(id) {
            continue;
        }
        string_format::check(context, expr);
        let Some(call) = NamedCall::of(expr) else { continue };
        let arguments: Vec<ExprId> = call.arguments().collect();
        match (call.plain_name(), &arguments[..]) {
            ("sprintf", [format, values @ ..]) => {
                if let Some(Value::String(text)) = only_value(context, *format) {
                    values_in_text(context, *format, &text, values);
                }
            }
            ("strftime", [time, format, zone @ ..]) => time_in_text(context, *time, *format, zone),
            _ => {}
        }
    }
}

/// The only possible value of an expression, if there is exactly one.
fn only_value(context: &Context<'_, '_>, id: ExprId) -> Option<Value> {
    match &values_of(context.typed(), id)?[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

fn report(context: &mut Context<'_, '_>, at: ExprId, message: String, label: impl Into<String>) {
    context.report(rules::INVALID_FORMAT_STRING, At::Expr(at), message).label = Some(label.into());
}

/// Checks a call of `sprintf`.
fn values_in_text(context: &mut Context<'_, '_>, format: ExprId, text: &str, values: &[ExprId]) {
    let several = values.iter().any(|it| matches!(context.body.expr(*it), Expr::Splat(_)));
    let candidates: Vec<Vec<Value>> = values.iter().map(|it| candidates(context, *it)).collect();
    let write = |of_each: &[Vec<Value>]| {
        let write = |values: Vec<Value>| sprintf(dialect(), text, &values).err().filter(is_wrong);
        combinations(of_each)?
            .into_iter()
            .map(write)
            .collect::<Option<Vec<FormatError>>>()?
            .into_iter()
            .next()
    };
    let Some(error) = write(&candidates) else { return };
    let FormatError::Directive(error) = error else {
        // An argument is at fault if any other value in its place removes the error.
        let is_at_fault = |index: &usize| {
            let mut candidates = candidates.clone();
            candidates[*index] = vec![anything()];
            write(&candidates).is_none()
        };
        let only = (values.len() == 1).then_some(0);
        let index = (0..values.len()).find(is_at_fault).or(only).filter(|_| !several);
        let Some(index) = index else { return };
        let Some(given) = context.inference().type_of(values[index]) else { return };
        let given = value_of(given);
        let message = format!("`sprintf` cannot write {given} in this format: {error}");
        return report(context, values[index], message, format!("this is {given}"));
    };
    let message = match error {
        // The content of a single hash, and the elements of a splat, aren't known.
        DirectiveError::OneHash if may_be_hash(context, values) => return,
        DirectiveError::TooFewArguments if several => return,
        DirectiveError::TooFewArguments => {
            let given = match values.len() {
                1 => "1 value is".to_owned(),
                count => format!("{count} values are"),
            };
            format!("the format has more directives than there are values: {given} given")
        }
        DirectiveError::UnknownCharacter(Some(letter)) => format!("`sprintf` has no directive `%{letter}`"),
        DirectiveError::UnknownKey(key) => format!("the format has {key}, and the hash has no such key"),
        DirectiveError::OneHash => "the format names its values, and takes one hash of them".to_owned(),
        _ => format!("this is not a format that `sprintf` knows: {}", FormatError::Directive(error)),
    };
    report(context, format, message, "wrong format");
}

/// Whether the format or the values are wrong, as opposed to the size of the result.
fn is_wrong(error: &FormatError) -> bool {
    !matches!(error, FormatError::TooWide(_) | FormatError::TooLong | FormatError::TooDeep(_))
}

/// A value that every directive accepts.
fn anything() -> Value {
    Value::from(1_i64)
}

/// The possible values of an argument; if there are many, or unknown ones, one that directives accept if they accept any of
/// these.
fn candidates(context: &Context<'_, '_>, id: ExprId) -> Vec<Value> {
    if let Some(values) = values_of(context.typed(), id) {
        return values;
    }
    let is_splat = matches!(context.body.expr(id), Expr::Splat(_));
    let known = context.inference().type_of(id).filter(|_| !is_splat);
    vec![known.map_or_else(anything, likely)]
}

fn likely(it: &Type) -> Value {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) => Value::Array(Vec::new().into()),
        TypeKind::Struct(elements) => {
            let mut hash = Hash::default();
            for it in elements.iter() {
                hash.insert(Value::String(it.name.clone()), likely(&it.value));
            }
            Value::Hash(hash.into())
        }
        _ => anything(),
    }
}

fn may_be_hash(context: &Context<'_, '_>, values: &[ExprId]) -> bool {
    let is_splat = |it: &ExprId| matches!(context.body.expr(*it), Expr::Splat(_));
    let hash = Type::hash(Type::any(), Type::any(), None);
    match values {
        [only] => is_splat(only) || context.inference().type_of(*only).is_none_or(|it| !disjoint(it, &hash)),
        _ => values.iter().any(is_splat),
    }
}

/// Checks a call of `strftime`: its success depends on the format and the time zone, not on the time.
fn time_in_text(context: &mut Context<'_, '_>, time: ExprId, format: ExprId, zone: &[ExprId]) {
    let Some(Value::String(text)) = only_value(context, format) else { return };
    let Some(time) = context.inference().type_of(time) else { return };
    let error = match (time.resolved().kind(), zone) {
        (TypeKind::Timespan(..), []) => {
            Timespan::from_nanoseconds(0).format(&dialect().texts, &text).err().map(|it| (format, it))
        }
        (TypeKind::Timestamp(..), [zone]) => {
            let Some(Value::String(name)) = only_value(context, *zone) else { return };
            let now = Timestamp::from_nanoseconds(0);
            now.format(&text, Some(&name), LocalOffset::UTC).err().map(|it| (*zone, it))
        }
        _ => None,
    };
    if let Some((at, error)) = error {
        report(context, at, error.to_string(), "wrong format");
    }
}
