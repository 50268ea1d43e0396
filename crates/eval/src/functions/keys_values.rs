//! `keys`, `values`: the keys and values of a hash.

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `keys`.
pub(super) static KEYS: Builtin = Builtin {
    name: "keys",
    doc: "The keys of a hash, in its order: `{a => 1, b => 2}.keys` is `[a, b]`.",
    result: ResultType::Keys,
    unknowns: Unknowns::Parts,
    overloads: &[Overload { parameters: "Hash $hsh", block: None, returns: None, body: Body::Run(keys) }],
    ..Builtin::base()
};

fn keys(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Hash(hash) = call.argument(0) else { return Ok(Value::Undef) };
    Ok(Value::Array(hash.keys().cloned().collect()))
}

/// `values`.
pub(super) static VALUES: Builtin = Builtin {
    name: "values",
    doc: "The values of a hash, in its order: `{a => 1, b => 2}.values` is `[1, 2]`.",
    result: ResultType::Values,
    unknowns: Unknowns::Parts,
    overloads: &[Overload { parameters: "Hash $hsh", block: None, returns: None, body: Body::Run(values) }],
    ..Builtin::base()
};

fn values(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Hash(hash) = call.argument(0) else { return Ok(Value::Undef) };
    Ok(Value::Array(hash.values().cloned().collect()))
}
