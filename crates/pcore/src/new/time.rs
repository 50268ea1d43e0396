//! `Timespan` and `Timestamp` (D71, D72, X64, X65, X116).

use super::{ConversionHost, NewError};
use crate::dialect::{Dialect, TwoNumbers};
use crate::relation::TIMESPAN_PARTS;
use crate::time::{Formats, LocalOffset, TimeError, Timespan, TimespanFields, Timestamp};
use crate::value::{Hash, Value};

/// Creates a timespan from seconds, from a text and formats, or from its parts; the latter two also in a hash.
pub(super) fn timespan(dialect: &Dialect, arguments: &[Value]) -> Result<Value, NewError> {
    let timespan = match arguments {
        [Value::Float(seconds)] => Timespan::from_float(&dialect.texts, *seconds)?,
        [Value::Integer(seconds)] => Timespan::from_seconds(seconds.to_i64().ok_or(TimeError::Overflow)?)?,
        [Value::String(text), ..] => read_timespan(dialect, text, arguments.get(1))?,
        [Value::Hash(named)] => timespan_bound(dialect, named)?,
        parts => from_parts(false, [0, 1, 2, 3, 4, 5, 6].map(|index| parts.get(index)))?,
    };
    Ok(Value::Timespan(timespan))
}

fn from_parts(negative: bool, parts: [Option<&Value>; 7]) -> Result<Timespan, TimeError> {
    let number = |part: Option<&Value>| match part {
        Some(Value::Integer(number)) => number.to_i64().ok_or(TimeError::Overflow),
        _ => Ok(0),
    };
    let [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds] = parts.map(number);
    Ok(Timespan::from_fields(&TimespanFields {
        negative,
        days: days?,
        hours: hours?,
        minutes: minutes?,
        seconds: seconds?,
        milliseconds: milliseconds?,
        microseconds: microseconds?,
        nanoseconds: nanoseconds?,
    }))
}

fn read_timespan(dialect: &Dialect, text: &str, formats: Option<&Value>) -> Result<Timespan, TimeError> {
    let read = with_formats(formats, |formats| Timespan::parse(&dialect.texts, text, formats));
    match (dialect.timespan_of_two_numbers, formats) {
        (TwoNumbers::HoursAndMinutes, None | Some(Value::Default)) => read
            .or_else(|error| Timespan::parse(&dialect.texts, text, Formats::One("%H:%M")).map_err(|_| error)),
        _ => read,
    }
}

/// Reads a bound of a type from a hash as a moment: a text, with formats.
pub(crate) fn timestamp_bound(dialect: &Dialect, named: &Hash) -> Result<Timestamp, TimeError> {
    let text = |name: &str| named.get_str(name).and_then(Value::as_str);
    let (written, timezone) = (text("string").unwrap_or_default(), text("timezone"));
    with_formats(named.get_str("format"), |formats| {
        Timestamp::parse(&dialect.texts, written, formats, timezone, LocalOffset::default())
    })
}

/// Reads a bound of a type from a hash as a span of time.
pub(crate) fn timespan_bound(dialect: &Dialect, named: &Hash) -> Result<Timespan, TimeError> {
    match named.get_str("string") {
        Some(Value::String(text)) => read_timespan(dialect, text, named.get_str("format")),
        _ => {
            let negative = named.get_str("negative").is_some_and(Value::is_truthy);
            from_parts(negative, TIMESPAN_PARTS.map(|name| named.get_str(name)))
        }
    }
}

/// Returns the current time, or creates a timestamp from seconds, or from a text, formats and a time zone; the latter
/// also in a hash.
pub(super) fn timestamp(
    dialect: &Dialect,
    outside: &dyn ConversionHost,
    arguments: &[Value],
) -> Result<Value, NewError> {
    let read = |text: &str, formats, timezone: Option<&Value>| {
        let timezone = timezone.and_then(Value::as_str);
        let local = outside.local_offset();
        with_formats(formats, |formats| Timestamp::parse(&dialect.texts, text, formats, timezone, local))
    };
    let timestamp = match arguments {
        [Value::Float(seconds)] => Timestamp::from_float(&dialect.texts, *seconds)?,
        [Value::Integer(seconds)] => Timestamp::from_seconds(seconds.to_i64().ok_or(TimeError::Overflow)?)?,
        [Value::String(text), ..] => read(text, arguments.get(1), arguments.get(2))?,
        [Value::Hash(named)] => {
            let text = named.get_str("string").and_then(Value::as_str).unwrap_or_default();
            read(text, named.get_str("format"), named.get_str("timezone"))?
        }
        _ => outside.now(),
    };
    Ok(Value::Timestamp(timestamp))
}

/// Passes on the formats in an argument: one, several, or the defaults of the type.
fn with_formats<T>(formats: Option<&Value>, read: impl FnOnce(Formats<'_>) -> T) -> T {
    match formats {
        Some(Value::String(format)) => read(Formats::One(format)),
        Some(Value::Array(formats)) => {
            let formats: Vec<&str> = formats.iter().filter_map(Value::as_str).collect();
            read(Formats::AnyOf(&formats))
        }
        _ => read(Formats::Default),
    }
}
