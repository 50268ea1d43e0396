//! Result types of built-in functions.

use std::sync::LazyLock;

use foldhash::HashMap;
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::lazy_type::LazyType;

use super::call::{Arguments, elements, entries, is_telling};
use super::known::{Known, union};

/// Functions that return the same type for all arguments.
const RESULTS: &[(&str, &str)] = &[
    ("all", "Boolean"),
    ("any", "Boolean"),
    ("alert", "Undef"),
    ("binary_file", "Binary"),
    ("camelcase", "Variant[Numeric, String, Array, Hash]"),
    ("capitalize", "Variant[Numeric, String, Array, Hash]"),
    ("ceiling", "Integer"),
    ("chomp", "Variant[Numeric, String, Array]"),
    ("chop", "Variant[Numeric, String, Array]"),
    ("compare", "Integer[-1, 1]"),
    ("contain", "Array[Type[Class]]"),
    ("crit", "Undef"),
    ("debug", "Undef"),
    ("defined", "Boolean"),
    ("digest", "String"),
    ("downcase", "Variant[Numeric, String, Array, Hash]"),
    ("emerg", "Undef"),
    ("empty", "Boolean"),
    ("err", "Undef"),
    ("file", "String"),
    ("find_file", "Optional[String]"),
    ("flatten", "Array"),
    ("floor", "Integer"),
    ("fqdn_rand", "Integer"),
    ("group_by", "Hash"),
    ("include", "Array[Type[Class]]"),
    ("info", "Undef"),
    ("inline_template", "String"),
    ("join", "String"),
    ("length", "Integer[0]"),
    ("lstrip", "Variant[Numeric, String, Array]"),
    ("md5", "String"),
    ("module_directory", "Optional[String]"),
    ("notice", "Undef"),
    ("regsubst", "Variant[String, Sensitive[String], Array]"),
    ("round", "Integer"),
    ("rstrip", "Variant[Numeric, String, Array]"),
    ("sha1", "String"),
    ("sha256", "String"),
    ("shellquote", "String"),
    ("size", "Integer[0]"),
    ("split", "Variant[Array[String], Sensitive[Array[String]]]"),
    ("sprintf", "Variant[String, Sensitive[String]]"),
    ("strftime", "String"),
    ("strip", "Variant[Numeric, String, Array]"),
    ("tagged", "Boolean"),
    ("template", "String"),
    ("type", "Type"),
    ("upcase", "Variant[Numeric, String, Array, Hash]"),
    ("versioncmp", "Integer[-1, 1]"),
    ("warning", "Undef"),
];

static BY_NAME: LazyLock<HashMap<&'static str, LazyType>> =
    LazyLock::new(|| RESULTS.iter().map(|(name, text)| (*name, LazyType::new(text))).collect());

/// Functions that never return.
pub(super) fn never_returns(name: &str) -> bool {
    matches!(name, "fail" | "return" | "next" | "break")
}

/// The types of the arguments passed to the lambda of a call, if it has this number of parameters.
pub fn block_parameters(name: &str, arguments: &[Known], count: usize) -> Vec<Known> {
    let Some(Some(first)) = arguments.first() else { return Vec::new() };
    match name {
        "with" => arguments.to_vec(),
        "then" => vec![without_undef(first)],
        "each" | "map" | "filter" | "any" | "all" | "partition" | "index" | "reverse_each" if count == 2 => {
            pair(first)
        }
        "each" | "map" | "filter" | "any" | "all" | "partition" | "index" | "reverse_each" | "group_by"
        | "unique" => {
            vec![elements(first)]
        }
        // The accumulated value may be anything.
        "reduce" => vec![None, elements(first)],
        _ => Vec::new(),
    }
}

/// The types passed to lambdas with two parameters: key and value of a hash, index and element of anything else. The kind of
/// the iterated value has to be known: nothing else distinguishes these cases.
fn pair(iterated: &Type) -> Vec<Known> {
    match iterated.resolved().kind() {
        // `undef` cannot be iterated over.
        TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => pair(it),
        TypeKind::Hash(..) | TypeKind::Struct(_) => match entries(iterated) {
            Some((key, value)) => vec![telling(key), telling(value)],
            None => Vec::new(),
        },
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Integer(_) | TypeKind::String(_) => {
            vec![Some(Type::integer()), elements(iterated)]
        }
        _ => Vec::new(),
    }
}

