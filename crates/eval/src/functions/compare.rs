use marotte_pcore::ops::label;
use marotte_pcore::relation;
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `compare`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "compare",
    doc: "-1, 0 or 1: whether the first value is less than, equal to, or greater than the second. `compare(1, 2)` is `-1`.\n\n\
          Numbers, strings, versions, and times can be compared, each with its own kind, times also with a number of seconds. \
          Upper and lower case of ASCII letters are equal, unless the third argument is `false`.",
    result: ResultType::Is("Integer[-1, 1]"),
    types: "type TimeComparable = Variant[Numeric, Timespan, Timestamp]\n\
            type Comparable = Variant[String, SemVer, TimeComparable]",
    overloads: &[
        overload("Numeric $a, Numeric $b"),
        overload("String $a, String $b, Boolean $ignore_case = true"),
        overload("SemVer $a, SemVer $b"),
        overload("Numeric $a, Variant[Timespan, Timestamp] $b"),
        overload("Timestamp $a, Variant[Timestamp, Numeric] $b"),
        overload("Timespan $a, Variant[Timespan, Numeric] $b"),
        Overload {
            parameters: "Comparable $a, Comparable $b, Any *$ignore_case",
            block: None,
            returns: None,
            body: Body::Refuse(wrong_kinds),
        },
        Overload {
            parameters: "Any $a, Any $b, Any *$ignore_case",
            block: None,
            returns: None,
            body: Body::Refuse(not_comparable),
        },
    ],
    ..Builtin::base()
};

const fn overload(parameters: &'static str) -> Overload {
    Overload { parameters, block: None, returns: None, body: Body::Run(compare) }
}

fn compare(call: &mut Call<'_, '_, '_>) -> Evaluated {
    let ordering = match (call.argument(0), call.argument(1), call.argument(2)) {
        (Value::String(a), Value::String(b), Value::Boolean(false)) => Ok(a.as_bytes().cmp(b.as_bytes())),
        (a, b, _) => relation::compare(a, b),
    };
    match ordering {
        Ok(ordering) => Ok(Value::from(ordering as i64)),
        Err(error) => call.fail(error.to_string()),
    }
}

fn wrong_kinds(call: &Call<'_, '_, '_>) -> String {
    let (a, b) = (call.argument(0), call.argument(1));
    match call.arguments.get(2..).unwrap_or_default() {
        [] => format!(
            "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). Got {} and {}",
            label(a),
            label(b)
        ),
        _ if a.as_str().is_none() || b.as_str().is_none() => {
            "compare(): The third argument (ignore case) can only be used when comparing strings".to_owned()
        }
        [only] => {
            format!("compare(): The third argument (ignore case) must be a Boolean. Got {}", label(only))
        }
        _ => format!("compare(): Accepts at most 3 arguments, got {}", call.arguments.len()),
    }
}

fn not_comparable(call: &Call<'_, '_, '_>) -> String {
    format!(
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can be \
         compared. Got {} and {}",
        label(call.argument(0)),
        label(call.argument(1))
    )
}
