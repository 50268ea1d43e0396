use marotte_pcore::types::{Type, TypeKind};

/// Whether a condition of this type holds. None if some values do and some do not.
pub fn truth(it: &Type) -> Option<bool> {
    match it.resolved().kind() {
        TypeKind::Undef => Some(false),
        TypeKind::Boolean(value) => *value,
        TypeKind::Variant(types) => {
            let mut truths = types.iter().map(truth);
            let first = truths.next()??;
            truths.all(|it| it == Some(first)).then_some(first)
        }
        TypeKind::Any
        | TypeKind::Unit
        | TypeKind::Scalar
        | TypeKind::ScalarData
        | TypeKind::Optional(_)
        | TypeKind::NotUndef(_)
        | TypeKind::Init { .. }
        | TypeKind::Alias(_)
        | TypeKind::Reference(_)
        | TypeKind::Runtime { .. }
        | TypeKind::Object(_)
        | TypeKind::ObjectExtension(..)
        | TypeKind::Iterable(_) => None,
        _ => Some(true),
    }
}
