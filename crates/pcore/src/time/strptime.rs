//! Parses a date and time like Ruby's `DateTime._strptime`.
//!
//! Flags and widths aren't supported here, an unknown directive is literal, and white space in the format matches any
//! white space, or none. The maximum number of digits of a number depends on whether digits follow it.

use super::calendar::{MONTHS, WEEKDAYS};
use super::{TimeError, zone};

/// The parts of a time that a text contains. Missing ones are `None`.
///
/// Not all dialects use days of the year, weeks, weekdays and seconds since the epoch, but all require them to be
/// well-formed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parsed {
    pub(super) year: Option<i128>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
    pub(super) day_of_year: Option<u16>,
    /// The year that ISO 8601 weeks belong to.
    pub(super) week_year: Option<i128>,
    /// The ISO 8601 week.
    pub(super) week: Option<u8>,
    /// The week of the year when weeks begin on Sunday.
    pub(super) week_from_sunday: Option<u8>,
    /// The week of the year when weeks begin on Monday.
    pub(super) week_from_monday: Option<u8>,
    /// The day of the week; 0 is Sunday.
    pub(super) weekday: Option<u8>,
    pub(super) epoch_seconds: Option<i128>,
    pub(super) hour: Option<u8>,
    pub(super) minute: Option<u8>,
    pub(super) second: Option<u8>,
    pub(super) fraction: Option<Fraction>,
    /// The zone as written, known or not.
    pub(super) zone: Option<String>,
    century: Option<i128>,
    /// 0 or 12 hours.
    meridian: Option<u8>,
    overflow: bool,
}

/// A fraction of a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fraction {
    pub(super) nanoseconds: u32,
    /// Whether it is negative, even by less than a nanosecond.
    pub(super) negative: bool,
}

/// Parses all of `text` with `format`. `None` if it doesn't match.
///
/// # Errors
/// [`TimeError::Overflow`] if it matches, but the year has too many digits.
pub(super) fn parse(text: &str, format: &str) -> Result<Option<Parsed>, TimeError> {
    let mut reader = Reader { text: text.as_bytes(), place: 0, parsed: Parsed::default() };
    if reader.read(format.as_bytes()).is_none() || reader.place < reader.text.len() {
        return Ok(None);
    }
    let mut parsed = reader.parsed;
    if let (Some(year), Some(century)) = (parsed.year, parsed.century) {
        let years = century.checked_mul(100).and_then(|years| years.checked_add(year));
        parsed.overflow |= years.is_none();
        parsed.year = years;
    }
    if let (Some(year), Some(century)) = (parsed.week_year, parsed.century) {
        parsed.week_year = Some(century.saturating_mul(100).saturating_add(year));
    }
    if let (Some(hour), Some(meridian)) = (parsed.hour, parsed.meridian) {
        parsed.hour = Some(hour % 12 + meridian);
    }
    if parsed.overflow {
        return Err(TimeError::Overflow);
    }
    Ok(Some(parsed))
}

struct Reader<'t> {
    text: &'t [u8],
    place: usize,
    parsed: Parsed,
}

