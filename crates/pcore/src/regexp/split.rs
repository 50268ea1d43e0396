use super::{MatchError, Regexp};

impl Regexp {
    /// Returns the pieces of a text between matches, like Ruby's `split`, including the captured groups in between. A
    /// positive limit is the maximum number of pieces, without captures; without a limit, trailing empty pieces are
    /// dropped, and with a negative one they are kept.
    ///
    /// # Errors
    /// If a match takes too many steps.
    pub fn split<'t>(&self, text: &'t str, limit: i64) -> Result<Vec<&'t str>, MatchError> {
        if text.is_empty() || limit == 1 {
            return Ok(if text.is_empty() { Vec::new() } else { vec![text] });
        }
        let searcher = self.searcher(text)?;
        let mut pieces = Vec::new();
        // The start of the current piece, and the position from which the next match is searched.
        let (mut begin, mut start) = (0, 0);
        let mut was_empty = false;
        let mut count = 1;
        while start <= text.len()
            && let Some(captures) = searcher.captures_from(start)?
        {
            let range = captures.range();
            if range.is_empty() && range.start == start {
                if !was_empty {
                    // An empty match separates a character from the next, if no longer match starts there.
                    start = next_start(text, start);
                    was_empty = true;
                    continue;
                }
                pieces.push(&text[begin..next_start(text, begin).min(text.len())]);
                begin = start;
            } else {
                pieces.push(&text[begin..range.start]);
                begin = range.end;
                start = range.end;
            }
            was_empty = false;
            pieces.extend((1..=self.group_count()).filter_map(|group| captures.get(group)));
            count += 1;
            if limit > 0 && limit <= count {
                break;
            }
        }
        if limit != 0 || begin < text.len() {
            pieces.push(&text[begin..]);
        }
        if limit == 0 {
            let kept = pieces.iter().rposition(|it| !it.is_empty()).map_or(0, |at| at + 1);
            pieces.truncate(kept);
        }
        Ok(pieces)
    }
}

/// Returns the position after the character at a position; one beyond the end at the end of the text.
fn next_start(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::Regexp;

    /// A text, a pattern, a limit, and the result of Ruby's `split`.
    const RECORDED: [(&str, &str, i64, &[&str]); 28] = [
        ("a,b,,c,,", ",", 0, &["a", "b", "", "c"]),
        ("a,b,,c,,", ",", -1, &["a", "b", "", "c", "", ""]),
        ("a,b,c", ",", 2, &["a", "b,c"]),
        ("abc", "", 0, &["a", "b", "c"]),
        ("abc", "", 2, &["a", "bc"]),
        ("abc", "", -1, &["a", "b", "c", ""]),
        ("a1b2c", r"(\d)", 0, &["a", "1", "b", "2", "c"]),
        ("a1b2c", r"(\d)", 2, &["a", "1", "b2c"]),
        ("", ",", 0, &[]),
        ("", ",", -1, &[]),
        (" a  b ", " ", 0, &["", "a", "", "b"]),
        (" a b", r"\s*", 0, &["", "a", "b"]),
        ("abc", "(b)?", 0, &["a", "b", "c"]),
        ("abc", "(x)?", 0, &["a", "b", "c"]),
        ("日本語", "", 0, &["日", "本", "語"]),
        ("a,b", ",", 1, &["a,b"]),
        ("abc", "$", 0, &["abc"]),
        ("abc", "c", 0, &["ab"]),
        ("aab", "a*", 0, &["", "b"]),
        ("abc", "(?=b)", 0, &["a", "bc"]),
        ("a\nb", "^", 0, &["a\n", "b"]),
        ("abc", "b|(c)", 0, &["a", "", "c"]),
        ("a,b,,", "(,)", 0, &["a", ",", "b", ",", "", ","]),
        ("abc", "(a)", 0, &["", "a", "bc"]),
        ("  a b", " ", 0, &["", "", "a", "b"]),
        ("abab", "(?<x>b)", 0, &["a", "b", "a", "b"]),
        ("ab", "(a)|b", -1, &["", "a", "", ""]),
        ("baab", "a*?", 0, &["b", "a", "a", "b"]),
    ];

    #[test]
    fn splits_as_recorded() {
        for (text, pattern, limit, pieces) in RECORDED {
            let regexp = Regexp::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            assert_eq!(regexp.split(text, limit).as_deref(), Ok(pieces), "{text:?} at /{pattern}/, {limit}");
        }
    }
}
