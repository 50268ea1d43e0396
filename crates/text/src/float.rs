/// Formats a float as the shortest text that is parsed as the same number, always with a fraction; with an exponent
/// from 1e15 on and below 1e-4 (D77).
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let magnitude = value.abs();
    let text = shortest(value);
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let has_fraction = magnitude < 1e16 && magnitude.fract() != 0.0;
    if magnitude == 0.0 || (1e-4..1e15).contains(&magnitude) || (magnitude >= 1e15 && has_fraction) {
        let exponent: i32 = exponent.parse().unwrap_or(0);
        let count = digits.bytes().filter(u8::is_ascii_digit).count();
        let places = i32::try_from(count).unwrap_or(i32::MAX) - 1 - exponent;
        return format!("{value:.*}", usize::try_from(places).unwrap_or(0).max(1));
    }
    let point = if digits.contains('.') { "" } else { ".0" };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}{point}e{sign}{exponent:0>2}")
}

/// Returns the shortest digits that are parsed as the same number, and an exponent. If two candidates are equally close
/// to the number, the one that ends in an even digit.
fn shortest(value: f64) -> String {
    let text = format!("{value:e}");
    let count = text.bytes().take_while(|it| *it != b'e').filter(u8::is_ascii_digit).count();
    let rounded = format!("{value:.*e}", count.saturating_sub(1));
    if rounded.parse() == Ok(value) { rounded } else { text }
}

#[cfg(test)]
mod tests {
    use super::float_text;

    #[test]
    fn switches_to_exponents_where_the_reference_does() {
        let texts = [
            (1.0, "1.0"),
            (1e14, "100000000000000.0"),
            (999_999_999_999_999.9, "999999999999999.9"),
            (1e15, "1.0e+15"),
            (1e15 + 0.5, "1000000000000000.5"),
            (1e15 + 2.0, "1.000000000000002e+15"),
            (16_184_574.697_026_877 * 16_184_574.697_026_877, "261940458123642.62"),
            (1e16, "1.0e+16"),
            (1.5e20, "1.5e+20"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (-0.0, "-0.0"),
            (1e100, "1.0e+100"),
            (f64::INFINITY, "Infinity"),
        ];
        for (value, text) in texts {
            assert_eq!(float_text(value), text);
        }
    }
}
