//! The parameters of each type's constructors (D.3).

use crate::regexp::Regexp;
use crate::types::{
    EnumType, ObjectType, PatternType, Size, StructElement, TupleType, Type, TypeKind, UriType,
};

/// How deep a type may pass construction on to another.
const PASSED_ON: usize = 64;

/// The parameters of each constructor of a type, or none if it can't be constructed (D76). `Optional`, `NotUndef` and
/// aliases pass on to the type they are made of.
pub fn signatures(it: &Type) -> Option<Vec<TupleType>> {
    let mut it = it;
    for _ in 0..PASSED_ON {
        it = match it.kind() {
            TypeKind::Optional(inner) => inner.as_ref()?,
            TypeKind::NotUndef(Some(inner)) => inner,
            TypeKind::Alias(alias) => alias.target()?,
            _ => return own(it),
        };
    }
    None
}

fn own(it: &Type) -> Option<Vec<TupleType>> {
    let boolean = || Type::from(TypeKind::Boolean(None));
    let any_number = || Type::variant([Type::integer(), float()]);
    let signatures = match it.kind() {
        TypeKind::NotUndef(None) | TypeKind::Unit => vec![exactly([Type::any()])],
        TypeKind::Integer(_) => {
            let radix = [2, 8, 10, 16].map(|it| Type::integer_between(it, it));
            let radix = Type::variant([TypeKind::Default.into()].into_iter().chain(radix));
            let from = convertible(TypeKind::Numeric.into(), INTEGER);
            let named =
                [("from", from.clone(), false), ("radix", radix.clone(), true), ("abs", boolean(), true)];
            vec![between([from, radix, boolean()], 1, 3), exactly([structure(named)])]
        }
        TypeKind::Float(_) | TypeKind::Numeric => {
            let from = match it.kind() {
                TypeKind::Float(_) => convertible(TypeKind::Numeric.into(), FLOAT),
                _ => convertible(any_number(), FLOAT),
            };
            let named = [("from", from.clone(), false), ("abs", boolean(), true)];
            vec![between([from, boolean()], 1, 2), exactly([structure(named)])]
        }
        TypeKind::Boolean(_) => {
            let words = ["false", "true", "yes", "no", "y", "n"].map(Into::into);
            let words = TypeKind::Enum(EnumType::new(words, true)).into();
            vec![exactly([Type::variant([Type::integer(), float(), boolean(), words])])]
        }
        TypeKind::String(_) => vec![between([Type::any(), string_formats()], 1, 2)],
        TypeKind::Regexp(_) => vec![between([Type::string(), boolean()], 1, 2)],
        TypeKind::Array(..) | TypeKind::Tuple(_) => {
            let from = Type::variant([
                any_array(),
                any_hash(),
                TypeKind::Binary.into(),
                TypeKind::Iterable(None).into(),
            ]);
            vec![
                between([from, TypeKind::Boolean(Some(false)).into()], 1, 2),
                exactly([Type::any(), TypeKind::Boolean(Some(true)).into()]),
            ]
        }
        TypeKind::Hash(..) | TypeKind::Struct(_) => {
            let pairs = |key| Type::array(Type::tuple([key, Type::any()]), Some(Size { min: 1, max: None }));
            let option = TypeKind::Enum(EnumType::new(["tree".into(), "hash_tree".into()], false)).into();
            vec![
                between([pairs(any_array()), option], 1, 2),
                exactly([pairs(Type::any())]),
                exactly([Type::any()]),
            ]
        }
        TypeKind::SemVer(_) => version(),
        TypeKind::SemVerRange => version_range(),
        TypeKind::Timespan(..) => timespan(any_number()),
        TypeKind::Timestamp(..) => timestamp(any_number()),
        TypeKind::Binary => {
            let format: Type =
                TypeKind::Enum(EnumType::new(["%b", "%u", "%B", "%s", "%r"].map(Into::into), false)).into();
            let bytes = Type::array(Type::integer_between(0, 255), None);
            let text = structure([
                ("value", Type::string(), false),
                ("format", Type::optional(format.clone()), true),
            ]);
            let named = Type::variant([text, structure([("value", bytes.clone(), false)])]);
            vec![between([Type::string(), format], 1, 2), exactly([bytes]), exactly([named])]
        }
        TypeKind::Uri(UriType { .. }) => {
            let part = |name| (name, non_empty(), true);
            let port =
                Type::from(TypeKind::Integer(crate::types::IntegerRange { from: Some(0.into()), to: None }));
            let named = structure([
                part("scheme"),
                part("userinfo"),
                part("host"),
                ("port", port, true),
                part("path"),
                part("query"),
                part("fragment"),
                part("opaque"),
            ]);
            vec![exactly([non_empty()]), exactly([named])]
        }
        TypeKind::Sensitive(_) => {
            vec![exactly([Type::sensitive(&Type::any())]), exactly([Type::any()])]
        }
        TypeKind::Type(_) => vec![exactly([non_empty()])],
        TypeKind::Object(Some(object)) | TypeKind::ObjectExtension(object, _) => of_object(object),
        _ => return None,
    };
    Some(signatures)
}

