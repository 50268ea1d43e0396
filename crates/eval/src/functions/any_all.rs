//! `any`, `all`: whether a lambda returns a true value.

use marotte_pcore::value::Value;

use super::iteration::{Arity, Flow, OnBreak, overloads};
use super::{Builtin, Call, LambdaArguments, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `all`.
pub(super) static ALL: Builtin = Builtin {
    name: "all",
    doc: "Whether a lambda returns a true value for every element: `[1, 2].all |$x| { $x > 0 }` is `true`. For an empty \
          collection, the result is true.\n\n\
          With two parameters, the lambda takes index and element, or key and value of a hash. Iteration stops at the first \
          element for which the lambda does not return a true value.",
    result: ResultType::Is("Boolean"),
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &overloads(|call| all(call, Arity::One), |call| all(call, Arity::Two)),
    ..Builtin::base()
};

fn all(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    Ok(Value::Boolean(!meets(call, arity, false)?))
}

/// `any`.
pub(super) static ANY: Builtin = Builtin {
    name: "any",
    doc: "Whether a lambda returns a true value for at least one element: `[1, 2].any |$x| { $x > 1 }` is `true`.\n\n\
          With two parameters, the lambda takes index and element, or key and value of a hash. Iteration stops at the first \
          element for which the lambda returns a true value.",
    result: ResultType::Is("Boolean"),
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &overloads(|call| any(call, Arity::One), |call| any(call, Arity::Two)),
    ..Builtin::base()
};

fn any(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    Ok(Value::Boolean(meets(call, arity, true)?))
}

/// Whether the lambda returns a value with the wanted truth for some element.
fn meets(call: &mut Call<'_, '_, '_>, arity: Arity, wanted: bool) -> Evaluated<bool> {
    let mut met = false;
    call.iterate(arity, OnBreak::EndIntegers, |call, _, value| {
        met = call.is_true(value)? == wanted;
        Ok(if met { Flow::Stop } else { Flow::Continue })
    })?;
    Ok(met)
}
