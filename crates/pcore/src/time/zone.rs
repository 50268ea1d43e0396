//! Time zones as named in the language: offsets and abbreviations.
//!
//! The reference parses a zone with `DateTime._strptime(…, '%z')`, which supports `+01:30` in many spellings,
//! abbreviations such as `CET`, and Windows names such as `W. Europe Standard Time`, each with one fixed offset. It
//! doesn't support `Europe/Berlin`.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::zone_names::offset_of_name;
use super::{NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND, TimeError};

/// The current offset from UTC of the zone in which the compiler itself runs: the meaning of the zone name `current`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LocalOffset {
    /// Seconds, positive to the east.
    pub seconds: i32,
}

impl LocalOffset {
    /// The offset if the compiler runs in UTC, or if `current` isn't used.
    pub const UTC: Self = LocalOffset { seconds: 0 };
}

/// The offset of a zone from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    /// Positive to the east.
    pub(super) nanoseconds: i128,
    /// Whether it was written as hours with a decimal fraction. Such an offset is rounded differently.
    decimal: bool,
}

impl Offset {
    fn from_seconds(seconds: i128) -> Self {
        Offset { nanoseconds: seconds * NANOSECONDS_PER_SECOND, decimal: false }
    }

    /// Returns the whole minutes, for display: rounded down, but towards zero for a decimal offset.
    fn minutes(self) -> i128 {
        if self.decimal {
            self.nanoseconds / NANOSECONDS_PER_MINUTE
        } else {
            self.nanoseconds.div_euclid(NANOSECONDS_PER_MINUTE)
        }
    }
}

/// The zone in which a time is displayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    Utc,
    /// An offset from UTC in minutes, without a name.
    Minutes(i16),
}

impl Zone {
    /// Returns the zone for displaying a time. An empty name means UTC.
    ///
    /// # Errors
    /// [`TimeError::IllegalTimezone`]; [`TimeError::OffsetOutOfRange`] for a day or more.
    pub(super) fn named(name: &str, local: LocalOffset) -> Result<Self, TimeError> {
        let out_of_range = || TimeError::OffsetOutOfRange { timezone: name.to_owned() };
        let minutes = match name {
            "" | "-00:00" => return Ok(Zone::Utc),
            _ => match clock_minutes(name) {
                Some((hours, minutes)) if hours > 23 || minutes > 59 => return Err(out_of_range()),
                Some((hours, minutes)) => {
                    let minutes = i128::from(hours) * 60 + i128::from(minutes);
                    if name.starts_with('-') { -minutes } else { minutes }
                }
                None => offset_of(name, local)?.minutes(),
            },
        };
        if minutes.abs() >= 24 * 60 {
            return Err(out_of_range());
        }
        i16::try_from(minutes).map(Zone::Minutes).map_err(|_| out_of_range())
    }

    /// Returns the seconds from UTC, positive to the east.
    pub(super) fn seconds(self) -> i32 {
        match self {
            Zone::Utc => 0,
            Zone::Minutes(minutes) => i32::from(minutes) * 60,
        }
    }
}

/// Parses the hours and minutes of a name such as `+01:30`, in exactly that form.
fn clock_minutes(name: &str) -> Option<(u8, u8)> {
    let [b'+' | b'-', hour_tens, hours, b':', minute_tens, minutes] = *name.as_bytes() else { return None };
    let number = |tens: u8, ones: u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
    };
    Some((number(hour_tens, hours)?, number(minute_tens, minutes)?))
}

/// Returns the offset of the zone that a name begins with; the rest of the name is ignored.
///
/// # Errors
/// [`TimeError::IllegalTimezone`].
pub(super) fn offset_of(name: &str, local: LocalOffset) -> Result<Offset, TimeError> {
    if name.eq_ignore_ascii_case("current") {
        return Ok(Offset::from_seconds(i128::from(local.seconds)));
    }
    prefix(name.as_bytes())
        .and_then(offset)
        .ok_or_else(|| TimeError::IllegalTimezone { timezone: name.to_owned() })
}

