use super::{Type, TypeKind};
use crate::print::names;
use marotte_text::split_namespace;

impl Type {
    /// The name of the type's kind as this thread writes it; for `Object` types, the name of the type itself without
    /// its namespace.
    pub fn kind_name(&self) -> &str {
        use TypeKind as T;
        match self.kind() {
            T::Any => names().any,
            T::Unit => "Unit",
            T::Undef => "Undef",
            T::Default => "Default",
            T::Scalar => names().scalar,
            T::ScalarData => "ScalarData",
            T::Numeric => "Numeric",
            T::Integer(_) => "Integer",
            T::Float(_) => "Float",
            T::String(_) => "String",
            T::Enum(_) => "Enum",
            T::Pattern(_) => "Pattern",
            T::Boolean(_) => "Boolean",
            T::Regexp(_) => "Regexp",
            T::SemVer(_) => "SemVer",
            T::SemVerRange => "SemVerRange",
            T::Timespan(..) => "Timespan",
            T::Timestamp(..) => "Timestamp",
            T::Binary => "Binary",
            T::Uri(_) => "URI",
            T::Collection(_) => "Collection",
            T::Array(..) => "Array",
            T::Hash(..) => "Hash",
            T::Tuple(_) => "Tuple",
            T::Struct(_) => "Struct",
            T::Variant(_) => "Variant",
            T::Optional(_) => "Optional",
            T::NotUndef(_) => "NotUndef",
            T::Iterable(_) => "Iterable",
            T::Iterator(_) => "Iterator",
            T::Callable(_) => "Callable",
            T::CatalogEntry => "CatalogEntry",
            T::Resource(_) => "Resource",
            T::Class(_) => "Class",
            T::Type(_) => "Type",
            T::Sensitive(_) => "Sensitive",
            T::Init { .. } => "Init",
            T::Runtime { .. } => names().platform.unwrap_or("Runtime"),
            T::Object(None) => "Object",
            T::Object(Some(object)) | T::ObjectExtension(object, _) => {
                let label = object.label();
                split_namespace(label).map_or(label, |(_, last)| last)
            }
            T::TypeSet(_) => "TypeSet",
            T::Alias(_) => "TypeAlias",
            T::Reference(_) => "TypeReference",
        }
    }
}
