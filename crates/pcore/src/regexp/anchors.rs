use std::borrow::Cow;

/// Removes `\A` and `\Z` from a pattern.
pub(super) fn removed(source: &str) -> Cow<'_, str> {
    if !source.contains("\\A") && !source.contains("\\Z") {
        return Cow::Borrowed(source);
    }
    let mut rest = String::with_capacity(source.len());
    let mut characters = source.chars();
    while let Some(it) = characters.next() {
        match (it, characters.clone().next()) {
            ('\\', Some('A' | 'Z')) => drop(characters.next()),
            ('\\', Some(escaped)) => {
                characters.next();
                rest.extend([it, escaped]);
            }
            _ => rest.push(it),
        }
    }
    Cow::Owned(rest)
}

#[cfg(test)]
mod tests {
    use super::removed;

    #[test]
    fn anchors_go_and_escaped_backslashes_stay() {
        assert_eq!(removed(r"\Aab\Z"), "ab");
        assert_eq!(removed(r"\\A\d\z"), r"\\A\d\z");
        assert_eq!(removed(r"\\\A\Ax\"), r"\\x\");
    }
}