/// Returns the prefix of `text` that looks like a zone, known or not.
pub(super) fn prefix(text: &[u8]) -> Option<&str> {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?x-u)\A(?:
                (?i:gmt|utc?)?[-+][0-9]+(?:[,.:][0-9]+(?::[0-9]+)?)?
                |[A-Za-z.\s]+(?i:standard|daylight)\s+(?i:time)\b
                |[A-Za-z]+(?:\s+(?i:dst))?\b
            )",
        )
        .expect("the pattern is constant and well-formed")
    });
    // The reference rejects any text that isn't ASCII, even after the zone.
    if !text.is_ascii() {
        return None;
    }
    std::str::from_utf8(PATTERN.find(text)?.as_bytes()).ok()
}

/// Returns the offset of a zone found by [`prefix`].
fn offset(zone: &str) -> Option<Offset> {
    let (name, summer) = without_suffix(zone);
    if let Some(seconds) = offset_of_name(&squeeze(name)) {
        return Some(Offset::from_seconds(i128::from(seconds) + if summer { 3600 } else { 0 }));
    }
    let lower = name.to_ascii_lowercase();
    let numeric = if lower.len() > 3 && (lower.starts_with("gmt") || lower.starts_with("utc")) {
        &name[3..]
    } else {
        name
    };
    let (negative, digits) = match numeric.split_at_checked(1)? {
        ("-", digits) => (true, digits),
        ("+", digits) => (false, digits),
        _ => return None,
    };
    let after_hours = digits.trim_start_matches(|digit: char| digit.is_ascii_digit());
    let magnitude = match after_hours.bytes().next() {
        None => run_together(digits)?,
        Some(b':') => clock(digits)?,
        Some(_) => {
            let nanoseconds = decimal_hours(digits)?;
            let nanoseconds = if negative { -nanoseconds } else { nanoseconds };
            return Some(Offset { nanoseconds, decimal: true });
        }
    };
    Some(Offset::from_seconds(if negative { -magnitude } else { magnitude }))
}

/// Removes ` standard time`, ` daylight time` or ` dst` from a zone; returns whether it was one of the last two.
fn without_suffix(zone: &str) -> (&str, bool) {
    let before_time = without_word(zone, "time");
    if let Some(name) = before_time.and_then(|zone| without_word(zone, "standard")) {
        return (name, false);
    }
    match before_time.map_or_else(|| without_word(zone, "dst"), |zone| without_word(zone, "daylight")) {
        Some(name) => (name, true),
        None => (zone, false),
    }
}

/// Removes a word at the end of `text`, and the blanks before it. `None` if the text doesn't end with it.
fn without_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (rest, end) = text.split_at_checked(text.len().checked_sub(word.len())?)?;
    let name = rest.trim_end_matches(is_blank);
    (end.eq_ignore_ascii_case(word) && name.len() < rest.len()).then_some(name)
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// Converts to lower case, and collapses blanks.
fn squeeze(name: &str) -> String {
    let words = name.split(is_blank).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    words.join(" ").to_ascii_lowercase()
}

/// Returns the seconds of `H:M` and `H:M:S`, each with any number of digits.
fn clock(text: &str) -> Option<i128> {
    let mut parts = text.split(':');
    let mut part = || parts.next().map_or(Some(0), |digits| digits.parse::<i64>().ok());
    let (hours, minutes, seconds) = (part()?, part()?, part()?);
    Some(i128::from(hours) * 3600 + i128::from(minutes) * 60 + i128::from(seconds))
}

/// Returns the nanoseconds of hours with a decimal fraction. Seconds after a colon are ignored.
fn decimal_hours(text: &str) -> Option<i128> {
    let mut parts = text.split(['.', ',', ':']);
    let (hours, fraction) = (parts.next()?, parts.next()?);
    // Digits after the eleventh are less than a nanosecond.
    let digits = fraction.get(..11).unwrap_or(fraction);
    let part = digits.parse::<i128>().ok()? * NANOSECONDS_PER_HOUR / 10i128.pow(digits.len() as u32);
    Some(i128::from(hours.parse::<i64>().ok()?) * NANOSECONDS_PER_HOUR + part)
}

/// Returns the seconds of `H`, `HMM` and `HMMSS`, with one or two digits of hours; the rest is ignored.
fn run_together(digits: &str) -> Option<i128> {
    let hour_digits = 2 - digits.len() % 2;
    let pair = |start: usize| digits.get(start..start + 2).map_or(Some(0), |pair| pair.parse::<i128>().ok());
    let hours = digits.get(..hour_digits)?.parse::<i128>().ok()?;
    Some(hours * 3600 + pair(hour_digits)? * 60 + pair(hour_digits + 2)?)
}
