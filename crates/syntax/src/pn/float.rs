/// Formats a float as Ruby's `Float#to_s` does: fixed between 1e-4 and 1e16, otherwise with an exponent of two digits.
pub(super) fn ruby(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let fixed = format!("{value}");
        return if fixed.contains('.') { fixed } else { fixed + ".0" };
    }
    let mantissa = if mantissa.contains('.') { mantissa.to_owned() } else { format!("{mantissa}.0") };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::ruby;

    #[test]
    fn as_ruby_prints_them() {
        // ruby -e 'p 1.0, 1e15, 1e16, 0.0001, 0.00001, 1.5e300, -0.0'
        let printed = ["1.0", "1000000000000000.0", "1.0e+16", "0.0001", "1.0e-05", "1.5e+300", "-0.0"];
        let values = [1.0, 1e15, 1e16, 0.0001, 0.00001, 1.5e300, -0.0];
        assert_eq!(values.map(ruby), printed);
    }
}
