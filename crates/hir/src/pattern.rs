//! Names of node definitions whose title is a pattern.

/// Returns the name that the catalog has for a node defined by a pattern. Two definitions with the same name are
/// duplicates: `Puppet::Resource::Type#name` of the reference. `/^web\d+$/` has the name `__node_regexp__webd`.
pub fn pattern_name(source: &str) -> String {
    let lower = source.to_lowercase();
    let mut name = String::new();
    let mut rest = lower.as_str();
    // In groups that start with a question mark, up to the first closing parenthesis, special characters are spelled out.
    while let Some(start) = rest.find("(?") {
        let Some(length) = rest[start..].find(')') else { break };
        name.push_str(&rest[..start]);
        for it in rest[start..=start + length].chars() {
            match it {
                '(' => name.push_str("LP"),
                '?' => name.push_str("QU"),
                '<' => name.push_str("LT"),
                '>' => name.push_str("GT"),
                '!' => name.push_str("EX"),
                '=' => name.push_str("EQ"),
                ')' => name.push_str("RP"),
                it => name.push(it),
            }
        }
        rest = &rest[start + length + 1..];
    }
    name.push_str(rest);
    name.retain(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | ':' | '.'));
    format!("__node_regexp__{}", name.trim_start_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::pattern_name;

    #[test]
    fn patterns_have_the_names_of_the_reference() {
        for (pattern, name) in [
            ("^web", "web"),
            ("^WEB-1$", "web-1"),
            (r"^web\d+\.example\.com$", "webd.example.com"),
            (r"\.example", "example"),
            ("(?i)web", "LPQUiRPweb"),
            ("^(?!db)web", "LPQUEXdbRPweb"),
            ("(a|b)", "ab"),
            ("web(?=x)", "webLPQUEQxRP"),
        ] {
            assert_eq!(pattern_name(pattern), format!("__node_regexp__{name}"), "{pattern}");
        }
    }
}
