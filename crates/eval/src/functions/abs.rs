//! `abs`: the absolute value of a number (E28).

use marotte_diagnostics::issues;

use marotte_pcore::value::{Integer, Value};
use num_bigint::BigInt;

use super::{Body, Builtin, Call, Overload};
use crate::interpreter::Evaluated;

/// `abs`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "abs",
    doc: "The absolute value of a number: `abs(-5)` is `5`.\n\n\
          A string of decimal digits, optionally with a fraction, is still converted to a number; that is deprecated.",
    overloads: &[
        Overload { parameters: "Numeric $val", block: None, returns: None, body: Body::Run(of_number) },
        Overload { parameters: "String $val", block: None, returns: None, body: Body::Run(of_text) },
    ],
    ..Builtin::base()
};

fn of_number(call: &mut Call<'_, '_, '_>) -> Evaluated {
    Ok(match call.take(0) {
        Value::Integer(it) => Value::Integer(magnitude(&it)),
        Value::Float(it) => Value::Float(it.abs()),
        other => other,
    })
}

fn magnitude(number: &Integer) -> Integer {
    match number.to_i64().and_then(i64::checked_abs) {
        Some(it) => it.into(),
        None => BigInt::from(number.to_big().magnitude().clone()).into(),
    }
}

fn of_text(call: &mut Call<'_, '_, '_>) -> Evaluated {
    call.deprecated(
        issues::ABS_FUNCTION_NUMERIC_COERCE_STRING,
        "The abs() function's auto conversion of String to Numeric is deprecated - change to convert input before calling",
    );
    match decimal(call.text(0)) {
        Some(number) => Ok(number),
        None => call.fail("abs(): Requires float or integer to work with - was given non decimal string"),
    }
}

/// The absolute value of a string with a line that is a number. The number is read from the string's start.
fn decimal(text: &str) -> Option<Value> {
    let is_number = |line: &str, fraction: bool| {
        let digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
        let line = line.strip_prefix('-').unwrap_or(line);
        match line.split_once('.') {
            Some((whole, part)) => fraction && digits(whole) && digits(part),
            None => !fraction && digits(line),
        }
    };
    let any = |fraction| text.split('\n').any(|line| is_number(line, fraction));
    if any(true) {
        Some(Value::Float(super::number::leading_float(text).abs()))
    } else if any(false) {
        let number = super::number::leading_integer(text);
        Some(Value::Integer(BigInt::from(number.magnitude().clone()).into()))
    } else {
        None
    }
}
