//! The constructors of types: their names and parameters, as messages show them (D.3).

use std::sync::{Arc, LazyLock};

use marotte_text::Str;

use crate::dialect::{ContainerFormats, Dialect, DigitsOfRadix};
use crate::mismatch::Signature;
use crate::regexp::Regexp;
use crate::types::{
    CallableType, EnumType, IntegerRange, ObjectType, PatternType, Size, StructElement, TupleType, Type,
    TypeAlias, TypeKind, UriType,
};

/// The maximum depth of delegating construction to other types.
const PASSED_ON: usize = 64;

/// The constructors of a type.
#[derive(Clone, Debug)]
pub(crate) struct Constructors {
    /// The constructed type: the one that `Optional`, `NotUndef` and aliases delegate to.
    pub target: Type,
    /// Their name in messages.
    pub name: Str,
    /// All constructors, in the order in which they are tried.
    pub all: Arc<[Constructor]>,
}

/// One constructor of a type.
#[derive(Clone, Debug)]
pub(crate) struct Constructor {
    /// The types of the parameters.
    pub parameters: TupleType,
    /// The names of the parameters.
    pub names: Box<[Str]>,
}

impl From<&Constructor> for Signature {
    fn from(it: &Constructor) -> Signature {
        let callable = CallableType { parameters: Some(it.parameters.clone()), block: None, returns: None };
        Signature { callable, parameter_names: it.names.to_vec(), block_name: None }
    }
}

/// Returns the constructors of a type; `None` if it can't be constructed (D76). `Optional`, `NotUndef` and aliases
/// delegate to their inner type.
pub(crate) fn constructors(dialect: &Dialect, it: &Type) -> Option<Constructors> {
    let target = passed_on(it)?;
    let (name, all) = own(dialect, target)?;
    Some(Constructors { target: target.clone(), name, all })
}

/// Returns the type that `Optional`, `NotUndef` and aliases delegate construction to.
pub(crate) fn passed_on(it: &Type) -> Option<&Type> {
    let mut it = it;
    for _ in 0..PASSED_ON {
        it = match it.kind() {
            TypeKind::Optional(inner) => inner.as_ref()?,
            TypeKind::NotUndef(Some(inner)) => inner,
            TypeKind::Alias(alias) => alias.target()?,
            _ => return Some(it),
        };
    }
    None
}

type Shared = LazyLock<Arc<[Constructor]>>;

static UNIT: Shared = LazyLock::new(|| [exactly([("from", Type::any())])].into());
static INTEGER: Shared = LazyLock::new(integer);
static INTEGER_BY_RADIX: Shared = LazyLock::new(|| {
    // After the others, which messages refer to.
    let hexadecimal = [("from", pattern(HEXADECIMAL_TEXT)), ("radix", Type::integer_between(16, 16))];
    let [from, radix] = hexadecimal.clone().map(|(name, it)| (name, it, false));
    let named = structure([from, radix, ("abs", boolean(), true)]);
    let [from, radix] = hexadecimal;
    let added = [between([from, radix, ("abs", boolean())], 2, 3), exactly([("hash_args", named)])];
    integer().iter().cloned().chain(added).collect()
});
static FLOAT: Shared = LazyLock::new(|| number(TypeKind::Numeric.into(), FLOAT_TEXT));
static FLOAT_WITH_ZEROS: Shared = LazyLock::new(|| number(TypeKind::Numeric.into(), FLOAT_TEXT_WITH_ZEROS));
static NUMERIC: Shared = LazyLock::new(|| number(any_number(), FLOAT_TEXT));
static NUMERIC_WITH_ZEROS: Shared = LazyLock::new(|| number(any_number(), FLOAT_TEXT_WITH_ZEROS));
static BOOLEAN: Shared = LazyLock::new(|| {
    let words = ["false", "true", "yes", "no", "y", "n"].map(Into::into);
    let words = TypeKind::Enum(EnumType::new(words, true)).into();
    [exactly([("from", Type::variant([Type::integer(), float(), boolean(), words]))])].into()
});
static STRING: Shared = LazyLock::new(|| string(|part| part));
static STRING_OF_OPTIONAL: Shared = LazyLock::new(|| string(Type::optional));
static REGEXP: Shared =
    LazyLock::new(|| [between([("pattern", Type::string()), ("escape", boolean())], 1, 2)].into());
