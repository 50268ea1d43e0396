//! `strftime`: formatted times (E31).

use marotte_diagnostics::issues;

use marotte_pcore::time::{TimeError, Timestamp};
use marotte_pcore::value::Value;

use super::{Body, Builtin, Call, Effects, Overload, ResultType};
use crate::interpreter::Evaluated;

/// `strftime`.
pub(super) static FUNCTION: Builtin = Builtin {
    name: "strftime",
    doc: "Formats a `Timespan` or `Timestamp` as text: `strftime(Timestamp('2020-01-02'), '%d.%m.%Y')` is `'02.01.2020'`.\n\n\
          For a `Timestamp`, the third argument is the time zone, an offset such as `+01:00` or an abbreviation such as `CET`; \
          the default is UTC. The directives are described with `Timespan.new` and `Timestamp.new`. A format without a time \
          formats the current time; that is deprecated.",
    effects: Effects::Reads,
    result: ResultType::Is("String"),
    overloads: &[
        Overload {
            parameters: "Timespan $time_object, String $format",
            block: None,
            returns: None,
            body: Body::Run(of_timespan),
        },
        Overload {
            parameters: "Timestamp $time_object, String $format, String $timezone = undef",
            block: None,
            returns: None,
            body: Body::Run(of_timestamp),
        },
        Overload {
            parameters: "String $format, String $timezone = undef",
            block: None,
            returns: None,
            body: Body::Run(of_now),
        },
    ],
    ..Builtin::base()
};

fn of_timespan(call: &mut Call<'_, '_, '_>) -> Evaluated {
    match call.argument(0) {
        Value::Timespan(it) => written(call, it.format(&call.dialect().texts, call.text(1))),
        _ => Ok(Value::Undef),
    }
}

fn of_timestamp(call: &mut Call<'_, '_, '_>) -> Evaluated {
    match call.argument(0) {
        Value::Timestamp(it) => moment(call, *it, 1),
        _ => Ok(Value::Undef),
    }
}

fn of_now(call: &mut Call<'_, '_, '_>) -> Evaluated {
    call.deprecated(
        issues::LEGACY_STRFTIME,
        "The argument signature (String format, [String timezone]) is deprecated for #strftime. See #strftime documentation and \
         Timespan type for more info",
    );
    moment(call, call.interpreter.requests.now(), 0)
}

/// Formats a point in time, by the format in one argument and the time zone in the next.
fn moment(call: &Call<'_, '_, '_>, time: Timestamp, format: usize) -> Evaluated {
    let local = call.interpreter.requests.local_offset();
    written(call, time.format(call.text(format), call.argument(format + 1).as_str(), local))
}

fn written(call: &Call<'_, '_, '_>, text: Result<String, TimeError>) -> Evaluated {
    match text {
        Ok(text) => Ok(Value::String(text.into())),
        Err(error) => call.fail(error.to_string()),
    }
}
