//! A splitter for JSON arrays that does not parse the elements.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// Returns the texts of the elements of an array. None if the text isn't one array to its end.
///
/// Elements are kept as text, because numbers of any size are facts.
pub(crate) fn elements(text: &str) -> Option<Vec<&str>> {
    let mut rest = text.trim_start().strip_prefix('[')?.trim_start();
    let mut found = Vec::new();
    if let Some(after) = rest.strip_prefix(']') {
        return after.trim_start().is_empty().then_some(found);
    }
    loop {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let (element, after) = rest.split_at_checked(values.byte_offset())?;
        found.push(element);
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return after.strip_prefix(']')?.trim_start().is_empty().then_some(found),
        }
    }
}

/// The part of a row that names its node.
#[derive(Deserialize)]
pub(crate) struct OfNode {
    pub(crate) certname: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_taken_apart() {
        assert_eq!(elements(" [ ] "), Some(vec![]));
        let text = "[{\"a\":\"],[\\\"\"} , 123456789012345678901234567890,\n[1, 2], null]\n";
        let parts = ["{\"a\":\"],[\\\"\"}", "123456789012345678901234567890", "[1, 2]", "null"];
        assert_eq!(elements(text), Some(parts.to_vec()));
    }

    #[test]
    fn what_is_cut_off_is_no_array() {
        let whole = "[{\"a\": [1, 2]}, {\"b\": \"x\"}]";
        for end in 0..whole.len() {
            assert_eq!(elements(&whole[..end]), None, "{end}");
        }
        for text in ["[1] 2", "[1,]", "[,1]", "{}", "[1 2]", "\"[]\""] {
            assert_eq!(elements(text), None, "{text}");
        }
    }
}