static ARRAY: Shared = LazyLock::new(|| {
    let iterable = TypeKind::Iterable(None).into();
    let from = Type::variant([any_array(), any_hash(), TypeKind::Binary.into(), iterable]);
    let wrap = |flag| ("wrap", TypeKind::Boolean(Some(flag)).into());
    [between([("from", from), wrap(false)], 1, 2), exactly([("from", Type::any()), wrap(true)])].into()
});
static HASH: Shared = LazyLock::new(|| {
    let pairs = |name, key| {
        let pairs = Type::array(Type::tuple([key, Type::any()]), Some(Size { min: 1, max: None }));
        ("from", alias(name, pairs))
    };
    let option = TypeKind::Enum(EnumType::new(["tree".into(), "hash_tree".into()], false)).into();
    [
        between([pairs("TreeArray", any_array()), ("build_option", alias("NewHashOption", option))], 1, 2),
        exactly([pairs("KeyValueArray", Type::any())]),
        exactly([("from", Type::any())]),
    ]
    .into()
});
static SEM_VER: Shared = LazyLock::new(|| version(|part| part));
static SEM_VER_OF_OPTIONAL: Shared = LazyLock::new(|| version(Type::optional));
static SEM_VER_RANGE: Shared = LazyLock::new(|| version_range(|part| part));
static SEM_VER_RANGE_OF_OPTIONAL: Shared = LazyLock::new(|| version_range(Type::optional));
static TIMESPAN: Shared = LazyLock::new(timespan);
static TIMESTAMP: Shared = LazyLock::new(timestamp);
static BINARY: Shared = LazyLock::new(binary);
static URI: Shared = LazyLock::new(uri);
static SENSITIVE: Shared = LazyLock::new(|| {
    [exactly([("value", Type::sensitive(&Type::any()))]), exactly([("value", Type::any())])].into()
});
static TYPE: Shared = LazyLock::new(|| [exactly([("type_string", non_empty())])].into());
static INIT: Shared =
    LazyLock::new(|| [exactly([("value", any_array())]), exactly([("value", Type::any())])].into());
static INIT_WITH_ARGUMENTS: Shared = LazyLock::new(|| [exactly([("value", Type::any())])].into());

