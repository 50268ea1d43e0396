use crate::regexp::Regexp;
use crate::types::{
    CallableType, EnumType, FloatRange, IntegerRange, PatternType, ResourceType, StringType, TupleType, Type,
    TypeAlias, TypeKind, UriType, builtin_alias,
};

/// The type that a name denotes without parameters (D1). Only upper and lower case of first letters matters, which the
/// syntax has seen to. None if the language itself has no such type.
pub fn named(name: &str) -> Option<Type> {
    let name = name.to_lowercase();
    let name = name.strip_prefix("::").unwrap_or(&name);
    let kind = match name {
        "any" => return Some(Type::any()),
        "undef" => return Some(Type::undef()),
        "string" => TypeKind::String(StringType::Any),
        "integer" => TypeKind::Integer(IntegerRange::default()),
        "float" => TypeKind::Float(FloatRange::ALL),
        "numeric" => TypeKind::Numeric,
        "boolean" => TypeKind::Boolean(None),
        "scalar" => TypeKind::Scalar,
        "scalardata" => TypeKind::ScalarData,
        "default" => TypeKind::Default,
        "enum" => TypeKind::Enum(EnumType::default()),
        "pattern" => TypeKind::Pattern(PatternType::default()),
        "regexp" => TypeKind::Regexp(None::<Regexp>),
        "semver" => TypeKind::SemVer([].into()),
        "semverrange" => TypeKind::SemVerRange,
        "timespan" => TypeKind::Timespan(None, None),
        "timestamp" => TypeKind::Timestamp(None, None),
        "binary" => TypeKind::Binary,
        "uri" => TypeKind::Uri(UriType::default()),
        "collection" => TypeKind::Collection(None),
        "array" => TypeKind::Array(Type::any(), None),
        "hash" => TypeKind::Hash(Type::any(), Type::any(), None),
        "tuple" => TypeKind::Tuple(TupleType::default()),
        "struct" => TypeKind::Struct([].into()),
        "variant" => TypeKind::Variant([].into()),
        "optional" => TypeKind::Optional(None),
        "notundef" => TypeKind::NotUndef(None),
        "iterable" => TypeKind::Iterable(None),
        "iterator" => TypeKind::Iterator(None),
        "callable" => TypeKind::Callable(CallableType::default()),
        "catalogentry" => TypeKind::CatalogEntry,
        "resource" => TypeKind::Resource(ResourceType::default()),
        "class" => TypeKind::Class(None),
        "type" => TypeKind::Type(None),
        "sensitive" => TypeKind::Sensitive(Type::any()),
        "init" => TypeKind::Init { target: None, arguments: [].into() },
        "runtime" => TypeKind::Runtime { runtime: None, name: None, pattern: None },
        "object" => TypeKind::Object(None),
        "typeset" => TypeKind::TypeSet(None),
        "typealias" => TypeKind::Alias(TypeAlias::declare("UnresolvedAlias")),
        "typereference" => TypeKind::Reference("UnresolvedReference".into()),
        _ => return builtin_alias(name),
    };
    Some(kind.into())
}
