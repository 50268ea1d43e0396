use super::{Body, Builtin, Call, LambdaArguments, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `with`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "with",
    doc: "Calls a lambda with the given arguments, and returns its value.\n\n\
          Variables that the lambda assigns are local to it.",
    result: ResultType::Lambda,
    lambda: LambdaArguments::Arguments,
    unknowns: Unknowns::Parts,
    overloads: &[Overload {
        parameters: "Any *$arg",
        block: Some("Callable"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let arguments = std::mem::take(&mut call.arguments);
    call.call_block(&arguments)
}