impl Reader<'_> {
    /// Parses with a format; `None` as soon as something doesn't match.
    fn read(&mut self, format: &[u8]) -> Option<()> {
        let mut index = 0;
        while let Some(&byte) = format.get(index) {
            index += 1;
            match byte {
                b'%' => {
                    let (conversion, length) = conversion(&format[index..])?;
                    index += length;
                    let digits_follow = begins_with_digits(&format[index..]);
                    match conversion {
                        Some(conversion) => self.directive(conversion, digits_follow)?,
                        None => self.literal(b'%')?,
                    }
                }
                b' ' | b'\t'..=b'\r' => {
                    while self.peek().is_some_and(|byte| matches!(byte, b' ' | b'\t'..=b'\r')) {
                        self.place += 1;
                    }
                }
                _ => self.literal(byte)?,
            }
        }
        Some(())
    }

    fn directive(&mut self, conversion: u8, digits_follow: bool) -> Option<()> {
        let unless_followed = |digits: usize| if digits_follow { digits } else { usize::MAX };
        match conversion {
            b'Y' => {
                let negative = self.sign() == Some(b'-');
                let year = self.long_number(unless_followed(4))?;
                self.parsed.year = Some(if negative { -year } else { year });
            }
            b'y' => {
                let year = self.number(2, 0..=99)?;
                self.parsed.year = Some(i128::from(year));
                self.guess_century(year);
            }
            b'C' => self.parsed.century = Some(self.long_number(unless_followed(2))?),
            b'G' => self.parsed.week_year = Some(self.saturated_number(unless_followed(4))?),
            b'g' => {
                let year = self.number(2, 0..=99)?;
                self.parsed.week_year = Some(i128::from(year));
                self.guess_century(year);
            }
            b'm' => self.parsed.month = Some(self.number(2, 1..=12)?),
            b'B' | b'b' | b'h' => self.parsed.month = Some(self.name(&MONTHS)? + 1),
            b'd' | b'e' => self.parsed.day = Some(self.padded_number(1..=31)?),
            b'H' | b'k' => self.parsed.hour = Some(self.padded_number(0..=24)?),
            b'I' | b'l' => self.parsed.hour = Some(self.padded_number(1..=12)?),
            b'M' => self.parsed.minute = Some(self.number(2, 0..=59)?),
            b'S' => self.parsed.second = Some(self.number(2, 0..=60)?),
            b'L' => self.parsed.fraction = Some(self.fraction(unless_followed(3))?),
            b'N' => self.parsed.fraction = Some(self.fraction(unless_followed(9))?),
            b'P' | b'p' => self.parsed.meridian = Some(self.meridian()?),
            b'Z' | b'z' => self.zone()?,
            b'A' | b'a' => self.parsed.weekday = Some(self.name(&WEEKDAYS)?),
            b'U' => self.parsed.week_from_sunday = Some(self.number(2, 0..=53)?),
            b'W' => self.parsed.week_from_monday = Some(self.number(2, 0..=53)?),
            b'V' => self.parsed.week = Some(self.number(2, 1..=53)?),
            b'u' => self.parsed.weekday = Some(self.number(1, 1..=7)? % 7),
            b'w' => self.parsed.weekday = Some(self.number(1, 0..=6)?),
            b'j' => self.parsed.day_of_year = Some(self.day_of_year()?),
            b's' => self.parsed.epoch_seconds = Some(self.negative_or_not()?),
            b'Q' => drop(self.negative_or_not()?),
            b'c' => self.read(b"%a %b %e %H:%M:%S %Y")?,
            b'D' | b'x' => self.read(b"%m/%d/%y")?,
            b'F' => self.read(b"%Y-%m-%d")?,
            b'R' => self.read(b"%H:%M")?,
            b'r' => self.read(b"%I:%M:%S %p")?,
            b'T' | b'X' => self.read(b"%H:%M:%S")?,
            b'v' => self.read(b"%e-%b-%Y")?,
            b'+' => self.read(b"%a %b %e %H:%M:%S %Z %Y")?,
            b'n' | b't' => self.read(b" ")?,
            b'%' => self.literal(b'%')?,
            _ => {
                self.literal(b'%')?;
                self.literal(conversion)?;
            }
        }
        Some(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.place).copied()
    }

    fn literal(&mut self, byte: u8) -> Option<()> {
        if self.peek()? != byte {
            return None;
        }
        self.place += 1;
        Some(())
    }

    fn sign(&mut self) -> Option<u8> {
        let sign = self.peek().filter(|byte| matches!(byte, b'-' | b'+'));
        self.place += usize::from(sign.is_some());
        sign
    }

    /// Parses at least one and at most `most` digits.
    fn digits(&mut self, most: usize) -> Option<&str> {
        let rest = &self.text[self.place..];
        let length = rest.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        self.place += length;
        std::str::from_utf8(&rest[..length]).ok().filter(|digits| !digits.is_empty())
    }

    /// Parses a number of any size. An overflow saturates: only callers that need the exact number must handle it.
    fn saturated_number(&mut self, most: usize) -> Option<i128> {
        Some(self.digits(most)?.parse().unwrap_or(i128::MAX))
    }

    /// Parses a number of any size, saturating, with an optional minus sign.
    fn negative_or_not(&mut self) -> Option<i128> {
        let negative = self.peek() == Some(b'-');
        self.place += usize::from(negative);
        let number = self.saturated_number(usize::MAX)?;
        Some(if negative { -number } else { number })
    }

    /// Parses a number of up to two digits within a range.
    fn number(&mut self, most: usize, range: std::ops::RangeInclusive<u8>) -> Option<u8> {
        self.digits(most)?.parse().ok().filter(|number| range.contains(number))
    }

    /// Parses a number of two digits, or a blank and one digit.
    fn padded_number(&mut self, range: std::ops::RangeInclusive<u8>) -> Option<u8> {
        let most = if self.peek() == Some(b' ') { 1 } else { 2 };
        self.place += 2 - most;
        self.number(most, range)
    }

    /// Parses a number of any size. An overflow is recorded rather than reported: the rest of the text may still not match.
    fn long_number(&mut self, most: usize) -> Option<i128> {
        let number = self.digits(most)?.parse().ok();
        self.parsed.overflow |= number.is_none();
        Some(number.unwrap_or(0))
    }

    fn guess_century(&mut self, year: u8) {
        self.parsed.century.get_or_insert(if year >= 69 { 19 } else { 20 });
    }

    fn day_of_year(&mut self) -> Option<u16> {
        self.digits(3)?.parse().ok().filter(|day| (1..=366).contains(day))
    }

    fn fraction(&mut self, most: usize) -> Option<Fraction> {
        let negative = self.sign() == Some(b'-');
        let digits = self.digits(most)?;
        let is_nought = digits.bytes().all(|digit| digit == b'0');
        let nanoseconds = digits.get(..9).unwrap_or(digits);
        let missing = 9 - nanoseconds.len() as u32;
        let nanoseconds = nanoseconds.parse::<u32>().ok()? * 10u32.pow(missing);
        Some(Fraction { nanoseconds, negative: negative && !is_nought })
    }

    /// Parses a name, long or short, and returns its index.
    fn name(&mut self, names: &[&str]) -> Option<u8> {
        let rest = &self.text[self.place..];
        let follows = |name: &str| {
            rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        };
        let long = names.iter().position(|name| follows(name)).map(|index| (index, names[index].len()));
        let (index, length) =
            long.or_else(|| names.iter().position(|name| follows(&name[..3])).map(|index| (index, 3)))?;
        self.place += length;
        u8::try_from(index).ok()
    }

    fn meridian(&mut self) -> Option<u8> {
        let rest = self.text[self.place..].iter().take(4).map(u8::to_ascii_lowercase).collect::<Vec<_>>();
        let (length, hours) = match rest.as_slice() {
            [b'a', b'm', ..] => (2, 0),
            [b'p', b'm', ..] => (2, 12),
            [b'a', b'.', b'm', b'.'] => (4, 0),
            [b'p', b'.', b'm', b'.'] => (4, 12),
            _ => return None,
        };
        self.place += length;
        Some(hours)
    }

    fn zone(&mut self) -> Option<()> {
        let zone = zone::prefix(&self.text[self.place..])?;
        self.place += zone.len();
        self.parsed.zone = Some(zone.to_owned());
        Some(())
    }
}

