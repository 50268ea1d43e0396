//! `then`, `lest`: call a lambda with a value, or without one.

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, LambdaArguments, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `lest`.
pub(super) static LEST: Builtin = Builtin {
    name: "lest",
    doc: "Returns its argument, or, if that is `undef`, the value of a lambda: `$x.lest || { 5 }`.",
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Any $arg",
        block: Some("Callable[0, 0]"),
        returns: None,
        body: Body::Run(lest),
    }],
    ..Builtin::base()
};

fn lest(call: &mut Call<'_, '_, '_>) -> Evaluated {
    match call.take(0) {
        Value::Undef => call.call_block(&[]),
        value => Ok(value),
    }
}

/// `then`.
pub(super) static THEN: Builtin = Builtin {
    name: "then",
    doc: "Calls a lambda with its argument, and returns the lambda's value; `undef` if the argument is `undef`: `$x.dig(a).then \
          |$a| { $a + 1 }`.",
    lambda: LambdaArguments::NotUndef,
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Any $arg",
        block: Some("Callable[1, 1]"),
        returns: None,
        body: Body::Run(then),
    }],
    ..Builtin::base()
};

fn then(call: &mut Call<'_, '_, '_>) -> Evaluated {
    match call.take(0) {
        Value::Undef => Ok(Value::Undef),
        value => call.call_block(&[value]),
    }
}
