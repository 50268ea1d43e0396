/// The shortest text that is read as the same number, always with a fraction; with an exponent from 1e15 on and below 1e-4
/// (D77).
pub fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let magnitude = value.abs();
    if magnitude == 0.0 || (1e-4..1e15).contains(&magnitude) {
        let text = format!("{value}");
        return if text.contains('.') { text } else { format!("{text}.0") };
    }
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}{point}e{sign}{exponent:0>2}")
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
