//! Formats a date and time like Ruby's `Time#strftime`.

use super::calendar::{Civil, MONTHS, WEEKDAYS};
use super::zone::Zone;
use super::{LONGEST_TEXT, TimeError};

/// A timestamp, prepared for formatting.
pub(super) struct Moment {
    /// The date and time in `zone`.
    pub(super) civil: Civil,
    pub(super) zone: Zone,
    /// Whole seconds since the epoch, rounded down.
    pub(super) epoch_seconds: i128,
}

/// The flags and width of a directive.
#[derive(Debug, Clone, Copy, Default)]
struct Style {
    /// `-`: no padding.
    bare: bool,
    /// `^`
    upper: bool,
    /// `#`
    change_case: bool,
    /// `_` or `0`, whichever is last.
    filler: Option<char>,
    /// Zero means no width.
    width: usize,
    /// `:`, for `%z`.
    colons: u8,
}

/// Formats `moment` with `format`.
///
/// # Errors
/// [`TimeError::UnfinishedDirective`]; [`TimeError::TooLong`] if widths request megabytes.
pub(super) fn format(moment: &Moment, format: &str) -> Result<String, TimeError> {
    let mut out = String::new();
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        out.push_str(&rest[..start]);
        let directive = &rest[start..];
        let Some(read) = read_directive(directive) else {
            return Err(TimeError::UnfinishedDirective { format: format.to_owned() });
        };
        if read.style.width > LONGEST_TEXT {
            return Err(TimeError::TooLong);
        }
        let written =
            read.conversion.is_some_and(|conversion| moment.write(conversion, read.style, &mut out));
        if !written {
            out.push_str(&directive[..read.length]);
        }
        if out.len() > LONGEST_TEXT {
            return Err(TimeError::TooLong);
        }
        rest = &directive[read.length..];
    }
    out.push_str(rest);
    Ok(out)
}

/// A parsed directive, such as `%-d`.
struct Directive {
    style: Style,
    /// The letter; `None` if it isn't a directive, but literal text.
    conversion: Option<char>,
    /// The length of the directive in the format, in bytes.
    length: usize,
}

/// Parses the directive that `text` begins with. `None` if the text ends first.
fn read_directive(text: &str) -> Option<Directive> {
    let mut style = Style::default();
    let mut index = 1;
    loop {
        let character = text[index..].chars().next()?;
        let end = index + character.len_utf8();
        let unknown = Some(Directive { style: Style::default(), conversion: None, length: end });
        match character {
            '-' | '^' | '#' | '_' if style.width > 0 => return unknown,
            '-' => style = Style { bare: true, filler: None, width: 0, ..style },
            '^' => style.upper = true,
            '#' => style.change_case = true,
            '_' => style.filler = Some(' '),
            '0'..='9' => {
                if character == '0' {
                    style.filler = Some('0');
                }
                let digits = text[index..].bytes().take_while(u8::is_ascii_digit).count();
                match text[index..index + digits].parse::<i32>() {
                    Ok(width) => style.width = width as usize,
                    Err(_) => return unknown,
                }
                index += digits;
                continue;
            }
            'E' if text[end..].starts_with(['c', 'C', 'x', 'X', 'y', 'Y']) => {}
            'O' if text[end..].starts_with(|next| "deHkIlmMSuUVwWy".contains(next)) => {}
            ':' => {
                let count = text[index..].bytes().take_while(|&byte| byte == b':').count();
                let last = index + count;
                // Groups of four colons are skipped.
                let colons = if count.is_multiple_of(4) { 4 } else { count % 4 };
                if colons < 4 && !text[last..].starts_with('z') {
                    return unknown;
                }
                style.colons = colons as u8;
                index = last;
                continue;
            }
            _ => return Some(Directive { style, conversion: Some(character), length: end }),
        }
        index = end;
    }
}

impl Moment {
    /// Formats a directive by its letter. False, with no output, if the directive doesn't exist.
    fn write(&self, conversion: char, style: Style, out: &mut String) -> bool {
        let civil = &self.civil;
        let hour_of_twelve = (civil.hour + 11) % 12 + 1;
        match conversion {
            'Y' => style.number(year_width(civil.year), '0', civil.year, out),
            'C' => style.number(2, '0', civil.year.div_euclid(100), out),
            'y' => style.number(2, '0', civil.year.rem_euclid(100), out),
            'G' => style.number(year_width(civil.week_year), '0', civil.week_year, out),
            'g' => style.number(2, '0', civil.week_year.rem_euclid(100), out),
            'm' => style.number(2, '0', civil.month, out),
            'd' => style.number(2, '0', civil.day, out),
            'e' => style.number(2, ' ', civil.day, out),
            'j' => style.number(3, '0', civil.day_of_year, out),
            'H' => style.number(2, '0', civil.hour, out),
            'k' => style.number(2, ' ', civil.hour, out),
            'I' => style.number(2, '0', hour_of_twelve, out),
            'l' => style.number(2, ' ', hour_of_twelve, out),
            'M' => style.number(2, '0', civil.minute, out),
            'S' => style.number(2, '0', civil.second, out),
            'u' => style.number(1, '0', (civil.weekday + 6) % 7 + 1, out),
            'w' => style.number(1, '0', civil.weekday, out),
            'V' => style.number(2, '0', civil.week, out),
            'U' => style.number(2, '0', civil.week_from_sunday(), out),
            'W' => style.number(2, '0', civil.week_from_monday(), out),
            's' => style.number(1, '0', self.epoch_seconds, out),
            'L' => style.fraction(3, civil.nanosecond, out),
            'N' => style.fraction(9, civil.nanosecond, out),
            'A' => style.name(WEEKDAYS[usize::from(civil.weekday)], out),
            'a' => style.name(&WEEKDAYS[usize::from(civil.weekday)][..3], out),
            'B' => style.name(MONTHS[usize::from(civil.month - 1)], out),
            'b' | 'h' => style.name(&MONTHS[usize::from(civil.month - 1)][..3], out),
            'p' | 'P' => style.meridian(conversion, civil.hour, out),
            'Z' => style.zone_name(self.zone, out),
            'z' => return style.offset(self.zone, out),
            'n' => style.text("\n", out),
            't' => style.text("\t", out),
            '%' => style.text("%", out),
            'c' => self.combination("%a %b %e %H:%M:%S %Y", style, out),
            'D' | 'x' => self.combination("%m/%d/%y", style, out),
            'F' => self.combination("%Y-%m-%d", style, out),
            'v' => self.combination("%e-%^b-%4Y", style, out),
            'r' => self.combination("%I:%M:%S %p", style, out),
            'R' => self.combination("%H:%M", style, out),
            'T' | 'X' => self.combination("%H:%M:%S", style, out),
            _ => return false,
        }
        true
    }

