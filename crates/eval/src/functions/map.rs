use marotte_pcore::value::Value;

use super::iteration::{Arity, Flow, OnBreak, overloads};
use super::{Builtin, Call, LambdaArguments, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `map`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "map",
    doc: "Calls a lambda for each element, and returns an array of its values: `[1, 2].map |$x| { $x * 2 }` is `[2, 4]`.\n\n\
          With two parameters, the lambda takes index and element, or key and value of a hash. `next(value)` in the lambda \
          returns the value for its element; `break()` ends the iteration, and the values so far are returned.",
    result: ResultType::ArrayOfLambda,
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &overloads(|call| map(call, Arity::One), |call| map(call, Arity::Two)),
    ..Builtin::base()
};

fn map(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let mut values = Vec::new();
    call.iterate(arity, OnBreak::End, |call, _, value| {
        call.check_room(values.len())?;
        values.push(value);
        Ok(Flow::Continue)
    })?;
    Ok(Value::Array(values.into()))
}
