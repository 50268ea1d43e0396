use super::{generalize, merge};
use crate::dialect::Dialect;
use crate::relation::assignable;
use crate::types::{CallableType, StructElement, TupleType, Type, TypeKind};

/// Simplifies a type: removes redundant parts of `Variant`, `Optional` and `NotUndef`, and merges alternatives (D29).
///
/// As in the reference, a `Collection`, and an `Array` of `Any`, lose their size.
pub fn normalize(it: &Type) -> Type {
    let kind = match it.kind() {
        TypeKind::Collection(_) => TypeKind::Collection(None),
        TypeKind::Array(element, size) => match element.kind() {
            TypeKind::Any => TypeKind::Array(element.clone(), None),
            _ => return Type::array(normalize(element), *size),
        },
        TypeKind::Hash(key, value, size) => return Type::hash(normalize(key), normalize(value), *size),
        TypeKind::Tuple(tuple) => TypeKind::Tuple(of_tuple(tuple)),
        TypeKind::Struct(elements) => {
            let normal = |it: &StructElement| StructElement { value: normalize(&it.value), ..it.clone() };
            TypeKind::Struct(elements.iter().map(normal).collect())
        }
        TypeKind::Variant(types) => return of_variant(it, types),
        TypeKind::Optional(Some(inner)) => return of_optional(&normalize(inner)),
        TypeKind::NotUndef(Some(inner)) => return of_not_undef(&normalize(inner)),
        TypeKind::Iterable(inner) => TypeKind::Iterable(inner.as_ref().map(normalize)),
        TypeKind::Iterator(inner) => TypeKind::Iterator(inner.as_ref().map(normalize)),
        TypeKind::Type(inner) => TypeKind::Type(inner.as_ref().map(normalize)),
        TypeKind::Sensitive(inner) => {
            let normal = normalize(inner);
            // A generalized inner type stays generalized; the generalized form of an `Enum` can itself be generalized.
            return match normal == *inner {
                true => it.clone(),
                false if generalize(inner) == *inner => Type::sensitive(&normal),
                false => TypeKind::Sensitive(normal).into(),
            };
        }
        TypeKind::Init { target: Some(target), arguments } => {
            TypeKind::Init { target: Some(normalize(target)), arguments: arguments.clone() }
        }
        TypeKind::Callable(callable) => TypeKind::Callable(CallableType {
            parameters: callable.parameters.as_ref().map(of_tuple),
            block: callable.block.as_ref().map(normalize),
            returns: callable.returns.as_ref().map(normalize),
        }),
        _ => return it.clone(),
    };
    kind.into()
}

fn of_tuple(tuple: &TupleType) -> TupleType {
    TupleType { types: tuple.types.iter().map(normalize).collect(), size: tuple.size }
}

/// Whether a type accepts `undef`, which doesn't depend on the dialect.
fn accepts_undef(it: &Type) -> bool {
    assignable(Dialect::puppet8(), it, &Type::undef())
}

fn of_optional(inner: &Type) -> Type {
    match inner.kind() {
        TypeKind::NotUndef(Some(it)) => normalize(&Type::optional(it.clone())),
        TypeKind::NotUndef(None) => TypeKind::Optional(None).into(),
        _ if accepts_undef(inner) => inner.clone(),
        _ => Type::optional(inner.clone()),
    }
}

fn of_not_undef(inner: &Type) -> Type {
    match inner.kind() {
        TypeKind::Optional(Some(it)) => normalize(&Type::not_undef(it.clone())),
        TypeKind::Optional(None) => TypeKind::NotUndef(None).into(),
        _ if !accepts_undef(inner) => inner.clone(),
        _ => Type::not_undef(inner.clone()),
    }
}

fn of_variant(it: &Type, types: &[Type]) -> Type {
    if types.is_empty() {
        return it.clone();
    }
    let normal: Vec<Type> = types.iter().map(normalize).collect();
    if let [only] = &normal[..] {
        return only.clone();
    }
    if normal.iter().any(|it| matches!(it.kind(), TypeKind::Undef | TypeKind::Optional(_))) {
        let others = normal.iter().filter_map(|it| match it.kind() {
            TypeKind::Undef => None,
            TypeKind::Optional(inner) => inner.clone(),
            _ => Some(it.clone()),
        });
        return normalize(&Type::optional(Type::variant(others)));
    }
    let modified = normal[..] != types[..];
    let flat = flatten(&normal);
    let count = flat.len();
    let merged = merge::merge(flat);
    match &merged[..] {
        [only] => only.clone(),
        _ if modified || merged.len() != count => Type::variant(merged),
        _ => it.clone(),
    }
}

fn flatten(types: &[Type]) -> Vec<Type> {
    let open = |it: &Type| match it.kind() {
        TypeKind::Variant(inner) => inner.to_vec(),
        _ => vec![it.clone()],
    };
    types.iter().flat_map(open).collect()
}
