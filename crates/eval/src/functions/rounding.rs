//! `ceiling`, `floor`, `round`: rounding to integers (E28).

use marotte_diagnostics::issues;

use marotte_pcore::format::parse_float;
use marotte_pcore::value::{Integer, Value};

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

macro_rules! towards {
    ($($static:ident $name:literal $issue:ident $round:expr, $doc:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub(super) static $static: Builtin = Builtin {
                name: $name,
                doc: $doc,
                result: ResultType::Is("Integer"),
                overloads: &[
                    Overload {
                        parameters: "Numeric $val",
                        block: None,
                        returns: None,
                        body: Body::Run(|call| call.rounded($round)),
                    },
                    Overload {
                        parameters: "String $val",
                        block: None,
                        returns: None,
                        body: Body::Run(|call| {
                            call.deprecated(
                                issues::$issue,
                                concat!(
                                    "The ", $name, "() function's auto conversion of String to Float is deprecated - change to \
                                     convert input before calling"
                                ),
                            );
                            match parse_float(call.text(0)) {
                                Some(it) => whole(call, $round(it)),
                                None => call.fail(concat!($name, "(): cannot convert given value to a floating point value.")),
                            }
                        }),
                    },
                ],
                ..Builtin::base()
            };
        )*
    };
}

towards! {
    CEILING "ceiling" CEILING_FUNCTION_NUMERIC_COERCE_STRING f64::ceil,
        "The smallest integer that is not less than a number: `ceiling(-1.5)` is `-1`.\n\n\
         A string is still converted to a number, also a hexadecimal one; that is deprecated."
    FLOOR "floor" FLOOR_FUNCTION_NUMERIC_COERCE_STRING f64::floor,
        "The largest integer that is not greater than a number: `floor(-1.5)` is `-2`.\n\n\
         A string is still converted to a number, also a hexadecimal one; that is deprecated."
}

/// `round`.
pub(super) static ROUND: Builtin = Builtin {
    name: "round",
    doc: "The integer nearest to a number; if two are equally near, the one farther from zero: `round(-2.5)` is `-3`.\n\n\
          Integers beyond 2^53 are rounded to a number that a float can represent.",
    result: ResultType::Is("Integer"),
    overloads: &[Overload { parameters: "Numeric $val", block: None, returns: None, body: Body::Run(round) }],
    ..Builtin::base()
};

fn round(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let number = match call.argument(0) {
        Value::Integer(it) => it.to_f64(),
        Value::Float(it) => *it,
        _ => return Ok(call.take(0)),
    };
    let half = if number > 0.0 { 0.5 } else { -0.5 };
    whole(call, number + half)
}

impl Call<'_, '_, '_> {
    fn rounded(&mut self, round: fn(f64) -> f64) -> Evaluated {
        match self.take(0) {
            Value::Float(it) => whole(self, round(it)),
            other => Ok(other),
        }
    }
}

/// The integral part of a float, as an integer.
fn whole(call: &Call<'_, '_, '_>, number: f64) -> Evaluated {
    match Integer::from_f64_truncated(number) {
        Some(it) => Ok(Value::Integer(it)),
        None if number.is_nan() => call.fail("NaN"),
        None => call.fail(if number < 0.0 { "-Infinity" } else { "Infinity" }),
    }
}
