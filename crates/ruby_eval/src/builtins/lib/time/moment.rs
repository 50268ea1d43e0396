//! Points in time with the zone in which they are shown.

use std::any::Any;
use std::cell::Ref;

use marotte_pcore::time::{LocalOffset, TimeError, Timestamp};

use crate::value::Data;

pub(super) const SECOND: i128 = 1_000_000_000;

/// The zone in which a time is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// UTC.
    Utc,
    /// An offset in seconds, in whole minutes.
    Offset(i32),
    /// The zone of the machine, which is not known.
    Local,
}

/// A point in time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// Nanoseconds since 1970.
    pub(super) nanoseconds: i128,
    pub(super) zone: Zone,
}

impl Data for Moment {
    fn eql(&self, other: &Ref<'_, Box<dyn Data>>) -> bool {
        let other = (&***other as &dyn Any).downcast_ref::<Moment>();
        other.is_some_and(|it| it.nanoseconds == self.nanoseconds)
    }

    fn key_hash(&self) -> Option<u64> {
        Some(self.nanoseconds as u64 ^ (self.nanoseconds >> 64) as u64)
    }

    fn copy(&self) -> Option<Box<dyn Data>> {
        Some(Box::new(*self))
    }
}

impl Moment {
    /// The time by a format of `strftime`. None if the zone is not known.
    pub(super) fn format(&self, format: &str) -> Option<Result<String, TimeError>> {
        let name = match self.zone {
            Zone::Utc => String::new(),
            Zone::Offset(seconds) => offset_text(seconds, ":"),
            Zone::Local => return None,
        };
        Some(Timestamp::from_nanoseconds(self.nanoseconds).format(format, Some(&name), LocalOffset::UTC))
    }

    /// The nanoseconds of the second.
    pub(super) fn fraction(&self) -> i128 {
        self.nanoseconds.rem_euclid(SECOND)
    }

    pub(super) fn seconds(&self) -> i128 {
        self.nanoseconds.div_euclid(SECOND)
    }

    pub(super) fn to_float(self) -> f64 {
        float_seconds(self.nanoseconds)
    }

    /// The text of `to_s`.
    pub(super) fn text(&self) -> Option<Result<String, TimeError>> {
        self.format(if self.zone == Zone::Utc { "%Y-%m-%d %H:%M:%S UTC" } else { "%Y-%m-%d %H:%M:%S %z" })
    }

    /// The text of `inspect`, which has the fraction of the second.
    pub(super) fn inspected(&self) -> Option<Result<String, TimeError>> {
        let fraction = match self.fraction() {
            0 => String::new(),
            fraction => format!(".{}", format!("{fraction:09}").trim_end_matches('0')),
        };
        let zone = if self.zone == Zone::Utc { "UTC" } else { "%z" };
        self.format(&format!("%Y-%m-%d %H:%M:%S{fraction} {zone}"))
    }

    /// The time in ISO 8601, with this many digits of the fraction.
    pub(super) fn iso8601(&self, digits: usize) -> Option<Result<String, TimeError>> {
        let fraction = if digits == 0 { String::new() } else { format!(".%{digits}N") };
        let zone = if self.zone == Zone::Utc { "Z" } else { "%:z" };
        self.format(&format!("%Y-%m-%dT%H:%M:%S{fraction}{zone}"))
    }

    /// The time rounded to this many digits of the fraction, halves up.
    pub(super) fn rounded(self, digits: u32) -> Moment {
        let unit = 10_i128.pow(9 - digits.min(9));
        let nanoseconds = (self.nanoseconds + unit / 2).div_euclid(unit) * unit;
        Moment { nanoseconds, ..self }
    }
}

/// Nanoseconds as seconds. Ruby rounds twice, before the division and after it.
pub(super) fn float_seconds(nanoseconds: i128) -> f64 {
    match nanoseconds % SECOND {
        0 => (nanoseconds / SECOND) as f64,
        _ => nanoseconds as f64 / 1e9,
    }
}

/// Converts seconds to nanoseconds, if that is a whole number. The float is taken exactly.
pub(super) fn nanoseconds_of_float(seconds: f64) -> Option<i128> {
    let whole = seconds.trunc();
    if whole.abs() >= 1e18 || !seconds.is_finite() {
        return None;
    }
    // The fraction of a float is exact; multiplied by a power of two it stays so.
    let scaled = (seconds - whole) * 512.0;
    (scaled == scaled.trunc()).then(|| whole as i128 * SECOND + scaled as i128 * (SECOND / 512))
}

fn offset_text(seconds: i32, colon: &str) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.unsigned_abs() / 60;
    format!("{sign}{:02}{colon}{:02}", minutes / 60, minutes % 60)
}

/// The reason why a text is not a zone.
pub(super) enum ZoneFault {
    /// The text does not look like one.
    Form,
    /// The offset is a day or more.
    Range,
    /// A form that is not implemented.
    Unsupported,
}

/// The zone that a text names: `+09:00`, `-0230`, `UTC`, `Z`, a letter.
pub(super) fn parse_zone(text: &str) -> Result<Zone, ZoneFault> {
    if matches!(text, "UTC" | "Z" | "-00:00") {
        return Ok(Zone::Utc);
    }
    let (sign, rest) = match text.split_at_checked(1) {
        Some(("+", rest)) => (1, rest),
        Some(("-", rest)) => (-1, rest),
        Some((letter, "")) if letter.chars().all(|it| it.is_ascii_uppercase() && it != 'J') => {
            return Err(ZoneFault::Unsupported);
        }
        _ => return Err(ZoneFault::Form),
    };
    let digits: Vec<&str> = match (rest.len(), rest.contains(':')) {
        (2, false) => vec![rest],
        (4 | 6, false) => return Err(ZoneFault::Unsupported),
        (5 | 8, true) => rest.split(':').collect(),
        _ => return Err(ZoneFault::Form),
    };
    let numbers: Option<Vec<i32>> = digits
        .iter()
        .map(|it| {
            Some(*it).filter(|it| it.len() == 2 && it.bytes().all(|it| it.is_ascii_digit()))?.parse().ok()
        })
        .collect();
    let Some(numbers) = numbers else { return Err(ZoneFault::Form) };
    let part = |index: usize| numbers.get(index).copied().unwrap_or(0);
    if part(0) > 23 || part(1) > 59 {
        return Err(ZoneFault::Range);
    }
    if part(2) != 0 {
        return Err(ZoneFault::Unsupported);
    }
    Ok(Zone::Offset(sign * (part(0) * 3600 + part(1) * 60)))
}

/// The number of days from 1970 to a date of the Gregorian calendar. Days beyond the end of the month are allowed.
pub(super) fn days_from_date(year: i128, month: i128, day: i128) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}
