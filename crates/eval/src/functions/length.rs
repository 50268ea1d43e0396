//! `length`, `size`: the number of characters, elements, entries or bytes.

use marotte_pcore::value::Value;

use super::iteration::position;
use super::{Body, Builtin, Call, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `length`.
pub(super) static LENGTH: Builtin = Builtin {
    name: "length",
    doc: "The number of elements of an array, of entries of a hash, of characters of a string, or of bytes of a binary.",
    result: ResultType::Is("Integer[0]"),
    unknowns: Unknowns::Parts,
    overloads: &[overload("Collection $arg"), overload("String $arg"), overload("Binary $arg")],
    ..Builtin::base()
};

/// `size`.
pub(super) static SIZE: Builtin = Builtin {
    name: "size",
    doc: "The same as `length`.",
    result: ResultType::Is("Integer[0]"),
    unknowns: Unknowns::Parts,
    overloads: &[overload("Variant[Collection, String, Binary] $arg")],
    ..Builtin::base()
};

const fn overload(parameters: &'static str) -> Overload {
    Overload { parameters, block: None, returns: None, body: Body::Run(length) }
}

fn length(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Ok(position(match call.argument(0) {
        Value::Array(elements) => elements.len(),
        Value::Hash(hash) => hash.len(),
        Value::Binary(binary) => binary.len(),
        value => value.as_str().unwrap_or_default().chars().count(),
    }))
}
