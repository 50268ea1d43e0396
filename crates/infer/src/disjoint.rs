//! Disjointness: whether no value can be of two types, which is what makes a mismatch certain.

use foldhash::HashSet;
use marotte_pcore::effort;
use marotte_pcore::mismatch::mismatches;
use marotte_pcore::relation::{assignable, instance_of};
use marotte_pcore::types::{Size, StringType, StructElement, TupleType, Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;

use crate::inference::constant;

/// The depth to which types are compared; deeper ones may have values in common.
const DEPTH: usize = 16;

/// Whether no value of one type is an instance of the other. `false` if that isn't certain.
pub fn disjoint(it: &Type, other: &Type) -> bool {
    disjoint_at(it, other, DEPTH)
}

/// Like [`disjoint`], but ignores values that carry no information: `undef`, and empty collections. Code that passes a value on
/// means the others.
pub fn clash(it: &Type, other: &Type) -> bool {
    disjoint(it, other) || filled(it, DEPTH).is_some_and(|it| disjoint(&it, other))
}

/// A type without `undef` and empty collections. None if nothing remains, or if the type includes none of these.
fn filled(it: &Type, depth: usize) -> Option<Type> {
    use TypeKind as T;
    let depth = depth.checked_sub(1)?;
    let some = |size: &Option<Size>| {
        let size = size.unwrap_or(Size::ANY);
        (size.min == 0 && size.max != Some(0)).then_some(Some(Size { min: 1, ..size }))
    };
    let it = it.resolved();
    match it.kind() {
        T::Optional(Some(inner)) => Some(filled(inner, depth).unwrap_or_else(|| inner.clone())),
        T::Array(element, size) => some(size).map(|size| Type::array(element.clone(), size)),
        T::Hash(key, value, size) => some(size).map(|size| Type::hash(key.clone(), value.clone(), size)),
        T::Variant(types) => {
            let is_nothing = |it: &&Type| match it.resolved().kind() {
                T::Undef => true,
                T::Array(_, size) | T::Hash(_, _, size) => size.is_some_and(|it| it.max == Some(0)),
                _ => false,
            };
            let rest = types.iter().filter(|it| !is_nothing(it));
            let rest: Vec<Type> = rest.map(|it| filled(it, depth).unwrap_or_else(|| it.clone())).collect();
            (!rest.is_empty()).then(|| Type::variant(rest))
        }
        _ => None,
    }
}

/// Like [`refused`], but ignores values that carry no information, as [`clash`] does.
pub fn refused_unless_empty(it: &Type, parameter: &Type) -> bool {
    clash(it, parameter) && !mismatches(dialect(), parameter, it, Vec::new()).is_empty()
}

/// Whether a class, a defined type or a template certainly rejects every value of one type for a parameter of another.
///
/// They reject a value if the reference finds a mismatch to report. For a bare `Variant` or `Optional`, which have no
/// instances, or hardly any, it finds none, and accepts any value.
pub fn refused(it: &Type, parameter: &Type) -> bool {
    disjoint(it, parameter) && !mismatches(dialect(), parameter, it, Vec::new()).is_empty()
}

/// Whether no value of one type equals one of the other, as `==` and the options of `case` compare. `false` if that isn't
/// certain.
pub fn never_equal(it: &Type, other: &Type) -> bool {
    // Types are as deeply nested as they are written.
    use TypeKind as T;
    if !effort::spend(1) {
        return false;
    }
    let (it, other) = (it.resolved(), other.resolved());
    match (it.kind(), other.kind()) {
        (T::Variant(types), _) => types.iter().all(|it| never_equal(it, other)),
        (_, T::Variant(types)) => types.iter().all(|other| never_equal(it, other)),
        (T::Optional(Some(inner)), _) => never_equal(&Type::undef(), other) && never_equal(inner, other),
        (_, T::Optional(Some(inner))) => never_equal(it, &Type::undef()) && never_equal(it, inner),
        (T::NotUndef(Some(inner)), _) => never_equal(inner, other),
        (_, T::NotUndef(Some(inner))) => never_equal(it, inner),
        (T::Integer(_), T::Integer(_)) => disjoint(it, other),
        _ if comparable(it) & comparable(other) == 0 => true,
        _ => match (words(it), words(other)) {
            (Some(these), Some(those)) => {
                let those: HashSet<marotte_text::Str> =
                    those.iter().map(|it| it.to_ascii_lowercase()).collect();
                !these.iter().any(|it| those.contains(&it.to_ascii_lowercase()))
            }
            _ => false,
        },
    }
}

/// The kinds of values that values of a type may equal, as bits.
fn comparable(it: &Type) -> u32 {
    let kinds = kinds(it);
    // Timespans and timestamps can be compared with numbers.
    let numbers = INTEGER | FLOAT | TIMESPAN | TIMESTAMP;
    if kinds & numbers == 0 { kinds } else { kinds | numbers }
}

/// The strings of a type, if they can be enumerated.
fn words(it: &Type) -> Option<Vec<&marotte_text::Str>> {
    match it.kind() {
        TypeKind::String(StringType::Literal(text)) => Some(vec![text]),
        TypeKind::Enum(it) if !it.values().is_empty() => Some(it.values().iter().collect()),
        _ => None,
    }
}

fn disjoint_at(it: &Type, other: &Type, depth: usize) -> bool {
    use TypeKind as T;
    let Some(depth) = depth.checked_sub(1).filter(|_| effort::spend(1)) else { return false };
    let disjoint = |it: &Type, other: &Type| disjoint_at(it, other, depth);
    let (it, other) = (it.resolved(), other.resolved());
    if matches!(it.kind(), T::Alias(_) | T::Unit | T::Any) || matches!(other.kind(), T::Alias(_)) {
        return false;
    }
    // A type with a single value is decided by that value.
    if let Some(value) = constant(it) {
        return !instance_of(dialect(), other, &value);
    }
    if assignable(dialect(), other, it) {
        return false;
    }
    match (it.kind(), other.kind()) {
        (T::Variant(types), _) => types.iter().all(|it| disjoint(it, other)),
        (T::Optional(inner), _) => {
            disjoint(&Type::undef(), other) && inner.as_ref().is_some_and(|it| disjoint(it, other))
        }
        (_, T::Variant(types)) => types.iter().all(|other| disjoint(it, other)),
        (_, T::Optional(inner)) => {
            disjoint(it, &Type::undef()) && inner.as_ref().is_some_and(|other| disjoint(it, other))
        }
        (_, T::NotUndef(Some(other))) => disjoint(it, other),
        _ if kinds(it) & kinds(other) == 0 => true,
        (T::Integer(a), T::Integer(b)) => {
            let below =
                |to: &Option<_>, from: &Option<_>| matches!((to, from), (Some(to), Some(from)) if to < from);
            below(&a.to, &b.from) || below(&b.to, &a.from)
        }
        (T::Float(a), T::Float(b)) => a.to < b.from || b.to < a.from,
        (T::Enum(a), _) => {
            let mut values = a.values().iter();
            let is_other =
                |text: &marotte_text::Str| instance_of(dialect(), other, &Value::String(text.clone()));
            !a.is_case_insensitive() && !a.values().is_empty() && !values.any(is_other)
        }
        (T::String(StringType::Sized(a)), T::String(StringType::Sized(b))) => apart(*a, *b),
        (T::Sensitive(a), T::Sensitive(b)) => disjoint(a, b),
        (T::Tuple(a), _) => tuple(a, other, &disjoint),
        (T::Array(a, size), T::Array(b, other_size)) => {
            let (size, other_size) = (size.unwrap_or(Size::ANY), other_size.unwrap_or(Size::ANY));
            apart(size, other_size) || size.min > 0 && disjoint(a, b)
        }
        (T::Array(a, size), T::Tuple(b)) => {
            let size = size.unwrap_or(Size::ANY);
            apart(size, b.size_range()) || size.min > 0 && b.type_at(0).is_some_and(|b| disjoint(a, b))
        }
        (T::Struct(elements), _) => structure(elements, other, &disjoint),
        (T::Hash(key, value, size), T::Hash(other_key, other_value, other_size)) => {
            let (size, other_size) = (size.unwrap_or(Size::ANY), other_size.unwrap_or(Size::ANY));
            apart(size, other_size)
                || size.min > 0 && (disjoint(key, other_key) || disjoint(value, other_value))
        }
        (T::Hash(_, value, size), T::Struct(elements)) => {
            let required = elements.iter().filter(|it| !it.optional);
            size.is_some_and(|it| it.max.is_some_and(|max| max < required.clone().count() as u64))
                || required.clone().any(|it| disjoint(value, &it.value))
        }
        _ => false,
    }
}

fn apart(a: Size, b: Size) -> bool {
    a.max.is_some_and(|max| max < b.min) || b.max.is_some_and(|max| max < a.min)
}

fn tuple(it: &TupleType, other: &Type, disjoint: &impl Fn(&Type, &Type) -> bool) -> bool {
    let size = it.size_range();
    // Optional elements decide nothing.
    let certain = it.types.iter().take(usize::try_from(size.min).unwrap_or(usize::MAX)).enumerate();
    match other.kind() {
        TypeKind::Array(element, other_size) => {
            apart(size, other_size.unwrap_or(Size::ANY))
                || certain.clone().any(|(_, it)| disjoint(it, element))
        }
        TypeKind::Tuple(other) => {
            apart(size, other.size_range())
                || certain
                    .clone()
                    .any(|(index, it)| other.type_at(index).is_some_and(|other| disjoint(it, other)))
        }
        _ => false,
    }
}

fn structure(elements: &[StructElement], other: &Type, disjoint: &impl Fn(&Type, &Type) -> bool) -> bool {
    let mut certain = elements.iter().filter(|it| !it.optional);
    match other.kind() {
        TypeKind::Struct(others) => {
            let find = |name: &str| others.iter().find(|it| it.name == name);
            let lacks = others
                .iter()
                .any(|other| !other.optional && !elements.iter().any(|it| it.name == other.name));
            lacks
                || certain.any(|it| match find(&it.name) {
                    Some(other) => disjoint(&it.value, &other.value),
                    None => true,
                })
        }
        TypeKind::Hash(key, value, size) => {
            let count = Size { min: certain.clone().count() as u64, max: Some(elements.len() as u64) };
            apart(count, size.unwrap_or(Size::ANY))
                || certain.any(|it| {
                    !instance_of(dialect(), key, &Value::String(it.name.clone()))
                        || disjoint(&it.value, value)
                })
        }
        _ => false,
    }
}

const UNDEF: u32 = 1;
const DEFAULT: u32 = 1 << 1;
const BOOLEAN: u32 = 1 << 2;
const INTEGER: u32 = 1 << 3;
const FLOAT: u32 = 1 << 4;
const STRING: u32 = 1 << 5;
const REGEXP: u32 = 1 << 6;
const ARRAY: u32 = 1 << 7;
const HASH: u32 = 1 << 8;
const TYPE: u32 = 1 << 9;
const SENSITIVE: u32 = 1 << 10;
const TIMESPAN: u32 = 1 << 11;
const TIMESTAMP: u32 = 1 << 12;
const SEMVER: u32 = 1 << 13;
const SEMVER_RANGE: u32 = 1 << 14;
const BINARY: u32 = 1 << 15;
const URI: u32 = 1 << 16;
const CALLABLE: u32 = 1 << 17;

/// The kinds of values that a type may have, as bits.
fn kinds(it: &Type) -> u32 {
    use TypeKind as T;
    match it.kind() {
        T::Undef => UNDEF,
        T::Default => DEFAULT,
        T::Boolean(_) => BOOLEAN,
        T::Integer(_) => INTEGER,
        T::Float(_) => FLOAT,
        T::Numeric => INTEGER | FLOAT,
        T::String(_) | T::Enum(_) | T::Pattern(_) => STRING,
        T::Regexp(_) => REGEXP,
        T::ScalarData => INTEGER | FLOAT | STRING | BOOLEAN,
        T::Scalar => {
            INTEGER
                | FLOAT
                | STRING
                | BOOLEAN
                | REGEXP
                | TIMESPAN
                | TIMESTAMP
                | SEMVER
                | SEMVER_RANGE
                | URI
                | BINARY
        }
        T::Array(..) | T::Tuple(_) => ARRAY,
        T::Hash(..) | T::Struct(_) => HASH,
        T::Collection(_) => ARRAY | HASH,
        T::Type(_) => TYPE,
        // A reference to a resource or a class is a type.
        T::CatalogEntry | T::Resource(_) | T::Class(_) => TYPE,
        T::Sensitive(_) => SENSITIVE,
        T::Timespan(..) => TIMESPAN,
        T::Timestamp(..) => TIMESTAMP,
        T::SemVer(_) => SEMVER,
        T::SemVerRange => SEMVER_RANGE,
        T::Binary => BINARY,
        T::Uri(_) => URI,
        T::Callable(_) => CALLABLE | TYPE,
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use marotte_eval::{NoRequests, Settings, denoted_type};
    use marotte_hir::lower;
    use marotte_syntax::{Mode, parse};

    use super::*;

    fn read(text: &str) -> Type {
        let lowered = lower(&parse(text, Mode::default()).program);
        denoted_type(&NoRequests, Settings::of(dialect()), &lowered.main, lowered.main.statements[0]).unwrap()
    }

    #[test]
    fn types_without_common_values_are_apart() {
        for (a, b) in [
            ("Integer", "String"),
            ("Integer[0, 5]", "Integer[6]"),
            ("Enum[a, b]", "Enum[c]"),
            ("Enum[a, b]", "Pattern[/c/]"),
            ("Optional[String]", "Integer"),
            ("Variant[String, Array]", "Variant[Integer, Hash]"),
            ("Tuple[String, Integer]", "Array[String]"),
            ("Array[String, 1]", "Array[Integer]"),
            ("Struct[{a => Integer}]", "Struct[{b => Integer}]"),
            ("Struct[{a => Integer}]", "Hash[String, String]"),
            ("Array", "Hash"),
            ("Sensitive[String]", "String"),
            ("Struct[{Optional[a] => Integer}]", "Struct[{b => Integer}]"),
        ] {
            assert!(disjoint(&read(a), &read(b)), "{a} and {b}");
        }
    }

    #[test]
    fn some_values_are_never_equal() {
        for (a, b) in [
            ("Integer", "String"),
            ("Enum[a, b]", "Enum[c]"),
            ("Optional[Integer]", "Enum['1']"),
            ("Boolean", "String"),
            ("Integer[0, 5]", "Integer[6]"),
            ("Variant[Integer, Array]", "Variant[String, Hash]"),
        ] {
            assert!(never_equal(&read(a), &read(b)), "{a} and {b}");
        }
        for (a, b) in [
            ("Integer", "Float"),
            ("Enum[a, b]", "Enum['A']"),
            ("Pattern[/a/]", "Enum[b]"),
            ("String[1]", "Enum['']"),
            ("Timespan", "Integer"),
            ("Optional[Integer]", "Undef"),
            ("Any", "Integer"),
            ("Data", "Enum[a]"),
        ] {
            assert!(!never_equal(&read(a), &read(b)), "{a} and {b}");
        }
    }

    #[test]
    fn types_that_may_have_common_values_are_not() {
        for (a, b) in [
            ("Any", "Integer"),
            ("Integer", "Integer[5]"),
            ("String", "Enum[a]"),
            ("Variant[String, Integer]", "Integer"),
            ("Optional[Integer]", "Optional[String]"),
            ("Array[String]", "Array[Integer]"),
            ("Hash[String, String]", "Hash[String, Integer]"),
            ("Data", "Integer"),
            ("Scalar", "Binary"),
            ("Collection", "Array"),
            ("Pattern[/a/]", "Enum[b]"),
            ("Type[Integer]", "Type[String]"),
            ("Iterable", "Array"),
        ] {
            assert!(!disjoint(&read(a), &read(b)), "{a} and {b}");
        }
    }
}
