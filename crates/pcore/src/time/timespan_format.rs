//! Formats of timespans: compiled once, then used to format and parse.

use super::timespan_match::{self, Span};
use super::{
    LONGEST_TEXT, NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND,
    TimeError, Timespan,
};
use crate::dialect::{Fractions, LesserUnits, Texts};

/// A compiled format of a timespan.
///
/// Directives are `%`, a flag (`-` no padding, `_` blanks, `0` zeros), a width, and one of
///
/// | | |
/// |---|---|
/// | `D` | days |
/// | `H` | hours of the day |
/// | `M` | minutes of the hour |
/// | `S` | seconds of the minute |
/// | `L` | milliseconds of the second |
/// | `N` | fraction of the second, 9 digits or as many as the width |
/// | `%` | a percent sign |
///
/// The first directive of the largest unit takes everything that the smaller ones leave, however large. The meaning of
/// `L` and `N` depends on the dialect ([`Fractions`]). In that of the reference, both are fractions: they lose their
/// trailing zeros unless padded with zeros, and are padded with blanks on the right. (In output, they also lose their
/// leading zeros: that is the language's behavior.)
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimespanFormat {
    text: String,
    segments: Vec<Segment>,
    lesser_units: LesserUnits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Literal(String),
    Value(Value),
}

/// A directive that writes a part of a timespan.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    unit: Unit,
    padding: Padding,
    width: Option<u32>,
    fractions: Fractions,
    /// Whether it has the whole timespan, rather than the part beyond the next larger unit.
    total: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Padding {
    None,
    Blanks,
    Noughts,
}

/// The meaning of a directive's digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// A number of its unit.
    Number,
    /// A fraction without trailing zeros and, in output, without leading ones.
    Beginning,
    /// A fraction with all its places.
    Places,
}

/// The number of digits of a second's nanoseconds.
const NANOSECOND_DIGITS: u32 = 9;

/// The units, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Nanoseconds,
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Days,
}

impl TimespanFormat {
    /// The formats that are tried by default. The first is the one in which timespans are shown.
    pub const DEFAULTS: [&'static str; 8] = [
        "%D-%H:%M:%S.%-N",
        "%H:%M:%S.%-N",
        "%M:%S.%-N",
        "%S.%-N",
        "%D-%H:%M:%S",
        "%H:%M:%S",
        "%D-%H:%M",
        "%S",
    ];

    /// The maximum width of a directive.
    const GREATEST_WIDTH: u32 = 100_000;

    /// Compiles a format for the dialect of `texts`.
    ///
    /// # Errors
    /// [`TimeError::BadDirective`], [`TimeError::TooWide`].
    pub fn new(texts: &Texts, text: &str) -> Result<Self, TimeError> {
        let mut segments = Vec::new();
        let mut characters = text.chars().enumerate();
        while let Some((start, character)) = characters.next() {
            if character != '%' {
                push_literal(&mut segments, character);
                continue;
            }
            match Self::directive(texts, text, start, &mut characters)? {
                Some(value) => segments.push(Segment::Value(value)),
                None => push_literal(&mut segments, '%'),
            }
        }
        mark_total(&mut segments);
        Ok(TimespanFormat { text: text.to_owned(), segments, lesser_units: texts.lesser_units })
    }

    /// Parses the rest of a directive whose percent sign is at `start`. `None` for a literal percent sign.
    fn directive(
        texts: &Texts,
        text: &str,
        start: usize,
        characters: &mut impl Iterator<Item = (usize, char)>,
    ) -> Result<Option<Value>, TimeError> {
        let bad = |position: usize| TimeError::BadDirective {
            directive: text.chars().skip(start).take(position - start).collect(),
            format: text.to_owned(),
            position,
        };
        let mut padding = Padding::Noughts;
        let mut width = None;
        let mut last = start;
        for (position, character) in characters {
            let first = position == start + 1;
            last = position;
            let unit = match character {
                '%' => return Ok(None),
                '-' if first => {
                    padding = Padding::None;
                    continue;
                }
                '_' if first => {
                    padding = Padding::Blanks;
                    continue;
                }
                '0' if first => continue,
                '0'..='9' => {
                    let digit = character as u32 - '0' as u32;
                    width = Some(
                        width.map_or(digit, |width: u32| width.saturating_mul(10).saturating_add(digit)),
                    );
                    continue;
                }
                'D' => Unit::Days,
                'H' => Unit::Hours,
                'M' => Unit::Minutes,
                'S' => Unit::Seconds,
                'L' => Unit::Milliseconds,
                'N' => Unit::Nanoseconds,
                _ => return Err(bad(position)),
            };
            if width.is_some_and(|width| width > Self::GREATEST_WIDTH) {
                return Err(TimeError::TooWide { format: text.to_owned(), limit: Self::GREATEST_WIDTH });
            }
            return Ok(Some(Value { unit, padding, width, fractions: texts.fractions, total: false }));
        }
        Err(bad(last))
    }

