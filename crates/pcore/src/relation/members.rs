//! The members of abstract types.

use crate::dialect::Dialect;
use crate::types::{FloatRange, ResourceType, Type, TypeKind};

/// Returns the direct subtypes of an abstract type, which together have all its instances. `None` if the type isn't abstract.
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
