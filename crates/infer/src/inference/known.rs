use marotte_pcore::types::{Type, TypeKind};

/// An inferred type; None if it is unknown.
pub type Known = Option<Type>;

/// The type of a parameter's value: the declared type, or anything. A `*` parameter holds an array.
pub(super) fn parameter_type(parameter: &marotte_hir::body::Parameter, declared: Known) -> Known {
    let known = declared.filter(|it| !matches!(it.kind(), TypeKind::Any))?;
    // An array type on the parameter limits the number of elements.
    let is_array = matches!(known.resolved().kind(), TypeKind::Array(..));
    Some(if parameter.captures_rest && !is_array { Type::array(known, None) } else { known })
}

/// The union of types; unknown if one of them is, or if there are none.
pub(super) fn union(types: impl IntoIterator<Item = Known>) -> Known {
    /// More alternatives than this cost more than they are worth.
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
