//! Documentation in Ruby strings.

/// Removes the indentation that all lines but the first share, trailing blanks, and blank lines at the end, as Puppet
/// does when it shows documentation.
pub(crate) fn scrub(text: &str) -> String {
    let trimmed = text.trim();
    if !trimmed.contains('\n') {
        return trimmed.to_owned();
    }
    let indentation = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let margin =
        text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let lines = text.lines().map(|line| {
        // The first line may have less.
        let line = if indentation(line) >= margin { &line[margin..] } else { line };
        line.trim_end()
    });
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::scrub;

    #[test]
    fn shared_indentation_goes() {
        assert_eq!(scrub("  One line.\n"), "One line.");
        assert_eq!(scrub("First.\n    Second.\n\n      Third. \n  "), "First.\nSecond.\n\n  Third.");
    }
}