fn telling(it: Type) -> Known {
    Some(it).filter(is_telling)
}

fn without_undef(it: &Type) -> Known {
    match it.resolved().kind() {
        TypeKind::Optional(Some(it)) => Some(it.clone()),
        TypeKind::Undef => None,
        _ => Some(it.clone()),
    }
}

/// The result type of a call. `block` is the result type of the lambda, if there is one.
pub(super) fn result(name: &str, arguments: &Arguments, block: Option<Known>) -> Known {
    let first = arguments.types.first().cloned().flatten();
    // Only `filter` returns a hash for a hash.
    let kept = || match first.as_ref().map(|it| it.resolved().kind()) {
        Some(TypeKind::Hash(..) | TypeKind::Struct(_)) if name == "filter" => {
            entries(first.as_ref()?).map(|(key, value)| Type::hash(key, value, None))
        }
        Some(TypeKind::Array(..) | TypeKind::Tuple(_)) => {
            Some(Type::array(elements(first.as_ref()?).unwrap_or_else(Type::any), None))
        }
        _ => None,
    };
    match name {
        "with" => return block.flatten(),
        "each" if block.is_some() => return first,
        "assert_type" if block.is_none() => return denoted(arguments.types.first()?.as_ref()?),
        "lookup" => return looked_up(arguments),
        "downcase" | "upcase" | "capitalize" | "camelcase" | "chomp" | "chop" | "strip" | "lstrip"
        | "rstrip" => {
            if matches!(
                first.as_ref().map(|it| it.resolved().kind()),
                Some(TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
            ) {
                return Some(Type::string());
            }
        }
        "regsubst" | "sprintf" | "split" => {
            let is_plain = matches!(first.as_ref().map(|it| it.resolved().kind()), Some(TypeKind::String(_)));
            if name == "split" && is_plain {
                return Some(Type::array(Type::string(), None));
            }
            if name == "regsubst" && is_plain {
                return Some(Type::string());
            }
        }
        _ => {}
    }
    match name {
        "map" => Some(Type::array(block.flatten().unwrap_or_else(Type::any), None)),
        "keys" => {
            Some(Type::array(first.as_ref().and_then(entries).map_or_else(Type::any, |(key, _)| key), None))
        }
        "values" => Some(Type::array(
            first.as_ref().and_then(entries).map_or_else(Type::any, |(_, value)| value),
            None,
        )),
        "unique" | "sort" | "filter" => kept(),
        _ => BY_NAME.get(name)?.get().filter(|it| is_telling(it)).cloned(),
    }
}

/// The result type of a lookup: defaults must be of the type that it requests, too. Without one nothing is known, whatever data
/// is available here, because the server's layer, which isn't available, has precedence.
fn looked_up(arguments: &Arguments) -> Known {
    let given = |index: usize| arguments.types.get(index)?.as_ref();
    // The type is an argument of its own, or among options after the name, or among options that include the name.
    given(1).and_then(|it| denoted(it).or_else(|| value_type(it))).or_else(|| value_type(given(0)?))
}

/// The type that the options of a lookup request.
fn value_type(options: &Type) -> Known {
    let TypeKind::Struct(elements) = options.resolved().kind() else { return None };
    let option = elements.iter().find(|it| it.name == "value_type" && !it.optional)?;
    denoted(&option.value)
}

/// The type that an argument denotes.
fn denoted(it: &Type) -> Known {
    match it.kind() {
        TypeKind::Type(Some(it)) => Some(it.clone()),
        _ => None,
    }
}

/// The result type of `new`.
pub(super) fn made(it: &Type) -> Known {
    let TypeKind::Type(Some(made)) = it.kind() else { return None };
    match made.resolved().kind() {
        // An instance of one of several types, of a type that may be extended, or of something that isn't a value.
        TypeKind::Init { .. }
        | TypeKind::Any
        | TypeKind::Type(_)
        | TypeKind::Object(_)
        | TypeKind::ObjectExtension(..)
        | TypeKind::Class(_)
        | TypeKind::Resource(_)
        | TypeKind::CatalogEntry => None,
        _ => union([Some(made.clone())]),
    }
}
