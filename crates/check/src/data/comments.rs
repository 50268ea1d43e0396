//! Comments in data documents, which the parsers of these formats skip.

use marotte_hiera::data::{Document, Inner, Permitted, Places, parse_yaml};
use marotte_syntax::Comment;
use marotte_text::{TextRange, TextSize};

/// The comments of a document, in order: they start with a hash mark that starts a line or follows a blank, outside of strings.
pub(crate) fn comments(text: &str, document: &Document) -> Vec<Comment> {
    let mut texts = Vec::new();
    scalars(&document.places, &mut texts);
    texts.sort_unstable_by_key(|it| it.start());
    let mut comments = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let length = line.trim_end_matches(['\n', '\r']).len();
        let mark = line[..length].match_indices('#').map(|(at, _)| at).find(|at| {
            let before = line[..*at].chars().next_back();
            before.is_none_or(char::is_whitespace) && !is_within(&texts, start + at)
        });
        if let Some(mark) = mark {
            let size = |it: usize| TextSize::try_from(it).unwrap_or_default();
            comments.push(Comment { range: TextRange::new(size(start + mark), size(start + length)) });
        }
        start += line.len();
    }
    comments
}

/// The comments of a text in YAML. None if it cannot be parsed.
pub fn yaml_comments(text: &str) -> Option<Vec<Comment>> {
    let document = parse_yaml(text, Permitted::DATA).ok()?;
    Some(comments(text, &document))
}

/// Collects the ranges of strings, keys included.
fn scalars(places: &Places, found: &mut Vec<TextRange>) {
    match &places.inner {
        Inner::Scalar => found.push(places.range),
        Inner::Elements(elements) => elements.iter().for_each(|it| scalars(it, found)),
        Inner::Entries(entries) => {
            for (key, value) in entries.iter() {
                found.push(*key);
                scalars(value, found);
            }
        }
    }
}

fn is_within(texts: &[TextRange], offset: usize) -> bool {
    let before = texts.partition_point(|it| usize::from(it.start()) <= offset);
    // Aliases repeat other parts of the document, so ranges may overlap; few do.
    texts[..before].iter().rev().take(4).any(|it| offset < usize::from(it.end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_marks_in_texts_start_no_comments() {
        let text = "# one\na: 'x '' # no' # two\ne: \"\\\" # no\" # too\nb: y#no\nc: |\n  # no\n  z\nd: [1, # three\n  2]\n";
        let document = parse_yaml(text, Permitted::DATA).unwrap();
        let found: Vec<_> = comments(text, &document).iter().map(|it| &text[it.range]).collect();
        assert_eq!(found, ["# one", "# two", "# too", "# three"]);
    }
}
