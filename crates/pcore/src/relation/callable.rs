//! Callable types, and the arguments that they accept.

use super::accepts::{tuple_accepts, tuple_accepts_array};
use super::assignable::Comparison;
use super::guard::{Guard, Guarded};
use super::instance::instance_of;
use crate::dialect::Dialect;
use crate::types::{CallableType, Size, TupleType, Type, TypeKind, UNDEF};
use crate::value::Value;

/// Whether all instances of a type are callable; with `optional`, also if they may be `undef` (D35).
pub fn is_callable(it: &Type, optional: bool) -> bool {
    is_kind_of_callable(it, optional, None)
}

fn is_kind_of_callable(it: &Type, optional: bool, mut guard: Guarded<'_>) -> bool {
    match it.kind() {
        TypeKind::Callable(_) => true,
        TypeKind::Variant(types) => {
            types.iter().all(|it| is_kind_of_callable(it, optional, guard.as_deref_mut()))
        }
        TypeKind::Optional(Some(it)) => optional && is_kind_of_callable(it, optional, guard),
        TypeKind::Object(Some(object)) => {
            object.parent.as_ref().is_some_and(|parent| is_kind_of_callable(parent, optional, guard))
        }
        TypeKind::Alias(alias) => alias.target().is_some_and(|target| {
            if !alias.is_recursive() {
                return is_kind_of_callable(target, optional, guard);
            }
            let mut own = Guard::default();
            guard.unwrap_or(&mut own).with_this(alias.identity(), |guard| {
                !guard.this_recurs() && is_kind_of_callable(target, optional, Some(guard))
            })
        }),
        _ => false,
    }
}

/// Whether a callable accepts arguments of these types: a `Tuple` or `Array` of them, with the block last (D35).
pub fn accepts_arguments(dialect: &Dialect, callable: &Type, arguments: &Type) -> bool {
    let it = Comparison::new(dialect, dialect.undef_fits);
    match callable.resolved().kind() {
        TypeKind::Callable(callable) => arguments_fit(&it, callable, arguments),
        TypeKind::Variant(types) => {
            types.iter().any(|callable| accepts_arguments(dialect, callable, arguments))
        }
        TypeKind::Optional(Some(inner)) if is_callable(inner, true) => {
            matches!(arguments.resolved().kind(), TypeKind::Undef)
                || accepts_arguments(dialect, inner, arguments)
        }
        _ => false,
    }
}

fn arguments_fit(it: &Comparison<'_>, callable: &CallableType, arguments: &Type) -> bool {
    let needs_no_block = callable.block.as_ref().is_none_or(|block| it.accepts(block, &UNDEF, None));
    match arguments.resolved().kind() {
        TypeKind::Tuple(given) => match given.types.last() {
            Some(block) if is_callable(block, true) => block_fits(it, callable, given, block),
            _ => {
                let parameters = callable.parameters.as_ref();
                parameters.is_none_or(|wanted| wanted == given || tuple_accepts(it, wanted, given, None))
                    && needs_no_block
            }
        },
        TypeKind::Array(element, size) => {
            let parameters = callable.parameters.as_ref();
            parameters.is_none_or(|wanted| tuple_accepts_array(it, wanted, element, *size, None))
                && needs_no_block
        }
        TypeKind::Undef => it.accepts(&TypeKind::Callable(callable.clone()).into(), &UNDEF, None),
        TypeKind::Callable(_) => it.accepts(&TypeKind::Callable(callable.clone()).into(), arguments, None),
        _ => false,
    }
}

fn block_fits(it: &Comparison<'_>, callable: &CallableType, given: &TupleType, block: &Type) -> bool {
    let Some(parameters) = &callable.parameters else { return true };
    let wanted = callable.block.as_ref();
    if !wanted.is_some_and(|wanted| it.accepts(wanted, block, None)) {
        return false;
    }
    let count = given.types.len() - 1;
    parameters.size_range().covers(Size::exactly(count))
        && given.types.iter().take(count).enumerate().all(|(index, argument)| {
            parameters.type_at(index).is_some_and(|wanted| it.accepts(wanted, argument, None))
        })
}

/// Whether a callable accepts these values and this block (D35).
pub fn accepts_values(
    dialect: &Dialect,
    callable: &CallableType,
    values: &[Value],
    block: Option<&Value>,
) -> bool {
    let Some(parameters) = &callable.parameters else { return true };
    let parameters: Type = TypeKind::Tuple(parameters.clone()).into();
    if !instance_of(dialect, &parameters, &Value::Array(values.into())) {
        return false;
    }
    match &callable.block {
        None => block.is_none(),
        Some(wanted) => instance_of(dialect, wanted, block.unwrap_or(&Value::Undef)),
    }
}
