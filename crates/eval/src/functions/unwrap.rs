use std::sync::OnceLock;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `unwrap`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "unwrap",
    doc: "The value that a `Sensitive` hides; any other value as it is.\n\n\
          A lambda, if there is one, is called with it, and its value is the result: what is made of the secret can be hidden again \
          there.",
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
