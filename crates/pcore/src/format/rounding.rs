//! The rounding of floats to decimal digits, as Ruby's `sprintf` does it.
//!
//! Ruby rounds exactly, with one exception: it first calculates few digits in floats, and takes a remainder that is as near to a
//! half as the error of that calculation for a half, which it rounds to the even digit. `2.675` is a bit less than its decimals
//! say, and `%.2f` makes `2.68` of it.

/// How many digits are wanted.
#[derive(Clone, Copy)]
enum Digits {
    /// This many after the point.
    Decimals(usize),
    /// This many in all.
    Significant(usize),
}

/// The maximum number of digits that Ruby calculates in floats.
const MOST_DIGITS: i32 = 14;

/// Further digits, so many that those before them are not rounded.
const MORE: usize = 25;

/// Rounds a float that is not negative to a number of decimals.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if !is_taken_for_half(value, Digits::Decimals(decimals)) {
        return format!("{value:.decimals$}");
    }
    let more = decimals + MORE;
    let text = format!("{value:.more$}");
    let point = text.len() - more - 1;
    to_even(&text[..if decimals == 0 { point } else { point + 1 + decimals }])
}

/// The significant digits of a float.
pub(super) struct Significant {
    /// The digits, with one before the point.
    pub(super) digits: String,
    /// The decimal exponent.
    pub(super) power: i32,
    /// Whether `%g` shows zeros at the end: Ruby keeps them where it rounds what is more than a half down.
    pub(super) keeps_zeros: bool,
}

/// Rounds a float that is not negative to significant digits, with one before the point and this number of them after it.
pub(super) fn significant(value: f64, decimals: usize) -> Significant {
    let is_half = is_taken_for_half(value, Digits::Significant(decimals + 1));
    let written = if is_half { decimals + MORE } else { decimals };
    let text = format!("{value:.written$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power = power.parse().unwrap_or(0);
    if !is_half {
        return Significant { digits: digits.to_owned(), power, keeps_zeros: false };
    }
    let (digits, rest) = digits.split_at(if decimals == 0 { 1 } else { decimals + 2 });
    let rest = rest.trim_start_matches('.');
    let keeps_zeros = digits.ends_with('0') && rest.starts_with('5') && rest[1..].contains(|it| it != '0');
    let rounded = to_even(digits);
    let (digits, power) = match rounded.strip_prefix("10") {
        Some(zeros) if decimals == 0 => (format!("1{zeros}"), power + 1),
        // `9.95` became `10.0`.
        Some(_) => (format!("1.{}", "0".repeat(decimals)), power + 1),
        None => (rounded, power),
    };
    Significant { digits, power, keeps_zeros }
}

/// Rounds the half that follows some digits to the even digit.
fn to_even(digits: &str) -> String {
    let is_odd = digits.bytes().next_back().is_some_and(|it| it % 2 == 1);
    if !is_odd {
        return digits.to_owned();
    }
    let mut rounded: Vec<u8> = digits.into();
    for digit in rounded.iter_mut().rev().filter(|it| it.is_ascii_digit()) {
        if *digit != b'9' {
            *digit += 1;
            return String::from_utf8_lossy(&rounded).into_owned();
        }
        *digit = b'0';
    }
    rounded.insert(0, b'1');
    String::from_utf8_lossy(&rounded).into_owned()
}

/// Whether Ruby's calculation in floats takes what follows the wanted digits for a half. The order of the operations matters:
/// each has an error.
fn is_taken_for_half(value: f64, digits: Digits) -> bool {
    /// The powers of ten whose exponents are the powers of two from 16.
    const LARGE: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];
    if value == 0.0 {
        return false;
    }
    let (power, is_certain) = estimated_power(value);
    let mut count = match digits {
        Digits::Decimals(it) => i32::try_from(it).unwrap_or(i32::MAX).saturating_add(power + 1),
        Digits::Significant(it) => i32::try_from(it).unwrap_or(i32::MAX),
    };
    if !(1..=MOST_DIGITS).contains(&count) {
        return false;
    }
    // The number of operations with an error.
    let mut operations = 2.0;
    let mut rest = value;
    let (small, mut large) = (power.abs() & 0xf, power.abs() >> 4);
    if power > 0 {
        let mut divisor = 10_f64.powi(small);
        if large & 0x10 != 0 {
            large &= 0xf;
            rest /= LARGE[4];
            operations += 1.0;
        }
        for (bit, factor) in LARGE.iter().enumerate() {
            if large >> bit & 1 == 1 {
                operations += 1.0;
                divisor *= factor;
            }
        }
        rest /= divisor;
    } else if power < 0 {
        rest *= 10_f64.powi(small);
        for (bit, factor) in LARGE.iter().enumerate() {
            if large >> bit & 1 == 1 {
                operations += 1.0;
                rest *= factor;
            }
        }
    }
    if !is_certain && rest < 1.0 {
        if let Digits::Decimals(_) = digits {
            count -= 1;
        }
        if count == 0 {
            return false;
        }
        rest *= 10.0;
        operations += 1.0;
    }
    let error = (operations * rest + 7.0) * 2_f64.powi(-52) * 10_f64.powi(count - 1);
    for index in 1..=count {
        rest -= rest.trunc();
        if rest == 0.0 {
            return false;
        }
        if index < count {
            rest *= 10.0;
        }
    }
    rest >= 0.5 - error && rest <= 0.5 + error
}

