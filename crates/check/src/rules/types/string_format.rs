//! `invalid-format-string` for `String.new` and `String`: an invalid format, or one that doesn't fit the value (D67).

use marotte_diagnostics::rules;
use marotte_hir::body::Expr;
use marotte_infer::known_values::values_of;
use marotte_pcore::format::{FormatError, string_new};
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::{Hash, Value};
use marotte_resolve::dialect;

use super::conversion::conversion;
use crate::context::{At, Context};

/// Checks one expression.
pub(in crate::rules) fn check(context: &mut Context<'_, '_>, expr: &Expr) {
    let Some(conversion) = conversion(context, expr) else { return };
    let [value, format] = conversion.arguments[..] else { return };
    let is_splat = |id| matches!(context.body.expr(id), Expr::Splat(_));
    let makes_text = matches!(conversion.target.resolved().kind(), TypeKind::String(_));
    if !makes_text || is_splat(value) || is_splat(format) {
        return;
    }
    let Some(formats) = values_of(context.typed(), format) else { return };
    if !formats.iter().all(|it| matches!(it, Value::String(_) | Value::Default)) {
        return;
    }
    let kinds = context.inference().type_of(value).and_then(of_kinds);
    let (values, is_certain): (_, fn(&FormatError) -> bool) = match (values_of(context.typed(), value), kinds)
    {
        (Some(values), _) => (values, |_| true),
        (None, Some(values)) => (values, is_about_kinds),
        (None, None) => (of_all_kinds(), is_about_formats),
    };
    let errors = values.iter().flat_map(|value| {
        let write = |format| string_new(dialect(), value, Some(format)).err();
        formats.iter().map(move |format| write(format).filter(is_certain))
    });
    let Some(error) = errors.collect::<Option<Vec<_>>>().and_then(|it| it.into_iter().next()) else { return };
    let finding = context.report(rules::INVALID_FORMAT_STRING, At::Expr(format), error.to_string());
    finding.label = Some("wrong format".to_owned());
}

/// Whether the error occurs for values of any type.
fn is_about_formats(error: &FormatError) -> bool {
    matches!(error, FormatError::NotAFormat(_) | FormatError::RepeatedFlag(_) | FormatError::TwoDelimiters(_))
}

/// Whether the error occurs for all values of the same kind.
fn is_about_kinds(error: &FormatError) -> bool {
    matches!(error, FormatError::Letter { .. }) || is_about_formats(error)
}

/// One value of each kind that a type covers. None if they aren't known.
fn of_kinds(it: &Type) -> Option<Vec<Value>> {
    let several = |types: &[Type]| Some(types.iter().map(of_kinds).collect::<Option<Vec<_>>>()?.concat());
    Some(vec![match it.resolved().kind() {
        TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_) => text(),
        TypeKind::Integer(_) => Value::from(1_i64),
        TypeKind::Float(_) => Value::Float(1.5),
        TypeKind::Boolean(_) => Value::Boolean(true),
        TypeKind::Undef => Value::Undef,
        TypeKind::Array(..) | TypeKind::Tuple(_) => list(),
        TypeKind::Hash(..) | TypeKind::Struct(_) => hash(),
        TypeKind::Numeric => return Some(vec![Value::from(1_i64), Value::Float(1.5)]),
        TypeKind::Variant(types) => return several(types),
        TypeKind::Optional(Some(inner)) => return several(&[inner.clone(), Type::undef()]),
        _ => return None,
    }])
}

fn of_all_kinds() -> Vec<Value> {
    let simple = [Value::Undef, Value::Default, Value::Boolean(true), Value::from(1_i64), Value::Float(1.5)];
    simple.into_iter().chain([text(), list(), hash()]).collect()
}

fn text() -> Value {
    Value::String("1".into())
}

fn list() -> Value {
    Value::Array(Vec::new().into())
}

fn hash() -> Value {
    Value::Hash(Hash::default().into())
}
