use std::sync::Arc;

use marotte_pcore::iterate;
use marotte_pcore::value::{Iterate, Value};

use super::{Body, Builtin, Call, LambdaArguments, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `reverse_each`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "reverse_each",
    doc: "Iterates over the elements from the last to the first: `Array([1, 2].reverse_each)` is `[2, 1]`.\n\n\
          The result is an `Iterator`, whose elements are computed when they are needed. A lambda is called for each element, and \
          the result is then `undef`.",
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: "Iterable $iterable",
            block: None,
            returns: None,
            body: Body::Run(|call| Ok(Value::Iterator(reversed(call)?))),
        },
        Overload {
            parameters: "Iterable $iterable",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(|call| {
                let iterator = reversed(call)?;
                call.call_for_each(&Value::Iterator(iterator))
            }),
        },
    ],
    ..Builtin::base()
};

fn reversed(call: &mut Call<'_, '_, '_>) -> Evaluated<Arc<dyn Iterate>> {
    Ok(iterate::reverse_each(&call.iterator(0)?))
}
