use crate::dialect::{Contained, DataExtent, Dialect};
use crate::regexp::Regexp;
use crate::types::{
    CallableType, DATA, DATA_OF_SCALARS, EnumType, FloatRange, IntegerRange, PatternType, ResourceType,
    StringType, TupleType, Type, TypeAlias, TypeKind, UriType, builtin_alias,
};

/// The names of the types that programs can name, in the latest dialect.
pub const TYPE_NAMES: &[&str] = &[
    "Any",
    "Array",
    "Binary",
    "Boolean",
    "Callable",
    "CatalogEntry",
    "Class",
    "Collection",
    "Data",
    "Default",
    "Deferred",
    "Enum",
    "Error",
    "Float",
    "Hash",
    "Init",
    "Integer",
    "Iterable",
    "Iterator",
    "NotUndef",
    "Numeric",
    "Object",
    "Optional",
    "Pattern",
    "Regexp",
    "Resource",
    "RichData",
    "Runtime",
    "Scalar",
    "ScalarData",
    "SemVer",
    "SemVerRange",
    "Sensitive",
    "String",
    "Struct",
    "Timespan",
    "Timestamp",
    "Tuple",
    "Type",
    "TypeSet",
    "URI",
    "Undef",
    "Variant",
];

/// Returns the type that a name denotes without parameters (D1). The case of letters is ignored, because the syntax has
/// already checked it. `None` if the dialect itself has no such type.
pub fn named(dialect: &Dialect, name: &str) -> Option<Type> {
    let name = name.to_lowercase();
    let name = name.strip_prefix("::").unwrap_or(&name);
    let names = dialect.type_names;
    if names.absent.contains(&name) {
        return None;
    }
    if names.platform.is_some_and(|platform| platform.eq_ignore_ascii_case(name)) {
        return Some(TypeKind::Runtime { runtime: Some(name.into()), name: None, pattern: None }.into());
    }
    let kind = match name {
        _ if name.eq_ignore_ascii_case(names.any) => return Some(Type::any()),
        _ if name.eq_ignore_ascii_case(names.scalar) => TypeKind::Scalar,
        "data" => return Some(data(dialect)),
        "richdata" => return Some(dialect.rich_data_keys.rich_data().clone()),
        "undef" => return Some(Type::undef()),
        "string" => TypeKind::String(StringType::Any),
        "integer" => TypeKind::Integer(IntegerRange::default()),
        "float" => TypeKind::Float(FloatRange::ALL),
        "numeric" => TypeKind::Numeric,
        "boolean" => TypeKind::Boolean(None),
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
        "array" => TypeKind::Array(default_value(dialect), None),
        "hash" => TypeKind::Hash(default_key(dialect), default_value(dialect), None),
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

/// `Data` (X8).
fn data(dialect: &Dialect) -> Type {
    match dialect.data {
        DataExtent::ScalarData => DATA.clone(),
        DataExtent::Scalar => DATA_OF_SCALARS.clone(),
    }
}

/// The default type of elements and values (X34, X37).
pub(super) fn default_value(dialect: &Dialect) -> Type {
    match dialect.contained {
        Contained::Any => Type::any(),
        Contained::Data => data(dialect),
    }
}

/// The default type of keys (X37).
pub(super) fn default_key(dialect: &Dialect) -> Type {
    match dialect.contained {
        Contained::Any => Type::any(),
        Contained::Data => TypeKind::Scalar.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_types_name_types() {
        for name in TYPE_NAMES {
            assert!(named(Dialect::puppet8(), name).is_some(), "{name}");
        }
    }
}