/// Ruby's estimate of a float's decimal exponent, which may be too large by one, and whether it is certain.
fn estimated_power(value: f64) -> (i32, bool) {
    /// The powers of ten up to this one are exact.
    const MOST_EXACT: i32 = 22;
    const FRACTION: u64 = (1 << 52) - 1;
    // Subnormal numbers are normalized.
    let (normal, shift) = if value < f64::MIN_POSITIVE { (value * 2_f64.powi(54), 54) } else { (value, 0) };
    let bits = normal.to_bits();
    let exponent = i32::try_from(bits >> 52).unwrap_or(0) - 1023 - shift;
    let mantissa = f64::from_bits(bits & FRACTION | 1023 << 52);
    // A linear approximation of the logarithm.
    #[expect(clippy::approx_constant, reason = "the digits are those that Ruby has")]
    let estimate =
        (mantissa - 1.5) * 0.289529654602168 + 0.1760912590558 + f64::from(exponent) * 0.301029995663981;
    #[expect(clippy::cast_possible_truncation, reason = "the exponents of floats are small")]
    let power = estimate.floor() as i32;
    match power {
        0..=MOST_EXACT if value < 10_f64.powi(power) => (power - 1, true),
        0..=MOST_EXACT => (power, true),
        _ => (power, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of Ruby 3.1.
    #[test]
    fn what_looks_like_a_half_is_rounded_to_the_even_digit() {
        for (value, decimals, expected) in [
            (2.675, 2, "2.68"),
            (0.35, 1, "0.4"),
            (0.45, 1, "0.4"),
            (2.0005, 3, "2.000"),
            (1.005, 2, "1.00"),
            (1.115, 2, "1.12"),
            (9.995, 2, "10.00"),
            (0.5, 0, "0"),
            (1.5, 0, "2"),
            // With more digits, it rounds exactly.
            (0.7495761551889795, 15, "0.749576155188979"),
            (454546364.7746175, 6, "454546364.774617"),
            (750211868503.7118, 5, "750211868503.71179"),
        ] {
            assert_eq!(fixed(value, decimals), expected, "{value:?} with {decimals} decimals");
        }
        for (value, decimals, expected) in
            [(0.35, 0, ("4", -1)), (9.95, 1, ("1.0", 1)), (2.675e-20, 2, ("2.68", -20))]
        {
            let Significant { digits, power, .. } = significant(value, decimals);
            assert_eq!((&*digits, power), expected, "{value:?} with {decimals} decimals");
        }
    }
}
