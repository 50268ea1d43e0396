use marotte_pcore::value::Value;

use super::iteration::Flow;
use super::{Body, Builtin, Call, LambdaArguments, Overload, Unknowns};
use crate::Unwind;
use crate::interpreter::Evaluated;

/// `reduce`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "reduce",
    doc: "Combines all elements into one value: `[1, 2, 3].reduce |$sum, $x| { $sum + $x }` is `6`.\n\n\
          The lambda takes its previous result, and an element; entries of a hash are `[key, value]`. The initial value is the \
          second argument, or, without one, the first element. Without any element, the result is the second argument, or \
          `undef`. `break()` ends the iteration with the previous result of the lambda.",
    lambda: LambdaArguments::Accumulated,
    unknowns: Unknowns::Parts,
    overloads: &[
        Overload {
            parameters: "Iterable $enumerable",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(|call| reduce(call, None)),
        },
        Overload {
            parameters: "Iterable $enumerable, Any $memo",
            block: Some("Callable[2, 2]"),
            returns: None,
            body: Body::Run(|call| {
                let memo = call.take(1);
                reduce(call, Some(memo))
            }),
        },
    ],
    ..Builtin::base()
};

fn reduce(call: &mut Call<'_, '_, '_>, mut memo: Option<Value>) -> Evaluated {
    let subject = call.take(0);
    call.each_element(&subject, |call, element| {
        let next = match memo.take() {
            None => element.one(),
            Some(before) => match call.call_block(&[before.clone(), element.one()]) {
                Err(Unwind::Break(_)) => {
                    memo = Some(before);
                    return Ok(Flow::Stop);
                }
                value => value?,
            },
        };
        memo = Some(next);
        Ok(Flow::Continue)
    })?;
    Ok(memo.unwrap_or(Value::Undef))
}
