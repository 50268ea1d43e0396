use std::num::NonZeroUsize;
use std::sync::Arc;

use marotte_pcore::iterate;
use marotte_pcore::value::{Iterate, Value};

use super::{Body, Builtin, Call, Overload, Unknowns};
use crate::interpreter::Evaluated;

/// `step`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "step",
    doc: "Takes the first element and every n-th element after it: `[1, 2, 3, 4, 5].step(2)` returns 1, 3 and 5.\n\n\
          The result is an `Iterator`, whose elements are computed when they are needed. A lambda is called for each element, and \
          the result is then `undef`.",
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: "Iterable $iterable, Integer[1] $step",
            block: None,
            returns: None,
            body: Body::Run(|call| Ok(Value::Iterator(stepped(call)?))),
        },
        Overload {
            parameters: "Iterable $iterable, Integer[1] $step",
            block: Some("Callable[1, 1]"),
            returns: None,
            body: Body::Run(|call| {
                let iterator = stepped(call)?;
                call.call_for_each(&Value::Iterator(iterator))
            }),
        },
    ],
    ..Builtin::base()
};

fn stepped(call: &mut Call<'_, '_, '_>) -> Evaluated<Arc<dyn Iterate>> {
    let step = match call.argument(1) {
        Value::Integer(step) => step.to_i64().and_then(|it| usize::try_from(it).ok()).unwrap_or(usize::MAX),
        _ => 1,
    };
    let iterator = call.iterator(0)?;
    Ok(iterate::step(&iterator, NonZeroUsize::new(step).unwrap_or(NonZeroUsize::MIN)))
}
