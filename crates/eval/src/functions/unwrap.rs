use std::sync::OnceLock;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `unwrap`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "unwrap",
    doc: "The value that a `Sensitive` hides; other values are returned unchanged.\n\n\
          If there is a lambda, it is called with the value, and its value is the result: the lambda can wrap the values that it \
          computes from the secret again.",
    reach: Reach::Pure,
    types: "",
    overloads: &[
        Overload {
            parameters: "Sensitive $arg",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Run(unwrap),
        },
        Overload {
            parameters: "Any $arg",
            block: Some("Optional[Callable]"),
            returns: None,
            body: Body::Run(unwrap),
        },
    ],
    compiled: OnceLock::new(),
};

fn unwrap(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let value = match call.take(0) {
        Value::Sensitive(hidden) => hidden.unwrap().clone(),
        value => value,
    };
    if call.block.is_some() { call.call_block(&[value]) } else { Ok(value) }
}
