use super::{Body, Builtin, Call, Overload};
use crate::interpreter::Evaluated;

/// `convert_to`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "convert_to",
    doc: "Converts a value to a type, as `new` does: `'42'.convert_to(Integer)`.\n\n\
          Further arguments are passed to `new`. If there is a lambda, it is called with the result.",
    overloads: &[Overload {
        parameters: "Any $value, Type $type, Any *$args",
        block: Some("Optional[Callable[1, 1]]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let mut arguments = std::mem::take(&mut call.arguments);
    arguments.swap(0, 1);
    let value = call.call_function("new", arguments, None)?;
    if call.block.is_some() { call.call_block(&[value]) } else { Ok(value) }
}
