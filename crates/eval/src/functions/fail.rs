use super::legacy::Arity;
use super::{Body, Builtin, Call, Effects, Leaves, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `fail`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "fail",
    doc: "Ends the program with an error. Its message consists of the texts of the arguments, separated by spaces.",
    effects: Effects::ControlFlow,
    result: ResultType::Never(Leaves::Program),
    unknowns: Unknowns::Anything,
    overloads: &[Overload {
        parameters: "Any *$values",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(fail),
    }],
    ..Builtin::base()
};

fn fail(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let values = call.legacy_arguments("fail", Arity::AtLeast(0))?;
    let texts = values.iter().map(|it| call.plain_text(it)).collect::<Evaluated<Vec<_>>>()?;
    call.fail(texts.join(" "))
}
