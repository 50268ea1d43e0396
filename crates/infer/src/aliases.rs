//! What the aliases in types stand for. Aliases are equal if their names are, as in the reference; what was inferred is still the
//! same only if they also stand for the same.

use std::collections::BTreeMap;

use marotte_pcore::types::{Type, TypeKind};
use marotte_text::Str;

/// Whether the aliases in equal types stand for the same.
pub(crate) fn stand_for_the_same<'t>(
    one: impl IntoIterator<Item = &'t Type>,
    other: impl IntoIterator<Item = &'t Type>,
) -> bool {
    targets(one) == targets(other)
}

/// The aliases in types, by their names, and in what they stand for.
fn targets<'t>(types: impl IntoIterator<Item = &'t Type>) -> BTreeMap<Str, Option<Type>> {
    let mut found = BTreeMap::new();
    for it in types {
        it.any_part(&mut |part| {
            if let TypeKind::Alias(alias) = part.kind() {
                found.insert(alias.name().clone(), alias.target().cloned());
            }
            false
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use marotte_pcore::types::TypeAlias;

    use super::*;

    fn alias(target: Type) -> Type {
        let alias = TypeAlias::declare("A::T");
        alias.define(target);
        Type::array(TypeKind::Alias(alias).into(), None)
    }

    #[test]
    fn aliases_of_one_name_may_stand_for_different_types() {
        let (one, other) = (alias(Type::undef()), alias(Type::any()));
        assert_eq!(one, other, "as the reference compares them");
        assert!(stand_for_the_same([&one], [&alias(Type::undef())]));
        assert!(!stand_for_the_same([&one], [&other]));
    }
}
