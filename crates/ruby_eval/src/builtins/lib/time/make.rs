//! Times from the parts of a date and from texts.

use super::super::support::text_of;
use super::moment::{Moment, SECOND, Zone, days_from_date, parse_zone};
use super::{exact, now, value, zone_keyword, zone_of};
use crate::native::Call;
use crate::stop::{Result, unsupported};
use crate::{Value, Vm};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// The number of an argument for a part of a date, within a range.
fn number(
    vm: &mut Vm<'_>,
    value: Option<&Value>,
    default: i64,
    range: (i64, i64),
    message: &str,
) -> Result<i64> {
    let number = match value {
        None | Some(Value::Nil) => default,
        Some(Value::Integer(it)) => *it,
        Some(Value::String(text)) => {
            let text = text.lossy();
            let month =
                MONTHS.iter().position(|it| text.eq_ignore_ascii_case(it)).filter(|_| range == (1, 12));
            match (month, text.parse::<i64>()) {
                (Some(month), _) => month as i64 + 1,
                (None, Ok(number)) if text.bytes().all(|it| it.is_ascii_digit()) => number,
                _ => return unsupported("a Time of this text"),
            }
        }
        Some(_) => return unsupported("a Time of this number"),
    };
    match (range.0..=range.1).contains(&number) {
        true => Ok(number),
        false => vm.argument_error(message),
    }
}

/// The nanoseconds of a date and time by arguments, as in UTC.
fn civil(vm: &mut Vm<'_>, parts: &[Value]) -> Result<i128> {
    let out_of_range = "argument out of range";
    let year = number(vm, parts.first(), 0, (-1_000_000_000, 1_000_000_000), out_of_range)?;
    let month = number(vm, parts.get(1), 1, (1, 12), "mon out of range")?;
    let day = number(vm, parts.get(2), 1, (1, 31), out_of_range)?;
    let hour = number(vm, parts.get(3), 0, (0, 24), out_of_range)?;
    let last = if hour == 24 { 0 } else { 59 };
    let minute = number(vm, parts.get(4), 0, (0, last), "min out of range")?;
    let second = match parts.get(5) {
        Some(Value::Float(it)) if hour < 24 && (0.0..60.0).contains(it) => exact(vm, &Value::Float(*it))?,
        other => {
            let last = if hour == 24 { 0 } else { 60 };
            i128::from(number(vm, other, 0, (0, last), "sec out of range")?) * SECOND
        }
    };
    let days = days_from_date(i128::from(year), i128::from(month), i128::from(day));
    Ok((days * 86_400 + i128::from(hour) * 3600 + i128::from(minute) * 60) * SECOND + second)
}

pub(super) fn utc_time(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    if call.arguments.len() > 7 {
        return unsupported("Time.utc with ten arguments");
    }
    let micro = match call.argument(6) {
        None | Some(Value::Nil) => 0,
        Some(Value::Integer(it @ 0..=999_999)) => i128::from(*it) * 1000,
        Some(_) => return unsupported("Time.utc with these microseconds"),
    };
    let parts = call.arguments.get(..call.arguments.len().min(6)).unwrap_or_default();
    let nanoseconds = civil(vm, parts)? + micro;
    Ok(value(vm, Moment { nanoseconds, zone: Zone::Utc }))
}

pub(super) fn new(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let keyword = zone_keyword(vm, call)?;
    if call.arguments.is_empty() {
        return now(vm, keyword.unwrap_or(Zone::Local));
    }
    let zone = match (call.argument(6), keyword) {
        (Some(zone), None) if !zone.is_nil() => zone_of(vm, zone)?,
        (None, Some(zone)) => zone,
        _ => return unsupported("the local time zone"),
    };
    if matches!(call.arguments, [Value::String(_)]) {
        return unsupported("Time.new of a text");
    }
    let parts = call.arguments.get(..call.arguments.len().min(6)).unwrap_or_default();
    let nanoseconds = civil(vm, parts)?;
    let offset = if let Zone::Offset(seconds) = zone { i128::from(seconds) } else { 0 };
    Ok(value(vm, Moment { nanoseconds: nanoseconds - offset * SECOND, zone }))
}

/// `2024-02-29T12:34:56.5+01:00`, with a blank for the `T` and before the zone if `loose`.
fn parse_text(text: &str, loose: bool) -> Option<Moment> {
    let text = text.trim_matches(|it: char| it.is_ascii_whitespace());
    let (date, time) = text.split_at_checked(10)?;
    let separator = time.chars().next()?;
    if !(matches!(separator, 'T' | 't') || (loose && separator == ' ')) {
        return None;
    }
    let time = time.get(1..)?;
    let numbers = |text: &str, separator: char, widths: [usize; 3]| -> Option<[i128; 3]> {
        let parts: Vec<&str> = text.split(separator).collect();
        let is_number =
            |(it, width): (&&str, usize)| it.len() == width && it.bytes().all(|it| it.is_ascii_digit());
        if parts.len() != 3 || !parts.iter().zip(widths).all(is_number) {
            return None;
        }
        Some([parts[0].parse().ok()?, parts[1].parse().ok()?, parts[2].parse().ok()?])
    };
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let [hour, minute, second] = numbers(time.get(..8)?, ':', [2, 2, 2])?;
    let mut rest = time.get(8..)?;
    let mut fraction = 0;
    if let Some(digits) = rest.strip_prefix('.') {
        let end = digits.find(|it: char| !it.is_ascii_digit()).unwrap_or(digits.len());
        if !(1..=9).contains(&end) {
            return None;
        }
        fraction = format!("{:0<9}", &digits[..end]).parse().ok()?;
        rest = &digits[end..];
    }
    if loose {
        rest = rest.trim_start_matches(' ');
    }
    let zone = match rest {
        "Z" | "z" => Zone::Utc,
        "UTC" | "GMT" if loose => Zone::Utc,
        other if other.len() == 6 => parse_zone(other).ok()?,
        _ => return None,
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 31,
    };
    let in_range = (1..=12).contains(&month) && (1..=days).contains(&day);
    if !in_range || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let offset = if let Zone::Offset(seconds) = zone { i128::from(seconds) } else { 0 };
    let seconds = days_from_date(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(Moment { nanoseconds: seconds * SECOND + fraction, zone })
}

pub(super) fn parse_iso8601(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = text_of(vm, call.required(0))?;
    match parse_text(&text, false) {
        Some(moment) => Ok(value(vm, moment)),
        None if !text.bytes().any(|it| it.is_ascii_digit()) => {
            let shown = vm.inspect(call.required(0))?;
            vm.argument_error(format!("invalid xmlschema format: {shown}"))
        }
        None => unsupported("Time.iso8601 of this text"),
    }
}

pub(super) fn parse_any(vm: &mut Vm<'_>, call: &Call<'_>) -> Result {
    let text = text_of(vm, call.required(0))?;
    match parse_text(&text, true).filter(|_| call.arguments.len() == 1) {
        Some(moment) => Ok(value(vm, moment)),
        None => unsupported("Time.parse of this text"),
    }
}
