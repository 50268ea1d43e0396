use marotte_pcore::infer::infer_set;
use marotte_pcore::mismatch::describe_mismatch;
use marotte_pcore::relation::instance_of;
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType, Unknowns};
use crate::interpreter::Evaluated;

/// `assert_type`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "assert_type",
    doc: "Returns a value if it is an instance of a type; otherwise the program fails with an error that describes the \
          mismatch: `assert_type(Integer[1], $x)`.\n\n\
          If there is a lambda, it is called instead with the expected type and the type of the value, and its value is the \
          result. The type may be written as a string.",
    result: ResultType::Asserted,
    unknowns: Unknowns::Anything,
    overloads: &[
        Overload {
            parameters: "Type $type, Any $value",
            block: Some("Optional[Callable[Type, Type]]"),
            returns: None,
            body: Body::Run(|call| match call.take(0) {
                Value::Type(it) => assert_type(call, it),
                _ => Ok(call.take(1)),
            }),
        },
        Overload {
            parameters: "String $type_string, Any $value",
            block: Some("Optional[Callable[Type, Type]]"),
            returns: None,
            body: Body::Run(|call| {
                let text = call.take(0);
                let it = call.interpreter.parse_type(text.as_str().unwrap_or_default())?;
                assert_type(call, it)
            }),
        },
    ],
    ..Builtin::base()
};

fn assert_type(call: &mut Call<'_, '_, '_>, expected: Type) -> Evaluated {
    let value = call.take(1);
    let dialect = call.dialect();
    if instance_of(dialect, &expected, &value) {
        return Ok(value);
    }
    let actual = infer_set(dialect, &value);
    if call.block.is_some() {
        return call.call_block(&[Value::Type(expected), Value::Type(actual)]);
    }
    call.fail(describe_mismatch(dialect, "assert_type():", &expected, &actual))
}