    /// Returns the format as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Formats a timespan. A negative one begins with a minus sign, whatever the format begins with.
    ///
    /// # Errors
    /// [`TimeError::TooLong`] if widths request megabytes.
    pub fn format(&self, timespan: Timespan) -> Result<String, TimeError> {
        let mut out = String::new();
        if timespan.is_negative() {
            out.push('-');
        }
        for segment in &self.segments {
            match segment {
                Segment::Literal(literal) => out.push_str(literal),
                Segment::Value(value) => value.write(timespan, &mut out),
            }
            if out.len() > LONGEST_TEXT {
                return Err(TimeError::TooLong);
            }
        }
        Ok(out)
    }

    /// Parses a timespan. All of the text must match; a leading minus sign negates.
    ///
    /// # Errors
    /// [`TimeError::Mismatch`]; [`TimeError::FractionAlone`] if the largest unit is a fraction;
    /// [`TimeError::Overflow`] and [`TimeError::TooLong`].
    pub fn parse(&self, text: &str) -> Result<Timespan, TimeError> {
        let mismatch = || TimeError::Mismatch { text: text.to_owned(), format: self.text.clone() };
        let spans = self.segments.iter().map(Segment::span).collect::<Vec<_>>();
        let groups = timespan_match::groups(&spans, text)?.ok_or_else(mismatch)?;
        let mut sum = 0i128;
        for (segment, group) in self.segments.iter().zip(groups) {
            let Segment::Value(value) = segment else { continue };
            let digits = group
                .trim_start_matches(|blank: char| blank.is_ascii() && timespan_match::is_blank(blank as u8));
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(mismatch());
            }
            let time = value.read(digits)?;
            if self.lesser_units == LesserUnits::WithinTheNext && value.exceeds_the_next(time) {
                return Err(mismatch());
            }
            sum = sum.checked_add(time).ok_or(TimeError::Overflow)?;
        }
        Ok(Timespan::from_nanoseconds(if text.starts_with('-') { -sum } else { sum }))
    }
}

fn push_literal(segments: &mut Vec<Segment>, character: char) {
    if let Some(Segment::Literal(literal)) = segments.last_mut() {
        literal.push(character);
    } else {
        segments.push(Segment::Literal(character.to_string()));
    }
}

/// Marks the first directive of the largest unit as the one that takes the total.
fn mark_total(segments: &mut [Segment]) {
    let values = segments.iter_mut().filter_map(|segment| match segment {
        Segment::Value(value) => Some(value),
        Segment::Literal(_) => None,
    });
    // Of equals, `max_by_key` returns the last one: hence from the end.
    if let Some(greatest) = values.rev().max_by_key(|value| value.unit) {
        greatest.total = true;
    }
}

impl Segment {
    /// Returns the texts that it can match.
    fn span(&self) -> Span<'_> {
        match self {
            Segment::Literal(literal) => Span::Literal(literal.as_bytes()),
            Segment::Value(value) => value.span(),
        }
    }
}

impl Value {
    fn default_width(&self) -> u32 {
        match self.unit {
            Unit::Days => 1,
            Unit::Hours | Unit::Minutes | Unit::Seconds => 2,
            Unit::Milliseconds => 3,
            Unit::Nanoseconds => NANOSECOND_DIGITS,
        }
    }

    fn width(&self) -> usize {
        self.width.unwrap_or(self.default_width()) as usize
    }

    /// Returns the meaning of its digits.
    fn digits(&self) -> Digits {
        match (self.fractions, self.unit) {
            (Fractions::Beginnings, Unit::Milliseconds | Unit::Nanoseconds) => Digits::Beginning,
            (Fractions::Places, Unit::Nanoseconds) if !self.total => Digits::Places,
            _ => Digits::Number,
        }
    }

    fn write(&self, timespan: Timespan, out: &mut String) {
        let count = self.count(timespan);
        let digits = match self.digits() {
            Digits::Number => count.to_string(),
            Digits::Beginning if self.total || self.padding == Padding::Noughts => count.to_string(),
            Digits::Beginning => without_noughts_at_the_end(&count.to_string()),
            Digits::Places => self.places(count),
        };
        let missing =
            if self.padding == Padding::None { 0 } else { self.width().saturating_sub(digits.len()) };
        let fill = |filler: char| std::iter::repeat_n(filler, missing);
        match (self.digits(), self.padding) {
            (Digits::Beginning, _) => {
                out.push_str(&digits);
                out.extend(fill(' '));
            }
            (_, Padding::Noughts) => {
                out.extend(fill('0'));
                out.push_str(&digits);
            }
            _ => {
                out.extend(fill(' '));
                out.push_str(&digits);
            }
        }
    }

