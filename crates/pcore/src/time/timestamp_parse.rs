//! Timestamps from text: choosing the format, and making one point in time of what the text says.

use super::calendar::midnight;
use super::strptime::{self, Fraction, Parsed};
use super::zone::{self, LocalOffset};
use super::{
    Formats, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND, TimeError, Timestamp,
};

/// See [`Timestamp::parse`].
pub(super) fn parse(
    text: &str,
    formats: Formats<'_>,
    timezone: Option<&str>,
    local: LocalOffset,
) -> Result<Timestamp, TimeError> {
    let (format, parsed) = match formats {
        Formats::One(format) => (format, parse_with_one(text, format, timezone)?),
        Formats::AnyOf(formats) => parse_with_any(text, formats, timezone)?,
        Formats::Default if timezone.is_some() => {
            parse_with_any(text, &Timestamp::DEFAULT_FORMATS_WITHOUT_ZONE, timezone)?
        }
        Formats::Default => parse_with_any(text, &Timestamp::DEFAULT_FORMATS, timezone)?,
    };
    let time = without_zone(&parsed, text, format)?;
    let offset = match timezone.or(parsed.zone.as_deref()) {
        Some(name) => zone::offset_of(name, local)?.nanoseconds,
        None => 0,
    };
    time.checked_sub(offset).map(Timestamp::from_nanoseconds).ok_or(TimeError::Overflow)
}

fn parse_with_one(text: &str, format: &str, timezone: Option<&str>) -> Result<Parsed, TimeError> {
    let Some(parsed) = strptime::parse(text, format)? else {
        return Err(TimeError::Mismatch { text: text.to_owned(), format: format.to_owned() });
    };
    if timezone.is_some() && parsed.zone.is_some() {
        return Err(TimeError::TimezoneTwice);
    }
    Ok(parsed)
}

/// With several formats, one that reads a zone does not fit when a zone is given.
fn parse_with_any<'f>(
    text: &str,
    formats: &[&'f str],
    timezone: Option<&str>,
) -> Result<(&'f str, Parsed), TimeError> {
    for format in formats {
        if let Some(parsed) = strptime::parse(text, format)?
            && (timezone.is_none() || parsed.zone.is_none())
        {
            return Ok((format, parsed));
        }
    }
    let formats = formats.iter().map(|&format| format.to_owned()).collect();
    Err(TimeError::MismatchAll { text: text.to_owned(), formats })
}

/// Nanoseconds since the epoch if the text means UTC.
fn without_zone(parsed: &Parsed, text: &str, format: &str) -> Result<i128, TimeError> {
    let Some(year) = parsed.year else {
        return Err(TimeError::NoYear { text: text.to_owned(), format: format.to_owned() });
    };
    let out_of_range = |part| TimeError::OutOfRange { part, text: text.to_owned() };
    let (hour, minute, second) =
        (parsed.hour.unwrap_or(0), parsed.minute.unwrap_or(0), parsed.second.unwrap_or(0));
    // Hour 24 is the end of the day, and nothing is after that. Second 60 is the beginning of the next minute.
    match (hour, minute, second) {
        (24, 1.., _) => return Err(out_of_range("min")),
        (24, _, 1..) => return Err(out_of_range("sec")),
        _ => {}
    }
    let fraction = match parsed.fraction {
        Some(Fraction { negative: true, .. }) => return Err(out_of_range("subsec")),
        Some(fraction) => i128::from(fraction.nanoseconds),
        None => 0,
    };
    let time = i128::from(hour) * NANOSECONDS_PER_HOUR
        + i128::from(minute) * NANOSECONDS_PER_MINUTE
        + i128::from(second) * NANOSECONDS_PER_SECOND
        + fraction;
    midnight(year, parsed.month.unwrap_or(1), parsed.day.unwrap_or(1))
        .and_then(|midnight| midnight.checked_add(time))
        .ok_or(TimeError::Overflow)
}
