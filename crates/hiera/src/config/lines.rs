/// Finds the line of a configuration that matches a needle, as the reference does: searches after a given line and
/// ignores comments.
///
pub(crate) fn find_line(text: &str, needle: &Needle<'_>, after: u32) -> Option<u32> {
    let mut lines = (1..).zip(text.lines()).skip_while(|(number, _)| *number <= after);
    lines.find(|(_, line)| needle.is_in(without_comment(line))).map(|(number, _)| number)
}

/// A pattern to find in a line.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Needle<'a> {
    /// `key:` after a blank, followed by exactly this value.
    Entry(&'a str, &'a str),
    /// `key:` after a blank.
    Key(&'a str),
    /// `key:` after a blank or at the start of the line.
    TopKey(&'a str),
    /// A whole word that is preceded by a character other than a letter, digit or underscore.
    Word(&'a str),
    /// An interpolation of a variable.
    Variable(&'a str),
}

impl Needle<'_> {
    fn is_in(&self, line: &str) -> bool {
        let found = |needle: &str, fits: &dyn Fn(&str, &str) -> bool| {
            line.match_indices(needle).any(|(at, _)| fits(&line[..at], &line[at + needle.len()..]))
        };
        let blank_before = |before: &str| before.ends_with(char::is_whitespace);
        let word_ends = |after: &str| !after.starts_with(is_word);
        match self {
            Needle::Entry(key, value) => found(&format!("{key}:"), &|before, after| {
                let trimmed = after.trim_start();
                let spaced = trimmed.len() < after.len();
                let unquoted = trimmed.strip_prefix(['\'', '"']).unwrap_or(trimmed);
                blank_before(before)
                    && spaced
                    && [trimmed, unquoted].iter().any(|it| it.strip_prefix(value).is_some_and(word_ends))
            }),
            Needle::Key(key) => found(&format!("{key}:"), &|before, _| blank_before(before)),
            Needle::TopKey(key) => {
                found(&format!("{key}:"), &|before, _| before.is_empty() || blank_before(before))
            }
            Needle::Word(word) => found(word, &|before, after| {
                before.chars().next_back().is_some_and(|it| !is_word(it)) && word_ends(after)
            }),
            Needle::Variable(name) => found(name, &|before, after| {
                let before = before.strip_suffix(['\'', '"']).unwrap_or(before);
                let after = after.strip_prefix(['\'', '"']).unwrap_or(after);
                before.ends_with("%{") && after.starts_with('}')
            }),
        }
    }
}

fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}

/// The reference cuts the line at every hash mark, quoted or not.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_outside_of_comments() {
        let text =
            "version: 5\nhierarchy:\n  # - name: a\n  - name: 'a'\n  - name: ab\n  - name: a # again\n";
        let needle = Needle::Entry("name", "a");
        assert_eq!(find_line(text, &needle, 0), Some(4));
        assert_eq!(find_line(text, &needle, 4), Some(6));
        assert_eq!(find_line("a: \"%{'x'}\"\n", &Needle::Variable("x"), 0), Some(1));
        assert_eq!(find_line("hierarchy:\n", &Needle::Key("hierarchy"), 0), None);
        assert_eq!(find_line("hierarchy:\n", &Needle::TopKey("hierarchy"), 0), Some(1));
        assert_eq!(find_line("x\n - backend: yml\n", &Needle::Word("yml"), 0), Some(2));
    }
}
