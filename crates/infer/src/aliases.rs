//! Comparison of aliases in types by their targets. Aliases are equal if their names are, as in the reference; but an inference
//! result is unchanged only if their targets are equal, too.

use std::collections::BTreeMap;

use marotte_pcore::types::{Type, TypeKind};
use marotte_text::Str;

/// Whether the aliases in equal types have the same targets.
pub(crate) fn stand_for_the_same<'t>(
    one: impl IntoIterator<Item = &'t Type>,
    other: impl IntoIterator<Item = &'t Type>,
) -> bool {
    targets(one) == targets(other)
}

/// The aliases in types and, transitively, in their targets, by name.
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
