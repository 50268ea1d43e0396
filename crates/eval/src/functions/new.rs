use std::sync::OnceLock;

use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, Reach};
use crate::interpreter::Evaluated;

/// `new`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "new",
    doc: "Makes a value of a type: `Integer.new('42')`, or, shorter, `Integer('42')`.\n\n\
          A single argument that is an instance of the type already is returned as it is. A lambda, if there is one, is called \
          with the new value.",
    reach: Reach::Pure,
    types: "",
    overloads: &[Overload {
        parameters: "Type $type, Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    compiled: OnceLock::new(),
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let Value::Type(it) = call.take(0) else { return Ok(Value::Undef) };
    let arguments = call.arguments.split_off(1);
    let value = call.interpreter.new_value(&it, &arguments)?;
    if call.block.is_some() { call.call_block(&[value]) } else { Ok(value) }
}
