//! `sprintf`: formatted strings (E26).

use marotte_pcore::format;
use marotte_pcore::value::Value;

use super::legacy::{Arity, reference};
use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `sprintf`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "sprintf",
    doc: "Formats values as a text: `sprintf('%05.1f of %d', 2.25, 3)` is `'002.2 of 3'`.\n\n\
          Directives are those of Ruby's `format`: `%s`, `%d`, `%x`, `%f` and so on, with flags, width and precision. They take \
          the arguments in order, by number (`%1$s`), or by name from a hash that is the only argument (`%<name>d`, `%{name}`).",
    result: ResultType::Is("Variant[String, Sensitive[String]]"),
    overloads: &[Overload {
        parameters: "Any *$args",
        block: Some("Optional[Callable]"),
        returns: None,
        body: Body::Run(run),
    }],
    ..Builtin::base()
};

fn run(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let mut arguments = call.legacy_arguments("sprintf", Arity::AtLeast(1))?;
    for it in &mut arguments {
        if let Some(reference) = reference(it) {
            *it = Value::String(reference.into());
        }
    }
    let Some((text, values)) = arguments.split_first() else { return Ok(Value::Undef) };
    let text = call.legacy_text(text)?;
    match format::sprintf(call.dialect(), text, values) {
        Ok(text) => {
            call.interpreter.check_size(call.env, call.at, text.len())?;
            Ok(Value::String(text.into()))
        }
        Err(error) => call.fail(error.to_string()),
    }
}