fn own(dialect: &Dialect, it: &Type) -> Option<(Str, Arc<[Constructor]>)> {
    let (name, shared) = match it.kind() {
        TypeKind::NotUndef(None) | TypeKind::Unit => ("new_unit", &UNIT),
        TypeKind::Integer(_) => match dialect.digits_of_radix {
            DigitsOfRadix::ByPrefix => ("new", &INTEGER),
            DigitsOfRadix::ByRadix => ("new", &INTEGER_BY_RADIX),
        },
        TypeKind::Float(_) if dialect.float_texts_have_leading_zeros => ("new_float", &FLOAT_WITH_ZEROS),
        TypeKind::Float(_) => ("new_float", &FLOAT),
        TypeKind::Numeric if dialect.float_texts_have_leading_zeros => ("new_numeric", &NUMERIC_WITH_ZEROS),
        TypeKind::Numeric => ("new_numeric", &NUMERIC),
        TypeKind::Boolean(_) => ("new_boolean", &BOOLEAN),
        TypeKind::String(_) => match dialect.texts.container_formats {
            ContainerFormats::AsWritten => ("new_string", &STRING),
            ContainerFormats::Completed => ("new_string", &STRING_OF_OPTIONAL),
        },
        TypeKind::Regexp(_) => ("new_float", &REGEXP),
        TypeKind::Array(..) | TypeKind::Tuple(_) => ("new_array", &ARRAY),
        TypeKind::Hash(..) | TypeKind::Struct(_) => ("new_hash", &HASH),
        TypeKind::SemVer(_) if dialect.version_parts_may_be_undef => ("new_Version", &SEM_VER_OF_OPTIONAL),
        TypeKind::SemVer(_) => ("new_Version", &SEM_VER),
        TypeKind::SemVerRange if dialect.version_parts_may_be_undef => {
            ("new_VersionRange", &SEM_VER_RANGE_OF_OPTIONAL)
        }
        TypeKind::SemVerRange => ("new_VersionRange", &SEM_VER_RANGE),
        TypeKind::Timespan(..) => ("new_timespan", &TIMESPAN),
        TypeKind::Timestamp(..) => ("new_timestamp", &TIMESTAMP),
        TypeKind::Binary => ("new_Binary", &BINARY),
        TypeKind::Uri(UriType { .. }) => ("new_error", &URI),
        TypeKind::Sensitive(_) => ("new_Sensitive", &SENSITIVE),
        TypeKind::Type(_) => ("new_type", &TYPE),
        TypeKind::Init { target: Some(_), arguments } if arguments.is_empty() => ("new_Init", &INIT),
        TypeKind::Init { target: Some(_), .. } => ("new_Init", &INIT_WITH_ARGUMENTS),
        TypeKind::Object(Some(object)) | TypeKind::ObjectExtension(object, _) => {
            return Some((format!("new_{}", object.name).into(), of_object(object)));
        }
        _ => return None,
    };
    Some((name.into(), Arc::clone(shared)))
}

const INTEGER_TEXT: &str = r"\A[+-]?\s*(?:(?:\d+)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z";
const HEXADECIMAL_TEXT: &str = r"\A[+-]?\s*(?:0[xX])?[0-9A-Fa-f]+\z";
const FLOAT_TEXT: &str = r"\A[+-]?\s*(?:(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[0-7]+)|(?:0[bB][01]+))\z";
const FLOAT_TEXT_WITH_ZEROS: &str =
    r"\A[+-]?\s*(?:(?:\d+(?:\.\d+)?(?:[eE]-?\d+)?)|(?:0[xX][0-9A-Fa-f]+)|(?:0[bB][01]+))\z";
/// The reference uses a subexpression call here; its text is inlined.
const QUALIFIER: &str = r"\A[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*\Z";
const VERSION: &str = r"\A(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?\Z";
const FORMAT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

fn exactly<const N: usize>(parameters: [(&str, Type); N]) -> Constructor {
    let (names, types): (Vec<Str>, Vec<Type>) =
        parameters.into_iter().map(|(name, it)| (Str::from(name), it)).unzip();
    Constructor { parameters: TupleType { types: types.into(), size: None }, names: names.into() }
}

fn between<const N: usize>(parameters: [(&str, Type); N], min: u64, max: u64) -> Constructor {
    let mut constructor = exactly(parameters);
    constructor.parameters.size = Some(Size { min, max: Some(max) });
    constructor
}

