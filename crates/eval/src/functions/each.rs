use std::sync::OnceLock;

use super::iteration::Flow;
use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `each`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "each",
    doc: "Calls a lambda for each element, and returns what was iterated over.\n\n\
          With two parameters, the lambda takes index and element, or key and value of a hash.",
    reach: Reach::Pure,
    types: "",
    overloads: &[
        Overload {
            parameters: "Hash[Any, Any] $hash",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(run),
        },
        Overload {
            parameters: "Hash[Any, Any] $hash",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(run),
        },
        Overload {
            parameters: "Iterable $enumerable",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(run),
        },
        Overload {
            parameters: "Iterable $enumerable",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(run),
        },
    ],
    compiled: OnceLock::new(),
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let subject = call.argument(0).clone();
    call.iterate(|_, _, _| Ok(Flow::Continue))?;
    Ok(subject)
}
