//! `type`.

use marotte_pcore::dialect::Dialect;
use marotte_pcore::infer::{generalize, infer, infer_set};
use marotte_pcore::types::Type;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Overload, ResultType};

/// `type`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "type",
    doc: "The type of a value: `type([1, a])` is `Tuple[Integer[1, 1], String]`.\n\n\
          The second argument sets how much of the value is in the type: everything (`detailed`, the default), one type for all \
          elements (`reduced`: `Array[ScalarData, 2, 2]`), or neither sizes nor values (`generalized`: `Array[ScalarData]`).",
    result: ResultType::Is("Type"),
    overloads: &[
        Overload {
            parameters: "Any $value, Enum[detailed] $inference_method = detailed",
            block: None,
            returns: None,
            body: Body::Run(|call| Ok(Value::Type(detailed(call.dialect(), call.argument(0))))),
        },
        Overload {
            parameters: "Any $value, Enum[reduced] $inference_method",
            block: None,
            returns: None,
            body: Body::Run(|call| Ok(Value::Type(infer(call.dialect(), call.argument(0))))),
        },
        Overload {
            parameters: "Any $value, Enum[generalized] $inference_method",
            block: None,
            returns: None,
            body: Body::Run(|call| Ok(Value::Type(generalize(&infer(call.dialect(), call.argument(0)))))),
        },
    ],
    ..Builtin::base()
};

/// The type of a value in full detail, as far as the dialect has types for it (X156).
fn detailed(dialect: &Dialect, value: &Value) -> Type {
    if dialect.type_describes_elements { infer_set(dialect, value) } else { infer(dialect, value) }
}