/// Returns the letter of the directive whose percent sign precedes `format`, and its length in the format. Without a
/// letter, the percent sign is literal. `None` if nothing can match.
fn conversion(format: &[u8]) -> Option<(Option<u8>, usize)> {
    match *format {
        [] => Some((None, 0)),
        [b'E', letter @ (b'c' | b'C' | b'x' | b'X' | b'y' | b'Y'), ..] => Some((Some(letter), 2)),
        [b'O', letter, ..] if b"deHImMSuUVwWy".contains(&letter) => Some((Some(letter), 2)),
        [b'E' | b'O', ..] => Some((None, 0)),
        [b':', b'z', ..] => Some((Some(b'z'), 2)),
        [b':', b':', b'z', ..] => Some((Some(b'z'), 3)),
        [b':', b':', b':', b'z', ..] => Some((Some(b'z'), 4)),
        [b':', ..] => None,
        [letter, ..] => Some((Some(letter), 1)),
    }
}

/// Whether the rest of the format begins with digits in the text.
fn begins_with_digits(format: &[u8]) -> bool {
    let letter = match *format {
        [b'0'..=b'9', ..] => return true,
        [b'%', b'E' | b'O', letter, ..] | [b'%', letter, ..] => letter,
        _ => return false,
    };
    letter.is_ascii_digit() || b"CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(&letter)
}
