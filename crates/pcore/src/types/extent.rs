//! The extent of types, which they store when they are created.

use super::object::Annotations;
use super::{ObjectType, StringType, TupleType, Type, TypeAlias, TypeKind};
use crate::extent::Extent;
use crate::value::Value;

/// Returns the extent of a type of this kind.
pub(super) fn of(kind: &TypeKind) -> Extent {
    let parts = |types: &[Type]| Extent::around(types.iter().map(Type::extent));
    let values = |extent: Extent, values: &[(marotte_text::Str, Value)]| {
        values.iter().map(|(_, it)| it.extent()).fold(extent, Extent::with)
    };
    match kind {
        TypeKind::Array(it, _) | TypeKind::Sensitive(it) => Extent::around([it.extent()]),
        TypeKind::Hash(key, value, _) => Extent::around([key.extent(), value.extent()]),
        TypeKind::Tuple(TupleType { types, .. }) | TypeKind::Variant(types) => parts(types),
        TypeKind::Struct(elements) => Extent::around(
            elements.iter().flat_map(|it| [Extent::of_bytes(it.name.len()), it.value.extent()]),
        ),
        TypeKind::Optional(it)
        | TypeKind::NotUndef(it)
        | TypeKind::Iterable(it)
        | TypeKind::Iterator(it)
        | TypeKind::Type(it) => Extent::around(it.iter().map(Type::extent)),
        TypeKind::Init { target, arguments } => {
            let arguments = arguments.iter().map(Value::extent);
            Extent::around(target.iter().map(Type::extent).chain(arguments))
        }
        TypeKind::Callable(callable) => {
            let parameters = callable.parameters.iter().flat_map(|it| it.types.iter());
            let all = parameters.chain(&callable.block).chain(&callable.returns);
            Extent::around(all.map(Type::extent))
        }
        TypeKind::String(StringType::Literal(text)) => Extent::of_bytes(text.len()),
        TypeKind::Enum(it) => Extent::around(it.values().iter().map(|it| Extent::of_bytes(it.len()))),
        TypeKind::Pattern(it) => {
            Extent::around(it.patterns.iter().map(|it| Extent::of_bytes(it.source().len())))
        }
        TypeKind::Uri(it) => values(Extent::LEAF, &it.parts),
        TypeKind::Object(Some(object)) => of_object(object),
        TypeKind::ObjectExtension(object, parameters) => values(of_object(object), parameters),
        TypeKind::TypeSet(Some(set)) => Extent::around(set.types.iter().map(|(_, it)| it.extent())),
        TypeKind::Alias(alias) => of_alias(alias),
        _ => Extent::LEAF,
    }
}

/// An alias is one level deeper than its target, but no larger than its name: walks follow it at most once.
pub(super) fn of_alias(alias: &TypeAlias) -> Extent {
    match alias.target() {
        Some(target) => Extent::at_depth(target.extent().depth() + 1),
        None => Extent::LEAF,
    }
}

fn of_object(object: &ObjectType) -> Extent {
    let parameters =
        object.type_parameters.iter().flat_map(|it| [it.value_type.extent(), of_value(&it.default)]);
    let attributes = object
        .attributes
        .iter()
        .flat_map(|it| [it.value_type.extent(), of_value(&it.default), of_annotations(&it.annotations)]);
    let functions =
        object.functions.iter().flat_map(|it| [it.signature.extent(), of_annotations(&it.annotations)]);
    let own = [of_value(&object.checks), of_annotations(&object.annotations)];
    let parent = object.parent.iter().map(Type::extent);
    Extent::around(parent.chain(own).chain(parameters).chain(attributes).chain(functions))
}

fn of_value(value: &Option<Value>) -> Extent {
    value.as_ref().map_or(Extent::LEAF, Value::extent)
}

fn of_annotations(annotations: &Annotations) -> Extent {
    annotations.as_ref().map_or(Extent::LEAF, |it| it.extent())
}
