use super::*;
use crate::types::{StructElement, TypeAlias, TypeKind};

fn alias(name: &str, target: impl FnOnce(&Type) -> Type) -> Type {
    let alias = TypeAlias::declare(name);
    let it: Type = TypeKind::Alias(alias.clone()).into();
    alias.define(target(&it));
    it
}

#[test]
fn unknown_types_are_told_before_all_else() {
    let expected = Type::array(TypeKind::Reference("Unknown".into()).into(), None);
    let text = describe_mismatch(Dialect::puppet8(), "x", &expected, &Type::integer());
    assert_eq!(text, "x references an unresolved type 'Unknown'");
}

#[test]
fn paths_are_data() {
    let expected = Type::array(Type::tuple([Type::integer(), Type::string()]), None);
    let actual = Type::tuple([Type::tuple([Type::integer(), Type::integer()])]);
    let found = mismatches(Dialect::puppet8(), &expected, &actual, Vec::new());
    let kind = MismatchKind::Type { expected: Type::string(), actual: Type::integer() };
    assert_eq!(found, [Mismatch { path: vec![PathElement::Index(0), PathElement::Index(1)], kind }]);
}

#[test]
fn recursive_types_are_followed_as_deep_as_the_actual_type_goes() {
    let chain = alias("Chain", |it| {
        let next = StructElement { name: "next".into(), optional: false, value: it.clone() };
        TypeKind::Struct([next].into()).into()
    });
    let hash = |value| {
        TypeKind::Struct([StructElement { name: "next".into(), optional: false, value }].into()).into()
    };
    let text = describe_mismatch(Dialect::puppet8(), "x", &chain, &hash(hash(Type::integer())));
    assert!(text.starts_with("x entry 'next' entry 'next' expects a Chain = Struct"), "{text}");
}

#[test]
fn alternatives_that_multiply_are_cut_short() {
    let tree = alias("Tree", |it| {
        let (one, many) = (Type::tuple([it.clone()]), Type::array(it.clone(), None));
        TypeKind::Variant([one, many, Type::integer()].into()).into()
    });
    let deep = (0..15).fold(Type::string(), |it, _| Type::tuple([it]));
    let text = describe_mismatch(Dialect::puppet8(), "x", &tree, &deep);
    assert!(text.contains("expects a Tree = Variant"), "{text}");
}
