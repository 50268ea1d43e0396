//! Result types of built-in functions, and the types of the arguments that they pass to lambdas, by their descriptions.

use std::sync::LazyLock;

use foldhash::HashMap;
use marotte_eval::functions::{ALL, Builtin, LambdaArguments, ResultType};
use marotte_pcore::types::{Type, TypeKind};
use marotte_resolve::lazy_type::LazyType;

use super::call::{Arguments, elements, entries, is_telling};
use super::known::{Known, union};

/// The types in the descriptions, by their texts.
static TYPES: LazyLock<HashMap<&'static str, LazyType>> =
    LazyLock::new(|| ALL.iter().flat_map(|it| texts(it.result)).map(|it| (it, LazyType::new(it))).collect());

/// The types in a description, in Puppet's notation.
fn texts(result: ResultType) -> impl Iterator<Item = &'static str> {
    let (one, other) = match result {
        ResultType::Is(text) => (Some(text), None),
        ResultType::ForString(text, other) => (Some(text), Some(other)),
        _ => (None, None),
    };
    one.into_iter().chain(other)
}

/// The type in a description.
fn described(text: &str) -> Known {
    TYPES.get(text)?.get().filter(|it| is_telling(it)).cloned()
}

/// The types of the arguments that a function passes to its lambda, if that has this number of parameters.
pub fn lambda_arguments(builtin: &Builtin, arguments: &[Known], count: usize) -> Vec<Known> {
    let Some(Some(first)) = arguments.first() else { return Vec::new() };
    match builtin.lambda {
        LambdaArguments::Unknown => Vec::new(),
        LambdaArguments::Arguments => arguments.to_vec(),
        LambdaArguments::NotUndef => vec![without_undef(first)],
        LambdaArguments::Unwrapped => vec![unwrapped(first)],
        LambdaArguments::ElementsOrPairs | LambdaArguments::ValuesOrPairs if count == 2 => pair(first),
        LambdaArguments::ValuesOrPairs => vec![values(first)],
        LambdaArguments::Elements | LambdaArguments::ElementsOrPairs => vec![elements(first)],
        // The accumulated value may be anything.
        LambdaArguments::Accumulated => vec![None, elements(first)],
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

/// The element type when iterating over a type; for a hash, the type of its values.
fn values(iterated: &Type) -> Known {
    match iterated.resolved().kind() {
        // `undef` cannot be iterated over.
        TypeKind::Optional(Some(it)) | TypeKind::NotUndef(Some(it)) => values(it),
        TypeKind::Hash(..) | TypeKind::Struct(_) => telling(entries(iterated)?.1),
        TypeKind::Array(..) | TypeKind::Tuple(_) | TypeKind::Integer(_) | TypeKind::String(_) => {
            elements(iterated)
        }
        _ => None,
    }
}

/// The type of what a value hides if it is `Sensitive`, or of the value itself. Unknown if it may be either.
fn unwrapped(it: &Type) -> Known {
    match it.resolved().kind() {
        TypeKind::Sensitive(hidden) => telling(hidden.clone()),
        TypeKind::Optional(Some(inner)) => unwrapped(inner).map(|it| TypeKind::Optional(Some(it)).into()),
        TypeKind::Variant(types) => union(types.iter().map(unwrapped)),
        TypeKind::Undef
        | TypeKind::Boolean(_)
        | TypeKind::Integer(_)
        | TypeKind::Float(_)
        | TypeKind::Numeric
        | TypeKind::String(_)
        | TypeKind::Enum(_)
        | TypeKind::Pattern(_)
        | TypeKind::Array(..)
        | TypeKind::Tuple(_)
        | TypeKind::Hash(..)
        | TypeKind::Struct(_) => Some(it.clone()),
        _ => None,
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

/// The result type of a call. `lambda` is the result type of the lambda, if there is one.
pub(super) fn result(builtin: &Builtin, arguments: &Arguments, lambda: Option<Known>) -> Known {
    let first = arguments.types.first().cloned().flatten();
    match builtin.result {
        ResultType::Unknown | ResultType::Never(_) => None,
        ResultType::Is(text) => described(text),
        ResultType::ForString(text, other) => {
            described(if first.as_ref().is_some_and(is_string) { text } else { other })
        }
        ResultType::Lambda => lambda.flatten(),
        ResultType::ArrayOfLambda => Some(array_of(lambda.flatten())),
        ResultType::Iterated => lambda.and(first),
        ResultType::Elements => array_of_elements(&first?),
        ResultType::Selected => {
            let first = first?;
            match first.resolved().kind() {
                TypeKind::Hash(..) | TypeKind::Struct(_) => {
                    entries(&first).map(|(key, value)| Type::hash(key, value, None))
                }
                _ => array_of_elements(&first),
            }
        }
        ResultType::Keys => Some(array_of(first.as_ref().and_then(entries).map(|(key, _)| key))),
        ResultType::Values => Some(array_of(first.as_ref().and_then(entries).map(|(_, value)| value))),
        ResultType::Unwrapped => match lambda {
            Some(result) => result,
            None => unwrapped(&first?),
        },
        ResultType::Asserted if lambda.is_none() => denoted(&first?),
        ResultType::Asserted => None,
        ResultType::LookedUp => looked_up(arguments),
    }
}

fn is_string(it: &Type) -> bool {
    matches!(it.resolved().kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
}

fn array_of(element: Option<Type>) -> Type {
    Type::array(element.unwrap_or_else(Type::any), None)
}

/// The type of an array of elements of an array.
fn array_of_elements(it: &Type) -> Known {
    match it.resolved().kind() {
        TypeKind::Array(..) | TypeKind::Tuple(_) => Some(array_of(elements(it))),
        _ => None,
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
pub(super) fn constructed(it: &Type) -> Known {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_in_a_description_can_be_read() {
        for text in ALL.iter().flat_map(|it| texts(it.result)) {
            assert!(described(text).is_some(), "`{text}` is not a type, or is any");
        }
    }
}
