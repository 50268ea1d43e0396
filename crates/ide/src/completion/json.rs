//! The place of the cursor in a JSON text, determined from its quotes and brackets: a text that is being written can rarely be
//! parsed.

use super::yaml::Step;

/// The string that is being written in a JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JsonPlace<'t> {
    /// The way to the value that is being written, or to the object whose key it is.
    pub(super) path: Vec<Step<'t>>,
    /// The text between the quote and the cursor.
    pub(super) written: &'t str,
    /// The string is a key.
    pub(super) is_key: bool,
    /// The other keys of the object.
    pub(super) siblings: Vec<&'t str>,
}

/// An unclosed array or object.
struct Open<'t> {
    is_object: bool,
    /// The key whose value follows.
    key: Option<&'t str>,
    keys: Vec<&'t str>,
}

/// Finds the string at an offset. None outside of strings.
pub(super) fn place(text: &str, offset: usize) -> Option<JsonPlace<'_>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut found: Option<(JsonPlace<'_>, usize)> = None;
    let mut last = "";
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let start = at;
        at += letter.len_utf8();
        match letter {
            '"' => {
                let end = string_end(text, at);
                let string = &text[at..end];
                if (at..=end).contains(&offset) {
                    let within = open.last()?;
                    let is_key = within.is_object && within.key.is_none();
                    let steps = open.iter().filter_map(|it| match it.is_object {
                        true => it.key.map(Step::Key),
                        false => Some(Step::Element),
                    });
                    let siblings = within.keys.clone();
                    let place =
                        JsonPlace { path: steps.collect(), written: &text[at..offset], is_key, siblings };
                    found = Some((place, open.len()));
                }
                last = string;
                at = end + usize::from(text[end..].starts_with('"'));
            }
            '{' | '[' => open.push(Open { is_object: letter == '{', key: None, keys: Vec::new() }),
            '}' | ']' => {
                // The object of the key is complete.
                if found.as_ref().is_some_and(|(_, depth)| *depth == open.len()) {
                    break;
                }
                open.pop();
            }
            ':' => {
                let depth = open.len();
                if let Some(within) = open.last_mut() {
                    within.key = Some(last);
                    within.keys.push(last);
                }
                if let Some((place, of)) = &mut found
                    && *of == depth
                {
                    place.siblings.push(last);
                }
            }
            ',' => {
                if let Some(within) = open.last_mut() {
                    within.key = None;
                }
            }
            _ => {}
        }
        debug_assert!(start < at, "each step moves on");
    }
    found.map(|(place, _)| place)
}

/// The end of a string that begins at an offset: its closing quote, or the end of the line.
fn string_end(text: &str, start: usize) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text[start..].char_indices() {
        match letter {
            '"' if !is_escaped => return start + at,
            '\n' => return start + at,
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_places() {
        for (text, path, written, is_key, siblings) in [
            (r#"{"a|"}"#, "", "a", true, vec![]),
            (r#"{"x": 1, "y|": 2, "z": {"w": 1}}"#, "", "y", true, vec!["x", "y", "z"]),
            (r#"{"x": "v|"}"#, "x", "v", false, vec!["x"]),
            (r#"{"x": [{"n": "a"}, {"n": "b|", "m": 1}], "y": 1}"#, "x.*.n", "b", false, vec!["n", "m"]),
            ("{\"x\": [\"v|\n]}", "x.*", "v", false, vec![]),
            (r#"{"x": {"y\"": {"|"}}}"#, r#"x.y\""#, "", true, vec![]),
        ] {
            let offset = text.find('|').expect("a cursor");
            let text = text.replace('|', "");
            let found = place(&text, offset).expect(&text);
            let steps = found.path.iter().map(|it| match it {
                Step::Key(key) => key,
                Step::Element => "*",
            });
            assert_eq!(steps.collect::<Vec<_>>().join("."), path, "{text}");
            assert_eq!((found.written, found.is_key, found.siblings), (written, is_key, siblings), "{text}");
        }
        assert_eq!(place("{}", 1), None);
        assert_eq!(place("\"", 1), None);
    }
}
