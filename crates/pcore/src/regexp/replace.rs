use super::{Captures, MatchError, Regexp};

impl Regexp {
    /// Replaces the first match or all matches, like Ruby's `sub` and `gsub`. In the replacement, `\0` and `\&` denote
    /// the match, `\1` to `\9` and `\k<name>` groups, `` \` `` and `\'` the text before and after the match, `\\` a
    /// backslash; any other backslash is literal. The result has at most `limit` bytes.
    ///
    /// # Errors
    /// If a match takes too many steps, if no group has the name, or if the result would be too long.
    pub fn replace(
        &self,
        text: &str,
        replacement: &str,
        all: bool,
        limit: usize,
    ) -> Result<String, ReplaceError> {
        let mut out = String::new();
        let mut copied = 0;
        for captures in self.find_iter(text) {
            let captures = captures?;
            let range = captures.range();
            out.push_str(&text[copied..range.start]);
            self.expand(&captures, replacement, limit, &mut out)?;
            copied = range.end;
            if !all {
                break;
            }
        }
        out.push_str(&text[copied..]);
        within(limit, &out)?;
        Ok(out)
    }

    /// Replaces the first match or all matches with the results of a function, for instance of a hash lookup. The
    /// result has at most `limit` bytes.
    ///
    /// # Errors
    /// If a match takes too many steps, or if the result would be too long.
    pub fn replace_with<'r>(
        &self,
        text: &str,
        all: bool,
        limit: usize,
        mut replacement: impl FnMut(&Captures<'_>) -> &'r str,
    ) -> Result<String, ReplaceError> {
        let mut out = String::new();
        let mut copied = 0;
        for captures in self.find_iter(text).take(if all { usize::MAX } else { 1 }) {
            let captures = captures?;
            let range = captures.range();
            out.push_str(&text[copied..range.start]);
            out.push_str(replacement(&captures));
            within(limit, &out)?;
            copied = range.end;
        }
        out.push_str(&text[copied..]);
        within(limit, &out)?;
        Ok(out)
    }

    fn expand(
        &self,
        captures: &Captures<'_>,
        replacement: &str,
        limit: usize,
        out: &mut String,
    ) -> Result<(), ReplaceError> {
        let range = captures.range();
        let mut rest = replacement;
        while let Some(at) = rest.find('\\') {
            out.push_str(&rest[..at]);
            within(limit, out)?;
            let escape = &rest[at + 1..];
            let Some(letter) = escape.chars().next() else {
                out.push('\\');
                return Ok(());
            };
            rest = &escape[letter.len_utf8()..];
            match letter {
                // If groups are named, numbers are ignored.
                '1'..='9' if self.group_names().next().is_some() => {}
                '0'..='9' => out.push_str(captures.get(letter as usize - '0' as usize).unwrap_or("")),
                '&' => out.push_str(captures.get(0).unwrap_or("")),
                '`' => out.push_str(&captures.text[..range.start]),
                '\'' => out.push_str(&captures.text[range.end..]),
                '\\' => out.push('\\'),
                'k' if rest.starts_with('<') => {
                    let (name, after) = rest[1..].split_once('>').ok_or(ReplaceError::OpenName)?;
                    out.push_str(self.named(captures, name)?);
                    rest = after;
                }
                other => {
                    out.push('\\');
                    out.push(other);
                }
            }
        }
        out.push_str(rest);
        within(limit, out)
    }

    /// If several groups have the name, the last one that captured a text applies.
    fn named<'t>(&self, captures: &Captures<'t>, name: &str) -> Result<&'t str, ReplaceError> {
        let mut numbers =
            self.group_names().filter(|(it, _)| *it == name).map(|(_, number)| number).peekable();
        if numbers.peek().is_some() {
            return Ok(numbers.filter_map(|number| captures.get(number)).last().unwrap_or(""));
        }
        Err(ReplaceError::UnknownGroup(name.into()))
    }
}

fn within(limit: usize, text: &str) -> Result<(), ReplaceError> {
    if text.len() > limit { Err(ReplaceError::TooLong { limit }) } else { Ok(()) }
}

/// The reason why a replacement fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplaceError {
    /// A match was aborted.
    Match(MatchError),
    /// No group has this name.
    UnknownGroup(String),
    /// A name is unclosed: `\k<name`.
    OpenName,
    /// The result would be too long.
    TooLong {
        /// The maximum number of bytes.
        limit: usize,
    },
}

impl From<MatchError> for ReplaceError {
    fn from(error: MatchError) -> ReplaceError {
        ReplaceError::Match(error)
    }
}

impl std::fmt::Display for ReplaceError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplaceError::Match(error) => error.fmt(out),
            ReplaceError::UnknownGroup(name) => write!(out, "undefined group name reference: {name}"),
            ReplaceError::OpenName => out.write_str("invalid group name reference format"),
            ReplaceError::TooLong { limit } => {
                write!(out, "the text would be longer than {limit} bytes, which is the limit")
            }
        }
    }
}

impl std::error::Error for ReplaceError {}

#[cfg(test)]
mod tests {
    use super::{Regexp, ReplaceError};

    #[test]
    fn a_table_replaces_what_it_knows_and_drops_the_rest() {
        let regexp = Regexp::new("[ac]").expect("a pattern");
        let table = |text: &str| if text == "c" { "k" } else { "" };
        let replaced = |all| regexp.replace_with("cat", all, 100, |it| table(it.get(0).unwrap_or("")));
        // Ruby: `'cat'.sub(/[ac]/, 'c' => 'k')`, and the same with `gsub`.
        assert_eq!(replaced(false).as_deref(), Ok("kat"));
        assert_eq!(replaced(true).as_deref(), Ok("kt"));
    }

    #[test]
    fn groups_with_names_have_no_numbers() {
        let regexp = Regexp::new("(?<n>a)").expect("a pattern");
        // Ruby: `'ab'.sub(/(?<n>a)/, '<\1\0\k<n>>')`.
        assert_eq!(regexp.replace("ab", r"<\1\0\k<n>>", false, 100).as_deref(), Ok("<aa>b"));
    }

    #[test]
    fn results_are_bounded() {
        let regexp = Regexp::new("a").expect("a pattern");
        assert_eq!(regexp.replace("aaa", "bb", true, 6).as_deref(), Ok("bbbbbb"));
        assert_eq!(regexp.replace("aaa", "bb", true, 5), Err(ReplaceError::TooLong { limit: 5 }));
        assert_eq!(regexp.replace("a", "b", false, 0), Err(ReplaceError::TooLong { limit: 0 }));
        assert_eq!(regexp.replace_with("aaa", true, 5, |_| "bb"), Err(ReplaceError::TooLong { limit: 5 }));
    }
}
