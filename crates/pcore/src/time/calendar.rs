//! Dates and times of day of an instant, in any year.
//!
//! jiff supports the years from -9999 to 9999; a 128-bit timestamp, like Ruby's, has a wider range. The Gregorian
//! calendar repeats after 400 years, including weekdays, so any year is computed as one from 1970 to 2369.

use jiff::civil::{Date, ISOWeekDate, Weekday};
use jiff::fmt::strtime::BrokenDownTime;

use super::{NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND};

const CYCLE_YEARS: i128 = 400;
const CYCLE_DAYS: i128 = 146_097;
const EPOCH: Date = Date::constant(1970, 1, 1);
const EPOCH_YEAR: i128 = 1970;

/// The names of months; their first three letters are their short names.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The names of the days of the week; their first three letters are their short names.
pub(super) const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// Date and time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i128,
    /// The month, from 1 to 12.
    pub(super) month: u8,
    /// The day of the month, from 1 to 31.
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    pub(super) nanosecond: u32,
    /// The day of the week; 0 is Sunday.
    pub(super) weekday: u8,
    /// The day of the year, from 1 to 366.
    pub(super) day_of_year: u16,
    /// The year that the ISO 8601 week belongs to.
    pub(super) week_year: i128,
    /// The ISO 8601 week, 1 to 53.
    pub(super) week: u8,
}

impl Civil {
    /// The date and time that many nanoseconds after the beginning of 1970, on the same clock.
    pub(super) fn from_nanoseconds(nanoseconds: i128) -> Self {
        let days = nanoseconds.div_euclid(NANOSECONDS_PER_DAY);
        let time = nanoseconds.rem_euclid(NANOSECONDS_PER_DAY);
        let years = days.div_euclid(CYCLE_DAYS) * CYCLE_YEARS;
        let date = EPOCH.saturating_add(jiff::Span::new().days(days.rem_euclid(CYCLE_DAYS) as i64));
        let week = date.iso_week_date();
        Civil {
            year: i128::from(date.year()) + years,
            month: date.month() as u8,
            day: date.day() as u8,
            hour: (time / NANOSECONDS_PER_HOUR) as u8,
            minute: (time / NANOSECONDS_PER_MINUTE % 60) as u8,
            second: (time / NANOSECONDS_PER_SECOND % 60) as u8,
            nanosecond: (time % NANOSECONDS_PER_SECOND) as u32,
            weekday: date.weekday().to_sunday_zero_offset() as u8,
            day_of_year: date.day_of_year() as u16,
            week_year: i128::from(week.year()) + years,
            week: week.week() as u8,
        }
    }

    /// Returns the week of the year if weeks begin on Sunday; the days before the first Sunday are in week 0.
    pub(super) fn week_from_sunday(&self) -> u16 {
        (self.day_of_year + 6 - u16::from(self.weekday)) / 7
    }

    /// Returns the week of the year if weeks begin on Monday; the days before the first Monday are in week 0.
    pub(super) fn week_from_monday(&self) -> u16 {
        (self.day_of_year + 6 - u16::from((self.weekday + 6) % 7)) / 7
    }
}

/// Returns the nanoseconds from the beginning of 1970 to the beginning of a day. A day beyond the end of its month continues into
/// the next one. `None` on overflow, or if the month doesn't exist.
pub(super) fn midnight(year: i128, month: u8, day: u8) -> Option<i128> {
    let near = NearYear::of(year)?;
    let first = near.midnight(Date::new(near.year, i8::try_from(month).ok()?, 1).ok()?)?;
    first.checked_add((i128::from(day) - 1) * NANOSECONDS_PER_DAY)
}

/// A year in the range of jiff that has the same calendar as another year.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearYear {
    year: i16,
    /// The number of 400-year cycles up to the other year.
    cycles: i128,
}

impl NearYear {
    /// Returns the corresponding year. `None` for years beyond all bounds.
    pub(super) fn of(year: i128) -> Option<NearYear> {
        let since_epoch = year.checked_sub(EPOCH_YEAR)?;
        let near = i16::try_from(EPOCH_YEAR + since_epoch.rem_euclid(CYCLE_YEARS)).ok()?;
        Some(NearYear { year: near, cycles: since_epoch.div_euclid(CYCLE_YEARS) })
    }

    /// Returns the nanoseconds from the beginning of 1970 to the beginning of the corresponding day in the other year.
    /// `None` on overflow.
    pub(super) fn midnight(self, date: Date) -> Option<i128> {
        let days = i128::from(EPOCH.until(date).ok()?.get_days());
        self.cycles.checked_mul(CYCLE_DAYS)?.checked_add(days)?.checked_mul(NANOSECONDS_PER_DAY)
    }

    /// Returns a day of the year, the first of January being 1. `None` if the year has no such day.
    pub(super) fn day(self, day: u16) -> Option<Date> {
        let first = Date::new(self.year, 1, 1).ok()?;
        first.with().day_of_year(i16::try_from(day).ok()?).build().ok()
    }

    /// Returns a day of an ISO 8601 week, 0 being Sunday; Monday by default. `None` if the year has no such week.
    pub(super) fn day_of_iso_week(self, week: u8, weekday: Option<u8>) -> Option<Date> {
        let weekday = weekday.map_or(Some(Weekday::Monday), from_sunday)?;
        ISOWeekDate::new(self.year, i8::try_from(week).ok()?, weekday).map(ISOWeekDate::date).ok()
    }

    /// Returns a day of a week of the year, 0 being Sunday; by default, the first one in the year. The days before the
    /// first week are in week 0. `None` if the week has no such day in the year.
    pub(super) fn day_of_week(self, weeks: Weeks, week: u8, weekday: Option<u8>) -> Option<Date> {
        let weekday = match (weekday, weeks) {
            (Some(weekday), _) => from_sunday(weekday)?,
            (None, _) if week == 0 => return self.day(1),
            (None, Weeks::FromSunday) => Weekday::Sunday,
            (None, Weeks::FromMonday) => Weekday::Monday,
        };
        let mut parts = BrokenDownTime::default();
        parts.set_year(Some(self.year)).ok()?;
        parts.set_weekday(Some(weekday));
        let week = Some(i8::try_from(week).ok()?);
        match weeks {
            Weeks::FromSunday => parts.set_sunday_based_week(week).ok()?,
            Weeks::FromMonday => parts.set_monday_based_week(week).ok()?,
        }
        parts.to_date().ok()
    }
}

/// The numbering of weeks, which begin with the first Sunday or Monday of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weeks {
    FromSunday,
    FromMonday,
}

fn from_sunday(weekday: u8) -> Option<Weekday> {
    Weekday::from_sunday_zero_offset(i8::try_from(weekday).ok()?).ok()
}
