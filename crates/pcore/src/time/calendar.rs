//! Dates and times of day of an instant, in any year.
//!
//! jiff knows the years from -9999 to 9999; a 128-bit timestamp, like Ruby's, reaches further. The Gregorian calendar
//! repeats itself after 400 years, weekdays included, so any year is computed as one from 1970 to 2369.

use jiff::civil::Date;

use super::{NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND};

const CYCLE_YEARS: i128 = 400;
const CYCLE_DAYS: i128 = 146_097;
const EPOCH: Date = Date::constant(1970, 1, 1);
const EPOCH_YEAR: i128 = 1970;

/// The months' names; their first three letters are their short names.
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
    /// 1 to 12.
    pub(super) month: u8,
    /// 1 to 31.
    pub(super) day: u8,
    pub(super) hour: u8,
    pub(super) minute: u8,
    pub(super) second: u8,
    pub(super) nanosecond: u32,
    /// 0 is Sunday.
    pub(super) weekday: u8,
    /// 1 to 366.
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

    /// The week of the year when weeks begin on Sunday; what is before the first Sunday is week 0.
    pub(super) fn week_from_sunday(&self) -> u16 {
        (self.day_of_year + 6 - u16::from(self.weekday)) / 7
    }

    /// The week of the year when weeks begin on Monday; what is before the first Monday is week 0.
    pub(super) fn week_from_monday(&self) -> u16 {
        (self.day_of_year + 6 - u16::from((self.weekday + 6) % 7)) / 7
    }
}

/// Nanoseconds from the beginning of 1970 to the beginning of a day. A day beyond the end of its month counts on into
/// the next one. `None` when that overflows, or there is no such month.
pub(super) fn midnight(year: i128, month: u8, day: u8) -> Option<i128> {
    let since_epoch = year.checked_sub(EPOCH_YEAR)?;
    let near = i16::try_from(EPOCH_YEAR + since_epoch.rem_euclid(CYCLE_YEARS)).ok()?;
    let first = Date::new(near, i8::try_from(month).ok()?, 1).ok()?;
    let days = i128::from(EPOCH.until(first).ok()?.get_days()) + i128::from(day) - 1;
    let cycles = since_epoch.div_euclid(CYCLE_YEARS);
    cycles.checked_mul(CYCLE_DAYS)?.checked_add(days)?.checked_mul(NANOSECONDS_PER_DAY)
}
