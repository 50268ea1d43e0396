//! Parses timestamps: selects the format, and combines the parsed parts to an instant.

use super::calendar::{NearYear, Weeks, midnight};
use super::strptime::{self, Fraction, Parsed};
use super::zone::{self, LocalOffset};
use super::{
    Formats, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND, TimeError, Timestamp,
};
use crate::dialect::{Days, Texts};

/// See [`Timestamp::parse`].
pub(super) fn parse(
    texts: &Texts,
    text: &str,
    formats: Formats<'_>,
    timezone: Option<&str>,
    local: LocalOffset,
) -> Result<Timestamp, TimeError> {
    let (format, parsed) = match formats {
        Formats::One(format) => (format, parse_with_one(text, format, timezone)?),
        Formats::AnyOf(formats) => parse_with_any(text, formats, timezone)?,
        Formats::Default if timezone.is_some() => {
            parse_with_any(text, texts.timestamp_formats.without_zone, timezone)?
        }
        Formats::Default => parse_with_any(text, texts.timestamp_formats.all, timezone)?,
    };
    let read = Read { parsed: &parsed, text, format };
    let (time, everywhere) = match (texts.days, parsed.epoch_seconds) {
        (Days::All, Some(seconds)) => (read.after_epoch(seconds)?, true),
        (Days::All, None) => (read.on_day(Read::midnight_of_any_day)?, false),
        (Days::OfMonths, _) => (read.on_day(Read::midnight_of_month_day)?, false),
    };
    let offset = match timezone.or(parsed.zone.as_deref()) {
        Some(name) => zone::offset_of(name, local)?.nanoseconds,
        None => 0,
    };
    time.checked_sub(if everywhere { 0 } else { offset })
        .map(Timestamp::from_nanoseconds)
        .ok_or(TimeError::Overflow)
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

/// With several formats, one that parses a zone doesn't match if a zone is given.
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

/// The parts that were parsed from a text, to be combined to an instant.
struct Read<'t> {
    parsed: &'t Parsed,
    text: &'t str,
    format: &'t str,
}

impl Read<'_> {
    fn no_year(&self) -> TimeError {
        TimeError::NoYear { text: self.text.to_owned(), format: self.format.to_owned() }
    }

    fn out_of_range(&self, part: &'static str) -> TimeError {
        TimeError::OutOfRange { part, text: self.text.to_owned() }
    }

    fn fraction(&self) -> Result<i128, TimeError> {
        match self.parsed.fraction {
            Some(Fraction { negative: true, .. }) => Err(self.out_of_range("subsec")),
            Some(fraction) => Ok(i128::from(fraction.nanoseconds)),
            None => Ok(0),
        }
    }

    /// Returns the nanoseconds since the epoch, from seconds and the fraction.
    fn after_epoch(&self, seconds: i128) -> Result<i128, TimeError> {
        let nanoseconds = seconds.checked_mul(NANOSECONDS_PER_SECOND).ok_or(TimeError::Overflow)?;
        nanoseconds.checked_add(self.fraction()?).ok_or(TimeError::Overflow)
    }

    /// Returns the nanoseconds since the epoch of the time of day, on the day that `midnight` finds, if the text is in UTC.
    fn on_day(&self, midnight: fn(&Self) -> Result<i128, TimeError>) -> Result<i128, TimeError> {
        // The reference checks first whether there is a year.
        if self.parsed.year.is_none() && self.parsed.week_year.is_none() {
            return Err(self.no_year());
        }
        let time = self.time_of_day()?;
        midnight(self)?.checked_add(time).ok_or(TimeError::Overflow)
    }

    /// Returns the nanoseconds since midnight.
    fn time_of_day(&self) -> Result<i128, TimeError> {
        let Parsed { hour, minute, second, .. } = self.parsed;
        let (hour, minute, second) = (hour.unwrap_or(0), minute.unwrap_or(0), second.unwrap_or(0));
        // Hour 24 is the end of the day, with nothing after it. Second 60 is the beginning of the next minute.
        match (hour, minute, second) {
            (24, 1.., _) => return Err(self.out_of_range("min")),
            (24, _, 1..) => return Err(self.out_of_range("sec")),
            _ => {}
        }
        Ok(i128::from(hour) * NANOSECONDS_PER_HOUR
            + i128::from(minute) * NANOSECONDS_PER_MINUTE
            + i128::from(second) * NANOSECONDS_PER_SECOND
            + self.fraction()?)
    }

    /// Returns the midnight, in nanoseconds since the epoch, that starts the day given by year, month and day of the month.
    fn midnight_of_month_day(&self) -> Result<i128, TimeError> {
        let year = self.parsed.year.ok_or_else(|| self.no_year())?;
        midnight(year, self.parsed.month.unwrap_or(1), self.parsed.day.unwrap_or(1))
            .ok_or(TimeError::Overflow)
    }

    /// Like [`Self::midnight_of_month_day`], for the day given by any parts: the month, the day of the year, the ISO
    /// 8601 week or the week of the year, whichever is present first in this order.
    fn midnight_of_any_day(&self) -> Result<i128, TimeError> {
        let Parsed {
            year, day_of_year, week_year, week, week_from_sunday, week_from_monday, weekday, ..
        } = *self.parsed;
        let of = |year| NearYear::of(year).ok_or(TimeError::Overflow);
        let (near, day) = match (year, day_of_year, week_year) {
            (Some(_), ..) if self.parsed.month.is_some() || self.parsed.day.is_some() => {
                return self.midnight_of_month_day();
            }
            (Some(year), Some(day), _) => (of(year)?, of(year)?.day(day)),
            (_, _, Some(year)) => (of(year)?, of(year)?.day_of_iso_week(week.unwrap_or(1), weekday)),
            (Some(year), ..) => {
                let near = of(year)?;
                let day = match (week_from_sunday, week_from_monday) {
                    (Some(week), _) => near.day_of_week(Weeks::FromSunday, week, weekday),
                    (None, Some(week)) => near.day_of_week(Weeks::FromMonday, week, weekday),
                    (None, None) => near.day(1),
                };
                (near, day)
            }
            (None, _, None) => return Err(self.no_year()),
        };
        near.midnight(day.ok_or_else(|| self.out_of_range("day"))?).ok_or(TimeError::Overflow)
    }
}
