use super::iteration::{Arity, Flow, OnBreak, overloads};
use super::{Builtin, Call, LambdaArguments, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `each`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "each",
    doc: "Calls a lambda for each element, and returns what was iterated over.\n\n\
          With two parameters, the lambda takes index and element, or key and value of a hash. `break()` in the lambda ends the \
          iteration, `next()` goes on with the next element.",
    result: ResultType::Iterated,
    lambda: LambdaArguments::ElementsOrPairs,
    unknowns: Unknowns::Parts,
    overloads: &overloads(|call| each(call, Arity::One), |call| each(call, Arity::Two)),
    ..Builtin::base()
};

fn each(call: &mut Call<'_, '_, '_>, arity: Arity) -> Evaluated {
    let subject = call.argument(0).clone();
    call.iterate(arity, OnBreak::End, |_, _, _| Ok(Flow::Continue))?;
    Ok(subject)
}
