use marotte_pcore::types::{Type, TypeKind};

/// A type, or that it is unknown.
pub type Known = Option<Type>;

/// What a parameter holds: what is declared, or anything. A `*` parameter holds an array.
pub(super) fn parameter_type(parameter: &marotte_hir::body::Parameter, declared: Known) -> Known {
    let known = declared.filter(|it| !matches!(it.kind(), TypeKind::Any))?;
    // Typed as an array, it says how many there may be.
    let is_array = matches!(known.resolved().kind(), TypeKind::Array(..));
    Some(if parameter.captures_rest && !is_array { Type::array(known, None) } else { known })
}

/// The type of what has one of several types; unknown if one of them is, and so is the type of nothing.
pub(super) fn union(types: impl IntoIterator<Item = Known>) -> Known {
    /// More alternatives than people write would cost more than they say.
    const MOST: usize = 32;
    let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
    if types.is_empty() || types.len() > MOST {
        return None;
    }
    let union = Type::variant(types);
    match union.kind() {
        TypeKind::Variant(all) if all.len() > MOST => None,
        _ => Some(union),
    }
}
