//! `keys`, `values`: the keys and values of a hash.

use std::sync::OnceLock;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `keys`.
pub(super) static KEYS: Builtin = Builtin {
    name: "keys",
    doc: "The keys of a hash, in its order: `{a => 1, b => 2}.keys` is `[a, b]`.",
    reach: Reach::Pure,
    types: "",
    overloads: &[Overload { parameters: "Hash $hsh", block: None, returns: None, body: Body::Run(keys) }],
    compiled: OnceLock::new(),
};

fn keys(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Hash(hash) = call.argument(0) else { return Ok(Value::Undef) };
    Ok(Value::Array(hash.keys().cloned().collect()))
}

/// `values`.
pub(super) static VALUES: Builtin = Builtin {
    name: "values",
    doc: "The values of a hash, in its order: `{a => 1, b => 2}.values` is `[1, 2]`.",
    reach: Reach::Pure,
    types: "",
    overloads: &[Overload { parameters: "Hash $hsh", block: None, returns: None, body: Body::Run(values) }],
    compiled: OnceLock::new(),
};

fn values(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Hash(hash) = call.argument(0) else { return Ok(Value::Undef) };
    Ok(Value::Array(hash.values().cloned().collect()))
}
