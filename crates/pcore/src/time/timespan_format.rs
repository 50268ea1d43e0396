//! Formats of a timespan: compiled once, then written and read with.

use super::timespan_match::{self, Span};
use super::{
    LONGEST_TEXT, NANOSECONDS_PER_DAY, NANOSECONDS_PER_HOUR, NANOSECONDS_PER_MINUTE, NANOSECONDS_PER_SECOND,
    TimeError, Timespan,
};
use crate::dialect::{Fractions, LesserUnits, Texts};

/// A compiled format of a timespan.
///
/// Directives are `%`, a flag (`-` no padding, `_` blanks, `0` noughts), a width, and one of
///
/// | | |
/// |---|---|
/// | `D` | days |
/// | `H` | hours of the day |
/// | `M` | minutes of the hour |
/// | `S` | seconds of the minute |
/// | `L` | milliseconds of the second |
/// | `N` | fraction of the second, 9 digits or as many as the width says |
/// | `%` | a percent sign |
///
/// The first directive of the greatest unit takes what the smaller ones leave, however much it is. What `L` and `N` are
/// depends on the dialect ([`Fractions`]). In that of the reference, both are fractions: they lose the noughts at their end
/// unless padded with noughts, and are filled up with blanks on the right. (And so they lose the noughts at their
/// beginning, in writing: that is what the language does.)
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

/// One directive.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    unit: Unit,
    padding: Padding,
    width: Option<u32>,
    fractions: Fractions,
    /// Whether it takes all of the timespan rather than what is beyond the next greater unit.
    total: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Padding {
    None,
    Blanks,
    Noughts,
}

/// What the digits of a directive are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// A number of its unit.
    Number,
    /// A fraction without the noughts at its end, and, when it is written, at its beginning.
    Beginning,
    /// A fraction with all its places.
    Places,
}

/// How many digits the nanoseconds of a second have.
const NANOSECOND_DIGITS: u32 = 9;

/// Units, least first.
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
    /// The formats that are tried when none is given. The first is the one a timespan is shown with.
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

    /// The greatest width a directive may have.
    const GREATEST_WIDTH: u32 = 100_000;

    /// Compiles a format for a dialect that has these texts.
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

    /// Reads the rest of a directive, its percent sign being at `start`. `None` is a percent sign for its own sake.
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

    /// The format as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Writes a timespan. A negative one begins with a minus sign, whatever the format begins with.
    ///
    /// # Errors
    /// [`TimeError::TooLong`], when widths ask for megabytes.
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

    /// Reads a timespan. All of the text must fit; a minus sign at its beginning negates.
    ///
    /// # Errors
    /// [`TimeError::Mismatch`]; [`TimeError::FractionAlone`] when the greatest unit is a fraction;
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

/// Lets the first directive of the greatest unit take all.
fn mark_total(segments: &mut [Segment]) {
    let values = segments.iter_mut().filter_map(|segment| match segment {
        Segment::Value(value) => Some(value),
        Segment::Literal(_) => None,
    });
    // Of equals, `max_by_key` takes the last: hence from the end.
    if let Some(greatest) = values.rev().max_by_key(|value| value.unit) {
        greatest.total = true;
    }
}

impl Segment {
    /// What text it can stand for.
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

    /// What its digits are.
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

    /// The places of a fraction, without those that padding puts before them.
    fn places(&self, count: u128) -> String {
        let width = self.width();
        let known = width.min(NANOSECOND_DIGITS as usize);
        let places = format!("{count:0>known$}");
        if self.padding == Padding::None {
            return without_noughts_at_the_end(&places);
        }
        // Beyond nanoseconds, all is nought.
        let places = format!("{places:0<width$}");
        match places.find(|digit| digit != '0') {
            Some(first) => places[first..].to_owned(),
            None => "0".to_owned(),
        }
    }

    /// How many of this unit there are to be written.
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

    /// The nanoseconds that these digits stand for.
    fn read(&self, digits: &str) -> Result<i128, TimeError> {
        let unit = match (self.unit, self.digits()) {
            (Unit::Days, _) => NANOSECONDS_PER_DAY,
            (Unit::Hours, _) => NANOSECONDS_PER_HOUR,
            (Unit::Minutes, _) => NANOSECONDS_PER_MINUTE,
            (Unit::Seconds, _) => NANOSECONDS_PER_SECOND,
            (_, Digits::Beginning) if self.total => return Err(TimeError::FractionAlone),
            // More than nine digits are nanoseconds as they stand.
            (_, Digits::Beginning) => 10i128.pow(NANOSECOND_DIGITS.saturating_sub(digits.len() as u32)),
            (_, Digits::Places) => return self.read_places(digits),
            (Unit::Milliseconds, Digits::Number) => 1_000_000,
            (Unit::Nanoseconds, Digits::Number) => {
                10i128.pow(NANOSECOND_DIGITS.saturating_sub(self.width.unwrap_or(NANOSECOND_DIGITS)))
            }
        };
        digits.parse::<i128>().ok().and_then(|count| count.checked_mul(unit)).ok_or(TimeError::Overflow)
    }

    /// The nanoseconds that these places of a fraction stand for; those beyond are cut off.
    fn read_places(&self, digits: &str) -> Result<i128, TimeError> {
        let before = if self.padding == Padding::None { 0 } else { self.width() };
        let places = format!("{:0<9}", format!("{digits:0>before$}"));
        places[..NANOSECOND_DIGITS as usize].parse().map_err(|_| TimeError::Overflow)
    }

    /// Whether that many nanoseconds are more than this directive may stand for beside a greater one.
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

/// Digits without the noughts behind the last other one; one digit stays.
fn without_noughts_at_the_end(digits: &str) -> String {
    let (first, rest) = digits.split_at(1);
    format!("{first}{}", rest.trim_end_matches('0'))
}
