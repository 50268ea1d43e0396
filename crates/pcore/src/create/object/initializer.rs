//! The types of the hashes that describe `Object` types, their members, and type sets.

use std::sync::LazyLock;

use crate::regexp::Regexp;
use crate::types::{
    ANNOTATION, CallableType, EnumType, PatternType, Size, StringType, StructElement, Type, TypeKind,
};

/// The names of attribute kinds, in the order of messages.
const KINDS: [&str; 4] = ["constant", "derived", "given_or_derived", "reference"];

/// The type of the hash of an `Object` type.
pub(in crate::create) static OBJECT: LazyLock<Type> = LazyLock::new(|| {
    let members = || hash_of(member_name(), Type::not_undef(Type::any()));
    let function_name = Type::variant([member_name(), Type::literal("[]")]);
    structure([
        optional("name", type_name()),
        optional("parent", any_type()),
        optional("type_parameters", members()),
        optional("attributes", members()),
        optional("constants", hash_of(member_name(), Type::any())),
        optional("functions", hash_of(function_name, Type::not_undef(Type::any()))),
        optional("equality", Type::variant([member_name(), Type::array(member_name(), None)])),
        optional("equality_include_type", boolean()),
        optional("checks", Type::any()),
        optional("annotations", annotations()),
    ])
});

/// The type of the hash of an attribute.
pub(super) static ATTRIBUTE: LazyLock<Type> = LazyLock::new(|| {
    structure([
        required("type", any_type()),
        optional("final", boolean()),
        optional("override", boolean()),
        optional("kind", TypeKind::Enum(EnumType::new(KINDS.map(Into::into), false)).into()),
        optional("value", Type::any()),
        optional("annotations", annotations()),
    ])
});

/// The type of the hash of a function.
pub(super) static FUNCTION: LazyLock<Type> = LazyLock::new(|| {
    structure([
        required("type", SIGNATURE.clone()),
        optional("final", boolean()),
        optional("override", boolean()),
        optional("annotations", annotations()),
    ])
});

/// The type of a function's type: callable types.
pub(super) static SIGNATURE: LazyLock<Type> =
    LazyLock::new(|| Type::of(TypeKind::Callable(CallableType::default()).into()));

/// `Type`.
pub(super) static ANY_TYPE: LazyLock<Type> = LazyLock::new(any_type);

/// The type of the hash of a type set.
pub(in crate::create) static TYPE_SET: LazyLock<Type> = LazyLock::new(|| {
    let some = Some(Size { min: 1, max: None });
    let version = || Type::variant([text(), TypeKind::SemVer([].into()).into()]);
    let reference = structure([
        required("name", type_name()),
        required("version_range", Type::variant([text(), TypeKind::SemVerRange.into()])),
        optional("name_authority", uri()),
        optional("annotations", annotations()),
    ]);
    let definition = TypeKind::Variant([any_type(), OBJECT.clone()].into()).into();
    structure([
        optional("pcore_uri", uri()),
        required("pcore_version", version()),
        optional("name_authority", uri()),
        optional("name", type_name()),
        optional("version", version()),
        optional("types", Type::hash(simple_type_name(), definition, some)),
        optional("references", Type::hash(simple_type_name(), reference, some)),
        optional("annotations", annotations()),
    ])
});

fn structure<const N: usize>(elements: [StructElement; N]) -> Type {
    TypeKind::Struct(elements.into()).into()
}

fn required(name: &str, value: Type) -> StructElement {
    StructElement { name: name.into(), optional: false, value }
}

fn optional(name: &str, value: Type) -> StructElement {
    StructElement { name: name.into(), optional: true, value }
}

fn hash_of(key: Type, value: Type) -> Type {
    Type::hash(key, value, None)
}

fn any_type() -> Type {
    TypeKind::Type(None).into()
}

fn boolean() -> Type {
    TypeKind::Boolean(None).into()
}

fn text() -> Type {
    TypeKind::String(StringType::Sized(Size { min: 1, max: None })).into()
}

fn annotations() -> Type {
    let content = hash_of(member_name(), Type::any());
    Type::optional(hash_of(Type::of(ANNOTATION.clone()), content))
}

fn member_name() -> Type {
    pattern(r"\A[a-z_]\w*\z")
}

fn type_name() -> Type {
    pattern(r"\A[A-Z]\w*(?:::[A-Z]\w*)*\z")
}

fn simple_type_name() -> Type {
    pattern(r"\A[A-Z]\w*\z")
}

/// Texts that contain a scheme. The reference's expression has two dozen lines, but all parts except the scheme are optional.
fn uri() -> Type {
    pattern(r"[a-zA-Z][\-+.a-zA-Z\d]*:")
}

fn pattern(source: &str) -> Type {
    TypeKind::Pattern(PatternType { patterns: Regexp::new(source).into_iter().collect() }).into()
}