    /// Formats several directives as one. They are padded together even if `-` disables padding.
    fn combination(&self, directives: &str, style: Style, out: &mut String) {
        let mut text = String::new();
        let mut characters = directives.chars().peekable();
        while let Some(character) = characters.next() {
            if character != '%' {
                text.push(character);
                continue;
            }
            let upper = characters.next_if_eq(&'^').is_some();
            let width = if characters.next_if_eq(&'4').is_some() { 4 } else { 0 };
            let inner = Style { upper, width, ..Style::default() };
            if let Some(conversion) = characters.next() {
                self.write(conversion, inner, &mut text);
            }
        }
        Style { bare: false, ..style }.text(&text, out);
    }
}

/// Years have four digits, after the minus sign.
fn year_width(year: i128) -> usize {
    if year < 0 { 5 } else { 4 }
}

impl Style {
    /// Formats a number, with zeros after its sign or blanks before it. (For numbers beyond a machine word, Ruby puts
    /// the zeros before the sign: a bug that isn't copied.)
    fn number(self, width: usize, filler: char, value: impl Into<i128>, out: &mut String) {
        let value = value.into();
        let width = match (self.bare, self.width) {
            (true, _) => 1,
            (false, 0) => width,
            (false, wanted) => wanted,
        };
        if self.filler.unwrap_or(filler) == ' ' {
            out.push_str(&format!("{value:width$}"));
        } else {
            out.push_str(&format!("{value:0width$}"));
        }
    }

    /// Formats the first digits of a fraction of nine digits; further digits are zeros.
    fn fraction(self, digits: usize, nanoseconds: u32, out: &mut String) {
        let digits = if self.width == 0 { digits } else { self.width };
        let text = format!("{nanoseconds:09}");
        out.push_str(&text[..digits.min(9)]);
        out.extend(std::iter::repeat_n('0', digits.saturating_sub(9)));
    }

    fn name(self, name: &str, out: &mut String) {
        Style { upper: self.upper || self.change_case, ..self }.text(name, out);
    }

    fn meridian(self, conversion: char, hour: u8, out: &mut String) {
        let upper = match conversion {
            'p' => !self.change_case,
            _ => self.change_case || self.upper,
        };
        let name = match (hour < 12, upper) {
            (true, true) => "AM",
            (true, false) => "am",
            (false, true) => "PM",
            (false, false) => "pm",
        };
        Style { upper: false, ..self }.text(name, out);
    }

    /// Formats the zone name, which only UTC has.
    fn zone_name(self, zone: Zone, out: &mut String) {
        if zone == Zone::Utc {
            Style { upper: false, ..self }.text(if self.change_case { "utc" } else { "UTC" }, out);
        }
    }

    /// Formats text, padded on its left.
    fn text(self, text: &str, out: &mut String) {
        if !self.bare {
            let missing = self.width.saturating_sub(text.len());
            out.extend(std::iter::repeat_n(self.filler.unwrap_or(' '), missing));
        }
        if self.upper {
            out.push_str(&text.to_ascii_uppercase());
        } else {
            out.push_str(text);
        }
    }

    /// Formats an offset from UTC. The width is that of the whole; padding applies to the hours. False if there are too
    /// many colons.
    fn offset(self, zone: Zone, out: &mut String) -> bool {
        let offset = zone.seconds();
        let (hours, minutes) = (offset.abs() / 3600, offset.abs() / 60 % 60);
        let after = match self.colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            2 => format!(":{minutes:02}:00"),
            3 if minutes == 0 => String::new(),
            3 => format!(":{minutes:02}"),
            _ => return false,
        };
        // `-` selects `-0000`, which means that the local time is unknown.
        let sign = if offset < 0 || (zone == Zone::Utc && self.bare) { '-' } else { '+' };
        let width = self.width.saturating_sub(1 + after.len()).max(2);
        if self.filler == Some(' ') {
            let signed = format!("{sign}{hours}");
            out.push_str(&format!("{signed:>width$}", width = width + 1));
        } else {
            out.push_str(&format!("{sign}{hours:0width$}"));
        }
        out.push_str(&after);
        true
    }
}
