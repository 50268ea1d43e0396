use regex::Regex;

/// Compiles a regular expression in which `\w`, `\W`, `\d` and `\b` know letters and digits of ASCII only.
///
/// With those of Unicode, compiling takes ten times as long as most programs take to use the result.
///
/// # Panics
/// If the expression is not valid: expressions are literals.
#[expect(clippy::expect_used, reason = "a literal")]
pub fn ascii_regex(expression: &str) -> Regex {
    let ascii = expression
        .replace(r"\w", "[0-9A-Za-z_]")
        .replace(r"\W", "[^0-9A-Za-z_]")
        .replace(r"\d", "[0-9]")
        .replace(r"\b", r"(?-u:\b)");
    Regex::new(&ascii).expect("a regular expression")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_ascii() {
        let found = |expression: &str, text: &str| -> Vec<String> {
            ascii_regex(expression).find_iter(text).map(|it| it.as_str().to_owned()).collect()
        };
        assert_eq!(found(r"\b\w+\b", "größe a_1"), ["gr", "e", "a_1"]);
        assert_eq!(found(r"[\w.-]+|[^\w.]\d", "a.b-c +4"), ["a.b-c", "+4"]);
    }
}
