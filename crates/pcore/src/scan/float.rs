use crate::format::parse_float;

/// Returns the length of a float at the start of a text: hexadecimal with an exponent, or digits without a point, or
/// digits around a point, which alone may have an exponent.
pub(super) fn matched(text: &str) -> Option<usize> {
    let sign = sign(text);
    let unsigned = &text[sign..];
    let length = hexadecimal(unsigned).map(|it| it.length).or_else(|| decimal(unsigned))?;
    Some(sign + length)
}

/// Parses the float at the start of a text like Ruby's conversion of texts to floats; zero if there is none.
pub(super) fn value(text: &str) -> f64 {
    let sign = sign(text);
    let unsigned = &text[sign..];
    let magnitude = match hexadecimal(unsigned) {
        Some(it) => parse_float(&it.rewritten(unsigned)),
        // Without an exponent, digits can be hexadecimal only after a sign.
        None if sign > 0 && (unsigned.starts_with("0x") || unsigned.starts_with("0X")) => {
            hexadecimal_integer(&unsigned[2..])
        }
        None => leading(unsigned),
    };
    match magnitude {
        Some(magnitude) if text.starts_with('-') => -magnitude,
        found => found.unwrap_or(0.0),
    }
}

fn sign(text: &str) -> usize {
    usize::from(text.starts_with(['-', '+']))
}

fn run(text: &str, is_digit: fn(&u8) -> bool) -> usize {
    text.bytes().take_while(is_digit).count()
}

/// Returns the length of an exponent: a letter, an optional sign, digits.
fn exponent(text: &str, letters: [char; 2]) -> Option<usize> {
    let rest = text.strip_prefix(letters)?;
    let sign = sign(rest);
    let digits = run(&rest[sign..], u8::is_ascii_digit);
    (digits > 0).then_some(1 + sign + digits)
}

fn decimal(text: &str) -> Option<usize> {
    let whole = run(text, u8::is_ascii_digit);
    let Some(behind) = text[whole..].strip_prefix('.') else {
        return (whole > 0).then_some(whole);
    };
    let length = whole + 1 + run(behind, u8::is_ascii_digit);
    Some(length + exponent(&text[length..], ['e', 'E']).unwrap_or(0))
}

/// A hexadecimal float: the lengths and positions of its parts, after `0x`.
struct Hexadecimal {
    whole: usize,
    fraction: usize,
    /// The start of the exponent, including its letter.
    exponent: usize,
    length: usize,
}

fn hexadecimal(text: &str) -> Option<Hexadecimal> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let whole = run(digits, u8::is_ascii_hexdigit);
    let (point, fraction) = match digits[whole..].strip_prefix('.') {
        Some(behind) => (1, run(behind, u8::is_ascii_hexdigit)),
        None => (0, 0),
    };
    if whole + fraction == 0 {
        return None;
    }
    let start = 2 + whole + point + fraction;
    let length = start + exponent(&text[start..], ['p', 'P'])?;
    Some(Hexadecimal { whole, fraction, exponent: start, length })
}

impl Hexadecimal {
    /// Writes the same number with a digit on both sides of the point.
    fn rewritten(&self, text: &str) -> String {
        let whole = &text[2..2 + self.whole];
        let fraction = &text[self.exponent - self.fraction..self.exponent];
        format!("0x0{whole}.{fraction}0{}", &text[self.exponent..self.length])
    }
}

/// Parses hexadecimal digits that aren't the start of a fraction or an exponent.
fn hexadecimal_integer(text: &str) -> Option<f64> {
    let digits = run(text, u8::is_ascii_hexdigit);
    let is_whole = digits > 0 && !text[digits..].starts_with(['.', 'p', 'P']);
    is_whole.then(|| parse_float(&format!("0x{}", &text[..digits]))).flatten()
}

/// Parses the longest decimal number at the start of a text. Underscores are permitted between digits; a point and an
/// exponent must be followed by digits.
fn leading(text: &str) -> Option<f64> {
    let whole = grouped(text);
    let fraction = text[whole..].strip_prefix('.').map_or(0, grouped);
    let mantissa = if fraction > 0 { whole + 1 + fraction } else { whole };
    let (number, mut rest) = text.split_at(mantissa);
    // In `1.e+5`, the exponent counts despite the point, because it has a sign.
    if let Some(behind) = rest.strip_prefix('.')
        && (behind.get(1..2) == Some("+") || behind.get(1..2) == Some("-"))
        && number.bytes().all(|it| it.is_ascii_digit())
    {
        rest = behind;
    }
    let power = exponent(rest, ['e', 'E']).unwrap_or(0);
    parse_float(&format!("{number}{}", &rest[..power]))
}

/// Returns the length of digits with single underscores between them.
fn grouped(text: &str) -> usize {
    let mut length = run(text, u8::is_ascii_digit);
    while length > 0 && text[length..].starts_with('_') {
        match run(&text[length + 1..], u8::is_ascii_digit) {
            0 => break,
            more => length += 1 + more,
        }
    }
    length
}