fn alias(name: &str, target: Type) -> Type {
    let alias = TypeAlias::declare(name);
    alias.define(target);
    TypeKind::Alias(alias).into()
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

fn boolean() -> Type {
    TypeKind::Boolean(None).into()
}

fn float() -> Type {
    TypeKind::Float(crate::types::FloatRange::ALL).into()
}

fn any_number() -> Type {
    Type::variant([Type::integer(), float()])
}

fn any_array() -> Type {
    Type::array(Type::any(), None)
}

fn any_hash() -> Type {
    Type::hash(Type::any(), Type::any(), None)
}

fn non_empty() -> Type {
    Type::string_sized(Size { min: 1, max: None })
}

fn at_least_zero() -> Type {
    TypeKind::Integer(IntegerRange::ascending(Some(0.into()), None)).into()
}

/// The values that can be converted to a number: numbers, booleans, times and strings of a form.
fn convertible(numbers: Type, form: &str) -> Type {
    let times = [TypeKind::Timespan(None, None).into(), TypeKind::Timestamp(None, None).into()];
    let types = [numbers, boolean(), pattern(form)].into_iter().chain(times);
    alias("Convertible", Type::variant(types))
}

fn integer() -> Arc<[Constructor]> {
    let radixes = [2, 8, 10, 16].map(|it| Type::integer_between(it, it));
    let radix = alias("Radix", Type::variant([TypeKind::Default.into()].into_iter().chain(radixes)));
    let from = convertible(TypeKind::Numeric.into(), INTEGER_TEXT);
    let named = [("from", from.clone(), false), ("radix", radix.clone(), true), ("abs", boolean(), true)];
    [
        between([("from", from), ("radix", radix), ("abs", boolean())], 1, 3),
        exactly([("hash_args", alias("NamedArgs", structure(named)))]),
    ]
    .into()
}

fn number(numbers: Type, form: &str) -> Arc<[Constructor]> {
    let from = convertible(numbers, form);
    let named = [("from", from.clone(), false), ("abs", boolean(), true)];
    [
        between([("from", from), ("abs", boolean())], 1, 2),
        exactly([("hash_args", alias("NamedArgs", structure(named)))]),
    ]
    .into()
}

/// `optional` wraps the types of options in a container format that may be missing.
fn string(optional: fn(Type) -> Type) -> Arc<[Constructor]> {
    let from = alias("Convertible", Type::any());
    [between([("from", from), ("string_formats", string_formats(optional))], 1, 2)].into()
}

/// The type of the formats of values.
fn string_formats(optional: fn(Type) -> Type) -> Type {
    let format = alias("Format", pattern(FORMAT));
    let any_type: Type = TypeKind::Type(None).into();
    let container = structure([
        ("format", optional(format.clone()), true),
        ("separator", optional(Type::string()), true),
        ("separator2", optional(Type::string()), true),
        ("string_formats", Type::hash(any_type.clone(), format.clone(), None), true),
    ]);
    let by_type = Type::hash(any_type, Type::variant([format, alias("ContainerFormat", container)]), None);
    let formats = [TypeKind::Default.into(), non_empty(), alias("TypeMap", by_type)];
    alias("Formats", Type::variant(formats))
}

/// `optional` wraps the types of parts that may be missing.
fn version(optional: fn(Type) -> Type) -> Arc<[Constructor]> {
    let number = alias("PositiveInteger", at_least_zero());
    let qualifier = alias("SemVerQualifier", pattern(QUALIFIER));
    let named = structure([
        ("major", number.clone(), false),
        ("minor", number.clone(), false),
        ("patch", number.clone(), false),
        ("prerelease", qualifier.clone(), true),
        ("build", qualifier.clone(), true),
    ]);
    let parts = [
        ("major", number.clone()),
        ("minor", number.clone()),
        ("patch", number),
        ("prerelease", optional(qualifier.clone())),
        ("build", optional(qualifier)),
    ];
    [
        exactly([("str", alias("SemVerPattern", pattern(VERSION)))]),
        between(parts, 3, 5),
        exactly([("hash_args", alias("SemVerHash", named))]),
    ]
    .into()
}

/// `optional` has the same meaning as for versions.
fn version_range(optional: fn(Type) -> Type) -> Arc<[Constructor]> {
    let bound = Type::variant([TypeKind::Default.into(), TypeKind::SemVer([].into()).into()]);
    let named = structure([
        ("min", bound.clone(), false),
        ("max", bound.clone(), true),
        ("exclude_max", boolean(), true),
    ]);
    [
        exactly([("str", alias("SemVerRangeString", non_empty()))]),
        between([("min", bound.clone()), ("max", bound), ("exclude_max", optional(boolean()))], 2, 3),
        exactly([("hash_args", alias("SemVerRangeHash", named))]),
    ]
    .into()
}

/// One format of a time, or several to try.
fn time_formats() -> Type {
    let format = Type::string_sized(Size { min: 2, max: None });
    let several = Type::array(format.clone(), Some(Size { min: 1, max: None }));
    alias("Formats", Type::variant([format, several]))
}

/// The parts of a timespan, in the order of its constructor.
pub(crate) const TIMESPAN_PARTS: [&str; 7] =
    ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];

