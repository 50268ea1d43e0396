use super::ScanError;
use crate::regexp::Regexp;

/// Returns the length of a run of characters of a set, at most `width`. The set is interpreted by regular expressions.
/// Without a width, a character outside of the set, or the end, must follow: this matters if a set is negated twice.
pub(super) fn matched(text: &str, set: &str, width: Option<usize>) -> Result<Option<usize>, ScanError> {
    let follows = match (width, set.strip_prefix('^')) {
        (Some(_), _) => String::new(),
        (None, _) if set.starts_with("[:") => String::new(),
        (None, Some(others)) => format!(r"(?=[{others}]|\z)"),
        (None, None) => format!(r"(?=[^{set}]|\z)"),
    };
    let regexp = Regexp::new(&format!(r"\A[{set}]+{follows}"))
        .map_err(|error| ScanError::Set { set: set.to_owned(), error })?;
    let Some(captures) = regexp.captures(text)? else { return Ok(None) };
    let taken = &text[captures.range()];
    Ok(Some(taken.chars().take(width.unwrap_or(usize::MAX)).map(char::len_utf8).sum()))
}
