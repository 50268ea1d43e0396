//! Categories of types that several rules check for.

use marotte_pcore::types::{Type, TypeKind};

/// Whether all values of a type are strings.
pub fn is_text(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
}

/// Whether all values of a type are numbers.
pub fn is_number(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::Integer(_) | TypeKind::Float(_) | TypeKind::Numeric)
}