fn timespan() -> Arc<[Constructor]> {
    let text = structure([("string", non_empty(), false), ("format", time_formats(), true)]);
    let [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds] =
        TIMESPAN_PARTS.map(|name| (name, Type::integer(), true));
    let negative = ("negative", boolean(), true);
    let fields =
        structure([negative, days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds]);
    [
        exactly([("seconds", any_number())]),
        between([("string", non_empty()), ("format", time_formats())], 1, 2),
        between(TIMESPAN_PARTS.map(|name| (name, Type::integer())), 4, 7),
        exactly([("hash_arg", text)]),
        exactly([("hash_arg", fields)]),
    ]
    .into()
}

fn timestamp() -> Arc<[Constructor]> {
    let named = structure([
        ("string", non_empty(), false),
        ("format", time_formats(), true),
        ("timezone", non_empty(), true),
    ]);
    let text = [("string", non_empty()), ("format", time_formats()), ("timezone", non_empty())];
    [
        between([], 0, 0),
        exactly([("seconds", any_number())]),
        between(text, 1, 3),
        exactly([("hash_arg", named)]),
    ]
    .into()
}

fn binary() -> Arc<[Constructor]> {
    let format = EnumType::new(["%b", "%u", "%B", "%s", "%r"].map(Into::into), false);
    let format = alias("Base64Format", TypeKind::Enum(format).into());
    let bytes = Type::array(alias("ByteInteger", Type::integer_between(0, 255)), None);
    let text =
        structure([("value", Type::string(), false), ("format", Type::optional(format.clone()), true)]);
    let array = structure([("value", bytes.clone(), false)]);
    let named = Type::variant([alias("StringHash", text), alias("ArrayHash", array)]);
    [
        between([("str", Type::string()), ("format", format)], 1, 2),
        exactly([("byte_array", bytes)]),
        exactly([("hash_args", alias("BinaryArgsHash", named))]),
    ]
    .into()
}

fn uri() -> Arc<[Constructor]> {
    let part = |name| (name, non_empty(), true);
    let named = structure([
        part("scheme"),
        part("userinfo"),
        part("host"),
        ("port", at_least_zero(), true),
        part("path"),
        part("query"),
        part("fragment"),
        part("opaque"),
    ]);
    [exactly([("uri", non_empty())]), exactly([("hash", named)])].into()
}

/// Takes a hash of attributes, or attributes by position, optional ones last.
fn of_object(object: &ObjectType) -> Arc<[Constructor]> {
    let (optional, required): (Vec<_>, Vec<_>) =
        object.stored_attributes().partition(|it| it.default.is_some());
    let elements = object.stored_attributes().map(|it| StructElement {
        name: it.name.clone(),
        optional: it.default.is_some(),
        value: it.value_type.clone(),
    });
    let named: Type = TypeKind::Struct(elements.collect()).into();
    let size = Size { min: required.len() as u64, max: Some((required.len() + optional.len()) as u64) };
    let (names, types): (Vec<Str>, Vec<Type>) =
        required.into_iter().chain(optional).map(|it| (it.name.clone(), it.value_type.clone())).unzip();
    let parameters = TupleType { types: types.into(), size: Some(size) };
    [exactly([("hash", named)]), Constructor { parameters, names: names.into() }].into()
}
