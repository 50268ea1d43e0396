//! `Init[T]` and `Init[T, arguments]` (D36).

use super::{Context, NewError, construct};
use crate::dialect::Dialect;
use crate::relation::{constructors, instance_of, is_constructible, takes_arguments};
use crate::types::{Size, Type, TypeKind};
use crate::value::Value;

/// The maximum depth of `Init` nested in `Init`.
const DEEPEST: usize = 64;

/// Rejects an `Init` of a type that can't be constructed, or not with its arguments.
pub(super) fn check(dialect: &Dialect, it: &Type) -> Result<(), NewError> {
    match it.kind() {
        TypeKind::Init { target: Some(target), .. } if !is_constructible(target) => {
            Err(NewError::Unsupported(target.clone()))
        }
        TypeKind::Init { target: Some(target), arguments }
            if !takes_arguments(dialect, target, arguments) =>
        {
            Err(NewError::InitArguments { init: it.clone(), target: target.clone() })
        }
        _ => Ok(()),
    }
}

/// Creates a value of the target. An array is a list of arguments, unless the target accepts it as its only one.
pub(super) fn init(
    context: &Context<'_>,
    target: Option<&Type>,
    rest: &[Value],
    value: &Value,
    depth: usize,
) -> Result<Value, NewError> {
    let Some(target) = target else { return Ok(value.clone()) };
    if depth >= DEEPEST {
        return Err(NewError::TooDeep);
    }
    let value = std::slice::from_ref(value);
    match value {
        [Value::Array(elements)] if rest.is_empty() && !is_single(context.dialect, target, &value[0]) => {
            construct(context, target, elements, depth + 1)
        }
        _ => construct(context, target, &[value, rest].concat(), depth + 1),
    }
}

/// Whether a value is an instance of the type, or accepted as the only argument of one of its constructors.
fn is_single(dialect: &Dialect, target: &Type, value: &Value) -> bool {
    instance_of(dialect, target, value)
        || constructors(dialect, target).is_some_and(|it| {
            let mut alone = it.all.iter().filter(|it| it.parameters.size_range() == Size::exactly(1));
            alone.any(|it| it.parameters.type_at(0).is_some_and(|wanted| instance_of(dialect, wanted, value)))
        })
}