    /// Returns the places of a fraction, without leading padding.
    fn places(&self, count: u128) -> String {
        let width = self.width();
        let known = width.min(NANOSECOND_DIGITS as usize);
        let places = format!("{count:0>known$}");
        if self.padding == Padding::None {
            return without_noughts_at_the_end(&places);
        }
        // Digits beyond nanoseconds are zero.
        let places = format!("{places:0<width$}");
        match places.find(|digit| digit != '0') {
            Some(first) => places[first..].to_owned(),
            None => "0".to_owned(),
        }
    }

    /// Returns the number of this unit to format.
    fn count(&self, timespan: Timespan) -> u128 {
        let (unit, per_next) = match self.unit {
            Unit::Days => return timespan.days(),
            Unit::Hours => (NANOSECONDS_PER_HOUR, 24),
            Unit::Minutes => (NANOSECONDS_PER_MINUTE, 60),
            Unit::Seconds => (NANOSECONDS_PER_SECOND, 60),
            Unit::Milliseconds => (1_000_000, 1_000),
            Unit::Nanoseconds => {
                let digits = self.width.unwrap_or(NANOSECOND_DIGITS).min(NANOSECOND_DIGITS);
                (10i128.pow(NANOSECOND_DIGITS - digits), 10u128.pow(digits))
            }
        };
        if self.total { timespan.total(unit) } else { timespan.part(unit, per_next) }
    }

    fn span(&self) -> Span<'static> {
        let blanks = self.padding == Padding::Blanks;
        match self.width {
            Some(width) => {
                let width = width as usize;
                let least = if self.padding == Padding::None { 1 } else { width };
                Span::Digits { blanks, least, most: width }
            }
            None if self.total && blanks => Span::BlanksThenDigits,
            None if self.total => Span::Digits { blanks: false, least: 1, most: usize::MAX },
            None => Span::Digits { blanks, least: 1, most: self.default_width() as usize },
        }
    }

    /// Returns the nanoseconds that these digits denote.
    fn read(&self, digits: &str) -> Result<i128, TimeError> {
        let unit = match (self.unit, self.digits()) {
            (Unit::Days, _) => NANOSECONDS_PER_DAY,
            (Unit::Hours, _) => NANOSECONDS_PER_HOUR,
            (Unit::Minutes, _) => NANOSECONDS_PER_MINUTE,
            (Unit::Seconds, _) => NANOSECONDS_PER_SECOND,
            (_, Digits::Beginning) if self.total => return Err(TimeError::FractionAlone),
            // More than nine digits are nanoseconds as they are.
            (_, Digits::Beginning) => 10i128.pow(NANOSECOND_DIGITS.saturating_sub(digits.len() as u32)),
            (_, Digits::Places) => return self.read_places(digits),
            (Unit::Milliseconds, Digits::Number) => 1_000_000,
            (Unit::Nanoseconds, Digits::Number) => {
                10i128.pow(NANOSECOND_DIGITS.saturating_sub(self.width.unwrap_or(NANOSECOND_DIGITS)))
            }
        };
        digits.parse::<i128>().ok().and_then(|count| count.checked_mul(unit)).ok_or(TimeError::Overflow)
    }

    /// Returns the nanoseconds that these places of a fraction denote; further digits are truncated.
    fn read_places(&self, digits: &str) -> Result<i128, TimeError> {
        let before = if self.padding == Padding::None { 0 } else { self.width() };
        let places = format!("{:0<9}", format!("{digits:0>before$}"));
        places[..NANOSECOND_DIGITS as usize].parse().map_err(|_| TimeError::Overflow)
    }

    /// Whether the nanoseconds exceed the range of this directive next to a larger one.
    fn exceeds_the_next(&self, nanoseconds: i128) -> bool {
        let next = match self.unit {
            _ if self.total => return false,
            Unit::Days => return false,
            Unit::Hours => NANOSECONDS_PER_DAY,
            Unit::Minutes => NANOSECONDS_PER_HOUR,
            Unit::Seconds => NANOSECONDS_PER_MINUTE,
            Unit::Milliseconds | Unit::Nanoseconds => NANOSECONDS_PER_SECOND,
        };
        nanoseconds >= next
    }
}

/// Removes trailing zeros; one digit is kept.
fn without_noughts_at_the_end(digits: &str) -> String {
    let (first, rest) = digits.split_at(1);
    format!("{first}{}", rest.trim_end_matches('0'))
}
