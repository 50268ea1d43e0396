//! Merge conflict markers in a text.

use marotte_text::{TextRange, TextSize};

/// Removes merge conflicts from a text without changing its length; also returns the range of the first line of each
/// conflict.
///
/// The first version of each conflict stays; the lines of the markers and of the other versions become spaces. `None` if the text
/// contains no complete conflict: a line that starts with `<<<<<<< `, then a line `=======`, then a line that starts with
/// `>>>>>>> `.
pub(crate) fn without_conflicts(source: &str) -> Option<(String, Vec<TextRange>)> {
    let mut text = String::with_capacity(source.len());
    let mut conflicts = Vec::new();
    let mut rest = source;
    while let Some(conflict) = Conflict::find(rest) {
        let start = source.len() - rest.len() + conflict.start;
        let marker = rest[conflict.start..conflict.ours].trim_end();
        conflicts.push(TextRange::at(offset(start), TextSize::of(marker)));
        text.push_str(&rest[..conflict.start]);
        blank(&rest[conflict.start..conflict.ours], &mut text);
        text.push_str(&rest[conflict.ours..conflict.others]);
        blank(&rest[conflict.others..conflict.end], &mut text);
        rest = &rest[conflict.end..];
    }
    text.push_str(rest);
    (!conflicts.is_empty()).then_some((text, conflicts))
}

/// Removes the lines of conflict markers that belong to no complete conflict, without changing the length of the text; also
/// returns their ranges. `None` if there are none. A line of `=` may be anything, and stays.
pub(crate) fn without_markers(source: &str) -> Option<(String, Vec<TextRange>)> {
    let mut text = String::with_capacity(source.len());
    let mut markers = Vec::new();
    for line in source.split_inclusive('\n') {
        if line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ") {
            markers.push(TextRange::at(offset(text.len()), TextSize::of(line.trim_end())));
            blank(line, &mut text);
        } else {
            text.push_str(line);
        }
    }
    (!markers.is_empty()).then_some((text, markers))
}

/// The byte offsets at which the parts of a conflict start.
struct Conflict {
    start: usize,
    ours: usize,
    others: usize,
    end: usize,
}

impl Conflict {
    /// Finds the first conflict of a text. Takes time linear in the text it inspects: an opening marker without its
    /// partners ends the search.
    fn find(text: &str) -> Option<Conflict> {
        let (mut start, mut others, mut divided) = (None, None, false);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let content = line.trim_end();
            let end = at + line.len();
            match (start, divided) {
                (None, _) if content.starts_with("<<<<<<< ") => start = Some((at, end)),
                (Some(_), false) if content.starts_with("|||||||") => others = Some(at),
                (Some(_), false) if content == "=======" => {
                    others.get_or_insert(at);
                    divided = true;
                }
                (Some((start, ours)), true) if content.starts_with(">>>>>>> ") => {
                    return Some(Conflict { start, ours, others: others?, end });
                }
                _ => {}
            }
            at = end;
        }
        None
    }
}

/// Appends as many spaces as `text` has bytes, keeping its line ends.
fn blank(text: &str, to: &mut String) {
    to.extend(text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { ' ' }));
}

fn offset(at: usize) -> TextSize {
    TextSize::new(u32::try_from(at).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::without_conflicts;

    #[test]
    fn the_first_version_stays_in_its_place() {
        let source = "$a = 1\n<<<<<<< HEAD\n$b = 'ä'\n||||||| base\n$b = 0\n=======\n$b = 'ö'\n>>>>>>> other\n$c = 3\n";
        let (text, conflicts) = without_conflicts(source).unwrap();
        assert_eq!(text.len(), source.len());
        assert_eq!(text.split_whitespace().collect::<Vec<_>>().join(" "), "$a = 1 $b = 'ä' $c = 3");
        assert_eq!(text.find("$c"), source.find("$c"));
        assert_eq!(conflicts.len(), 1);
        assert_eq!(&source[conflicts[0]], "<<<<<<< HEAD");
    }

    #[test]
    fn markers_without_partners_are_no_conflict() {
        for text in [
            "<<<<<<< HEAD\n=======\n",
            "=======\n>>>>>>> b\n",
            "<<<<<<< a\n>>>>>>> b\n",
            " <<<<<<< a\n=======\n>>>>>>> b",
        ] {
            assert_eq!(without_conflicts(text), None, "{text}");
        }
    }
}
