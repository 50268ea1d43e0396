use marotte_diagnostics::issues;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `empty`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "empty",
    doc: "Whether a collection, a string (also a `Sensitive` one) or a binary is empty. The values of the elements do not \
          matter: `[undef].empty` is `false`.\n\n\
          `undef` is empty. For compatibility with old programs, numbers are accepted: they are not empty, and a warning is \
          logged.",
    result: ResultType::Is("Boolean"),
    unknowns: Unknowns::Parts,
    overloads: &[
        overload("Collection $coll"),
        overload("Sensitive[String] $str"),
        overload("String $str"),
        Overload {
            parameters: "Numeric $num",
            block: None,
            returns: None,
            body: Body::Run(|call| {
                let message = "Calling function empty() with Numeric value is deprecated.";
                call.deprecated(issues::NUMERIC_EMPTY, message);
                Ok(Value::Boolean(false))
            }),
        },
        overload("Binary $bin"),
        overload("Undef $x"),
    ],
    ..Builtin::base()
};

const fn overload(parameters: &'static str) -> Overload {
    Overload { parameters, block: None, returns: None, body: Body::Run(empty) }
}

fn empty(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Ok(Value::Boolean(match call.argument(0) {
        Value::Array(elements) => elements.is_empty(),
        Value::Hash(hash) => hash.is_empty(),
        Value::Sensitive(hidden) => hidden.unwrap().as_str() == Some(""),
        Value::Binary(binary) => binary.is_empty(),
        Value::Undef => true,
        value => value.as_str() == Some(""),
    }))
}
