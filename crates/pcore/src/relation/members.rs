//! What types without instances of their own are made of.

use crate::dialect::Dialect;
use crate::types::{FloatRange, ResourceType, Type, TypeKind};

/// The types below one that has no instances of its own: whatever is an instance of it is an instance of one of them. None
/// if it is no such type.
pub(super) fn members(dialect: &Dialect, it: &Type) -> Option<Vec<Type>> {
    use TypeKind as T;
    let kinds = match it.kind() {
        T::Scalar => {
            let mut kinds = vec![
                T::ScalarData,
                T::Regexp(None),
                T::SemVer([].into()),
                T::Timespan(None, None),
                T::Timestamp(None, None),
            ];
            if dialect.version_ranges_are_scalar {
                kinds.push(T::SemVerRange);
            }
            kinds
        }
        T::ScalarData => return Some(vec![Type::from(T::Numeric), Type::string(), T::Boolean(None).into()]),
        T::Numeric => return Some(vec![Type::integer(), T::Float(FloatRange::ALL).into()]),
        T::Collection(size) => {
            return Some(vec![Type::array(Type::any(), *size), Type::hash(Type::any(), Type::any(), *size)]);
        }
        T::CatalogEntry => vec![T::Class(None), T::Resource(ResourceType::default())],
        _ => return None,
    };
    Some(kinds.into_iter().map(Type::from).collect())
}
