use marotte_pcore::value::Value;

use super::iteration::{Arity, Flow, OnBreak, dividing_overloads};
use super::{Builtin, Call, LambdaArguments, Unknowns};
use crate::interpreter::Evaluated;

/// `partition`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "partition",
    doc: "Two arrays: the elements for which a lambda returns a true value, and the others. `[1, 2, 3].partition |$x| { $x > \
          1 }` is `[[2, 3], [1]]`.\n\n\
          Entries of a hash are `[key, value]`. With two parameters, the lambda takes index and element, or key and value of a \
          hash.",
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &dividing_overloads(
        "Tuple[Array, Array]",
        |call| partition(call, Arity::One),
        |call| partition(call, Arity::Two),
    ),
    ..Builtin::base()
};

fn partition(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    call.iterate(arity, OnBreak::Fail, |call, element, value| {
        if call.is_true(value)? { &mut kept } else { &mut others }.push(element.one());
        Ok(Flow::Continue)
    })?;
    Ok(Value::Array([Value::Array(kept.into()), Value::Array(others.into())].into()))
}
