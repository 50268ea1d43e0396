use super::CreateError;
use super::arguments::{is_bound, size_of_bounds};
use crate::dialect::{CallableOfAnyCount, Dialect};
use crate::infer::{generalize, infer};
use crate::relation::is_callable;
use crate::types::{CallableType, Size, TupleType, Type, TypeKind};
use crate::value::Value;

/// `Callable[parameters…, min, max, block]` or, where the dialect has it, `Callable[[parameters…], return]` (D35, X56).
pub(super) fn callable(dialect: &Dialect, it: &Type, arguments: &[Value]) -> Result<Type, CreateError> {
    let (parameters, returns) = match arguments {
        [list @ Value::Array(_), ..] if !dialect.callable_has_result => {
            return Err(CreateError::NotAType {
                label: "Callable-Type",
                actual: list.kind_name().to_owned(),
            });
        }
        [Value::Array(parameters), returns] => match returns {
            Value::Type(returns) => (&**parameters, Some(returns)),
            _ => {
                return Err(CreateError::NotAType {
                    label: "Callable-Type",
                    actual: returns.kind_name().to_owned(),
                });
            }
        },
        [Value::Array(_), ..] => {
            return Err(CreateError::arity(super::error::label_with_article(it), 2, None, arguments.len()));
        }
        _ => (arguments, None),
    };
    let returns = returns.filter(|it| !matches!(it.kind(), TypeKind::Any)).cloned();
    let (block, parameters) = match parameters.split_last() {
        Some((Value::Type(block), parameters)) if is_callable(block, true) => {
            (Some(block.clone()), parameters)
        }
        _ => (None, parameters),
    };
    let count = parameters.len();
    let bounds = if count >= 2 && is_bound(parameters.get(count - 2)) && is_bound(parameters.last()) {
        2
    } else {
        usize::from(is_bound(parameters.last()))
    };
    let (types, bounds) = parameters.split_at(count - bounds);
    let size = if bounds.is_empty() { None } else { Some(size_of_bounds(dialect, bounds)?) };
    if dialect.callable_takes_only_types
        && let Some(other) = types.iter().find(|it| !matches!(it, Value::Type(_)))
    {
        return Err(CreateError::NotAType { label: "Callable-Type", actual: other.kind_name().to_owned() });
    }
    let mut types: Vec<Type> = types.iter().map(|it| type_of(dialect, it)).collect();
    let says_nothing = types.is_empty() && block.is_none() && size == Some(Size::ANY);
    if says_nothing && dialect.callable_of_any_count == CallableOfAnyCount::IsCallable {
        return Ok(TypeKind::Callable(CallableType { parameters: None, block, returns }).into());
    }
    if types.is_empty() && size.is_some_and(|size| size.max != Some(0)) {
        types.push(Type::unit());
    }
    let parameters = Some(TupleType { types: types.into(), size });
    Ok(TypeKind::Callable(CallableType { parameters, block, returns }).into())
}

/// Converts a value in the position of a type: a type is itself; a string names a class of the platform; any other
/// value is replaced by its type.
pub(super) fn type_of(dialect: &Dialect, value: &Value) -> Type {
    match value {
        Value::Type(it) => it.clone(),
        Value::String(name) => {
            TypeKind::Runtime { runtime: Some("ruby".into()), name: Some(name.clone()), pattern: None }.into()
        }
        _ => generalize(&infer(dialect, value)),
    }
}