const INTEGER: &str = r"\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z";
const FLOAT: &str = r"\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z";
const QUALIFIER: &str = r"\A[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\Z";
const VERSION: &str = r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z";
const FORMAT: &str = r"\A%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])\Z";

fn exactly<const N: usize>(types: [Type; N]) -> TupleType {
    TupleType { types: types.into(), size: None }
}

fn between<const N: usize>(types: [Type; N], min: u64, max: u64) -> TupleType {
    TupleType { types: types.into(), size: Some(Size { min, max: Some(max) }) }
}

fn structure<const N: usize>(elements: [(&str, Type, bool); N]) -> Type {
    let elements =
        elements.map(|(name, value, optional)| StructElement { name: name.into(), optional, value });
    TypeKind::Struct(elements.into()).into()
}

fn pattern(source: &str) -> Type {
    // The patterns of this file are valid.
    TypeKind::Pattern(PatternType { patterns: Regexp::new(source).into_iter().collect() }).into()
}

fn float() -> Type {
    TypeKind::Float(crate::types::FloatRange::ALL).into()
}

fn non_empty() -> Type {
    Type::string_sized(Size { min: 1, max: None })
}

fn any_array() -> Type {
    Type::array(Type::any(), None)
}

fn any_hash() -> Type {
    Type::hash(Type::any(), Type::any(), None)
}

fn convertible(number: Type, text: &str) -> Type {
    Type::variant([
        number,
        TypeKind::Boolean(None).into(),
        pattern(text),
        TypeKind::Timespan(None, None).into(),
        TypeKind::Timestamp(None, None).into(),
    ])
}

/// What says how values become strings.
fn string_formats() -> Type {
    let format = pattern(FORMAT);
    let any_type: Type = TypeKind::Type(None).into();
    let container = structure([
        ("format", format.clone(), true),
        ("separator", Type::string(), true),
        ("separator2", Type::string(), true),
        ("string_formats", Type::hash(any_type.clone(), format.clone(), None), true),
    ]);
    let by_type = Type::hash(any_type, Type::variant([format, container]), None);
    Type::variant([TypeKind::Default.into(), non_empty(), by_type])
}

fn version() -> Vec<TupleType> {
    let number: Type =
        TypeKind::Integer(crate::types::IntegerRange { from: Some(0.into()), to: None }).into();
    let qualifier = pattern(QUALIFIER);
    let named = structure([
        ("major", number.clone(), false),
        ("minor", number.clone(), false),
        ("patch", number.clone(), false),
        ("prerelease", qualifier.clone(), true),
        ("build", qualifier.clone(), true),
    ]);
    vec![
        exactly([pattern(VERSION)]),
        between([number.clone(), number.clone(), number, qualifier.clone(), qualifier], 3, 5),
        exactly([named]),
    ]
}

fn version_range() -> Vec<TupleType> {
    let bound = Type::variant([TypeKind::Default.into(), TypeKind::SemVer([].into()).into()]);
    let boolean: Type = TypeKind::Boolean(None).into();
    let named = structure([
        ("min", bound.clone(), false),
        ("max", bound.clone(), true),
        ("exclude_max", boolean.clone(), true),
    ]);
    vec![exactly([non_empty()]), between([bound.clone(), bound, boolean], 2, 3), exactly([named])]
}

/// One format for a time, or several to try.
fn time_formats() -> Type {
    let format = Type::string_sized(Size { min: 2, max: None });
    Type::variant([format.clone(), Type::array(format, Some(Size { min: 1, max: None }))])
}

fn timespan(number: Type) -> Vec<TupleType> {
    let field = |name| (name, Type::integer(), true);
    let text = structure([("string", non_empty(), false), ("format", time_formats(), true)]);
    let fields = structure([
        ("negative", TypeKind::Boolean(None).into(), true),
        field("days"),
        field("hours"),
        field("minutes"),
        field("seconds"),
        field("milliseconds"),
        field("microseconds"),
        field("nanoseconds"),
    ]);
    vec![
        exactly([number]),
        between([non_empty(), time_formats()], 1, 2),
        between([(); 7].map(|()| Type::integer()), 4, 7),
        exactly([text]),
        exactly([fields]),
    ]
}

fn timestamp(number: Type) -> Vec<TupleType> {
    let text = structure([
        ("string", non_empty(), false),
        ("format", time_formats(), true),
        ("timezone", non_empty(), true),
    ]);
    vec![
        between([], 0, 0),
        exactly([number]),
        between([non_empty(), time_formats(), non_empty()], 1, 3),
        exactly([text]),
    ]
}

/// By a hash of attributes, or by position, those that need no value last.
fn of_object(object: &ObjectType) -> Vec<TupleType> {
    let (optional, required): (Vec<_>, Vec<_>) =
        object.stored_attributes().partition(|it| it.default.is_some());
    let elements = object.stored_attributes().map(|it| StructElement {
        name: it.name.clone(),
        optional: it.default.is_some(),
        value: it.value_type.clone(),
    });
    let named: Type = TypeKind::Struct(elements.collect()).into();
    let size = Size { min: required.len() as u64, max: Some((required.len() + optional.len()) as u64) };
    let types = required.into_iter().chain(optional).map(|it| it.value_type.clone());
    vec![exactly([named]), TupleType { types: types.collect(), size: Some(size) }]
}
