//! The types that the parts of a configuration must have.

use marotte_pcore::regexp::Regexp;
use marotte_pcore::types::{DATA, EnumType, PatternType, Size, StructElement, Type, TypeKind};

const SOME: Size = Size { min: 1, max: None };

fn text() -> Type {
    Type::string_sized(SOME)
}

fn texts(size: Option<Size>) -> Type {
    Type::array(text(), size)
}

fn structure<const N: usize>(elements: [(&str, bool, Type); N]) -> Type {
    let element =
        |(name, optional, value): (&str, bool, Type)| StructElement { name: name.into(), optional, value };
    TypeKind::Struct(elements.into_iter().map(element).collect()).into()
}

/// A hash of options: their names start with a letter, and end with a letter or digit.
fn options() -> Type {
    let name = Regexp::new(r"\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\z");
    let name = TypeKind::Pattern(PatternType { patterns: name.into_iter().collect() });
    Type::hash(name.into(), DATA.clone(), None)
}

/// The type of a version 5 configuration.
pub(super) fn version5() -> Type {
    let entry = structure([
        ("name", false, text()),
        ("options", true, options()),
        ("data_hash", true, text()),
        ("lookup_key", true, text()),
        ("hiera3_backend", true, text()),
        ("v4_data_hash", true, text()),
        ("data_dig", true, text()),
        ("path", true, text()),
        ("paths", true, texts(Some(SOME))),
        ("glob", true, text()),
        ("globs", true, texts(Some(SOME))),
        ("uri", true, text()),
        ("uris", true, texts(Some(SOME))),
        ("mapped_paths", true, texts(Some(Size::exactly(3)))),
        ("datadir", true, text()),
    ]);
    let hierarchy = Type::array(entry, None);
    let defaults = structure([
        ("data_hash", true, text()),
        ("lookup_key", true, text()),
        ("data_dig", true, text()),
        ("datadir", true, text()),
        ("options", true, options()),
    ]);
    structure([
        ("version", false, Type::integer_between(5, 5)),
        ("defaults", true, defaults),
        ("hierarchy", true, hierarchy.clone()),
        ("plan_hierarchy", true, hierarchy.clone()),
        ("default_hierarchy", true, hierarchy),
    ])
}

/// The type of a version 4 configuration.
pub(super) fn version4() -> Type {
    let entry = structure([
        ("backend", false, text()),
        ("name", false, text()),
        ("datadir", true, text()),
        ("path", true, text()),
        ("paths", true, texts(None)),
    ]);
    structure([
        ("version", false, Type::integer_between(4, 4)),
        ("datadir", true, text()),
        ("hierarchy", true, Type::array(entry, None)),
    ])
}

/// The type of a version 3 configuration with sections for these backends.
pub(super) fn version3<'a>(backends: impl Iterator<Item = &'a str>) -> Type {
    let one_or_more = || Type::variant([text(), texts(None)]);
    let behavior = EnumType::new(["deep".into(), "deeper".into(), "native".into()], false);
    let setting = Type::variant([Type::string(), TypeKind::Boolean(None).into()]);
    let mut elements: Vec<StructElement> = [
        ("version", Type::integer_between(3, 3)),
        ("backends", one_or_more()),
        ("logger", text()),
        ("merge_behavior", TypeKind::Enum(behavior).into()),
        ("deep_merge_options", Type::hash(text(), setting, None)),
        ("hierarchy", one_or_more()),
    ]
    .into_iter()
    .map(|(name, value)| StructElement { name: name.into(), optional: true, value })
    .collect();
    for backend in backends {
        if elements.iter().all(|it| it.name != backend) {
            let value = Type::hash(text(), Type::any(), None);
            elements.push(StructElement { name: backend.into(), optional: true, value });
        }
    }
    TypeKind::Struct(elements.into()).into()
}
