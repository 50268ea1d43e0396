use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, LambdaArguments, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `unwrap`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "unwrap",
    doc: "The value that a `Sensitive` hides; other values are returned unchanged.\n\n\
          If there is a lambda, it is called with the value, and its value is the result: the lambda can wrap the values that it \
          computes from the secret again.",
    result: ResultType::Unwrapped,
    lambda: LambdaArguments::Unwrapped,
    unknowns: Unknowns::ByFirst(|first| match first {
        Value::Sensitive(_) => Unknowns::Anything,
        _ => Unknowns::Nothing,
    }),
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
    ..Builtin::base()
};

fn unwrap(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let value = match call.take(0) {
        Value::Sensitive(hidden) => hidden.unwrap().clone(),
        value => value,
    };
    if call.block.is_some() { call.call_block(&[value]) } else { Ok(value) }
}
