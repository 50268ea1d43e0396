use crate::types::{
    CallableType, EnumType, FloatRange, IntegerRange, Size, StringType, StructElement, TupleType, Type,
    TypeKind, UriType,
};

/// Removes details that only restrict values: sizes, ranges and literal values, recursively (D5). Regular expressions,
/// patterns, versions, classes, resources and aliases are kept.
pub fn generalize(it: &Type) -> Type {
    let kind = match it.kind() {
        TypeKind::Integer(_) => TypeKind::Integer(IntegerRange::default()),
        TypeKind::Float(_) => TypeKind::Float(FloatRange::ALL),
        TypeKind::String(_) => return Type::string(),
        TypeKind::Enum(it) => of_enum(it),
        TypeKind::Boolean(_) => TypeKind::Boolean(None),
        TypeKind::Timespan(..) => TypeKind::Timespan(None, None),
        TypeKind::Timestamp(..) => TypeKind::Timestamp(None, None),
        TypeKind::Uri(_) => TypeKind::Uri(UriType::default()),
        TypeKind::Collection(_) => TypeKind::Collection(None),
        TypeKind::Array(element, _) => TypeKind::Array(generalize(element), None),
        TypeKind::Hash(..) if *it == super::empty_hash() => return it.clone(),
        TypeKind::Hash(key, value, size) => {
            let is_default = matches!((key.kind(), value.kind(), size), (TypeKind::Any, TypeKind::Any, None));
            if is_default {
                return it.clone();
            }
            TypeKind::Hash(generalize(key), generalize(value), None)
        }
        TypeKind::Tuple(tuple) => TypeKind::Tuple(of_tuple(tuple)),
        TypeKind::Struct(elements) => {
            let general = |it: &StructElement| StructElement { value: generalize(&it.value), ..it.clone() };
            TypeKind::Struct(elements.iter().map(general).collect())
        }
        TypeKind::Variant(types) if types.is_empty() => return it.clone(),
        TypeKind::Variant(types) => {
            let general: Vec<Type> = types.iter().map(generalize).collect();
            // An unchanged type keeps its form.
            return if general[..] == types[..] { it.clone() } else { Type::variant(general) };
        }
        TypeKind::Optional(inner) => TypeKind::Optional(inner.as_ref().map(generalize)),
        TypeKind::NotUndef(Some(inner)) => return Type::not_undef(generalize(inner)),
        TypeKind::Iterable(inner) => TypeKind::Iterable(inner.as_ref().map(generalize)),
        TypeKind::Iterator(inner) => TypeKind::Iterator(inner.as_ref().map(generalize)),
        TypeKind::Type(inner) => TypeKind::Type(inner.as_ref().map(generalize)),
        TypeKind::Sensitive(inner) => TypeKind::Sensitive(generalize(inner)),
        TypeKind::Init { target: Some(target), arguments } => {
            TypeKind::Init { target: Some(generalize(target)), arguments: arguments.clone() }
        }
        TypeKind::Callable(callable) => TypeKind::Callable(CallableType {
            parameters: callable.parameters.as_ref().map(of_tuple),
            block: callable.block.as_ref().map(generalize),
            returns: callable.returns.as_ref().map(generalize),
        }),
        TypeKind::ObjectExtension(base, _) => TypeKind::Object(Some(base.clone())),
        _ => return it.clone(),
    };
    kind.into()
}

/// A string type with the lengths of the values.
fn of_enum(it: &EnumType) -> TypeKind {
    TypeKind::String(it.lengths().map_or(StringType::Any, |size: Size| StringType::Sized(size)))
}

fn of_tuple(tuple: &TupleType) -> TupleType {
    TupleType { types: tuple.types.iter().map(generalize).collect(), size: tuple.size }
}
