use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use similar::{ChangeTag, TextDiff as Lines};

use crate::shown::first_digits;

/// The maximum number of lines that are kept of a difference.
const KEPT: usize = 200;

/// The maximum number of bytes that are kept of a line.
const WIDTH: usize = 500;

/// The number of context lines around changed lines.
const CONTEXT: usize = 3;

/// The maximum number of lines that are compared with each other.
const MOST_LINES: usize = 4_000;

/// The lines in which two texts differ, in the unified format.
///
/// Two differences are equal if they add and remove the same lines in the same hunks, regardless of the position and the context
/// of the hunks: files may have lines that are different on each node.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TextDiff {
    /// The hunks, without file names. Only the first lines, if there are many.
    pub hunks: String,
    /// The number of lines that are left out.
    pub more: usize,
    /// The number of added lines.
    pub added: usize,
    /// The number of removed lines.
    pub removed: usize,
    /// A digest of all added and removed lines, with the boundaries of hunks.
    digest: String,
}

impl PartialEq for TextDiff {
    fn eq(&self, other: &TextDiff) -> bool {
        self.digest == other.digest
    }
}

impl Eq for TextDiff {}

impl Hash for TextDiff {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}

impl TextDiff {
    /// Compares two texts line by line.
    pub fn new(before: &str, after: &str) -> TextDiff {
        let whole = unified(before, after);
        let (mut added, mut removed) = (0, 0);
        let (mut hunks, mut more, mut changed) = (String::new(), 0, Sha256::new());
        for (number, line) in whole.split_terminator('\n').enumerate() {
            match line.as_bytes().first() {
                Some(b'+') => added += 1,
                Some(b'-') => removed += 1,
                _ => {}
            }
            match line.as_bytes().first() {
                Some(b'+' | b'-' | b'\\') => changed.update(format!("{line}\n")),
                Some(b'@') => changed.update("@\n"),
                _ => {}
            }
            if number >= KEPT {
                more += 1;
                continue;
            }
            let end =
                (0..=line.len().min(WIDTH)).rev().find(|it| line.is_char_boundary(*it)).unwrap_or_default();
            hunks.push_str(&line[..end]);
            if end < line.len() {
                hunks.push('…');
            }
            hunks.push('\n');
        }
        let digest = first_digits(&changed.finalize());
        TextDiff { hunks, more, added, removed, digest }
    }
}

/// Whether all lines in which two texts differ count as replaced, because there are too many to compare them: the effort grows with the
/// square of those that differ.
pub(crate) fn are_replaced(removed: &[&str], added: &[&str]) -> bool {
    !removed.is_empty() && !added.is_empty() && removed.len() + added.len() > MOST_LINES
}

/// Returns all hunks, in the unified format.
fn unified(before: &str, after: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (removed, added) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    if are_replaced(removed, added) {
        return replaced(start, removed, added);
    }
    let lines = Lines::from_slices(&old, &new);
    let mut text = String::new();
    for hunk in lines.unified_diff().context_radius(CONTEXT).iter_hunks() {
        text.push_str(&format!("{}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let sign = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
            };
            line(sign, change.value(), &mut text);
        }
    }
    text
}

/// Returns one hunk in which all removed lines precede all added lines.
fn replaced(start: usize, removed: &[&str], added: &[&str]) -> String {
    let mut text = format!("@@ -{0},{1} +{0},{2} @@\n", start + 1, removed.len(), added.len());
    removed.iter().for_each(|it| line('-', it, &mut text));
    added.iter().for_each(|it| line('+', it, &mut text));
    text
}

fn line(sign: char, content: &str, text: &mut String) {
    text.push(sign);
    text.push_str(content);
    if !content.ends_with('\n') {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared() {
        let diff = TextDiff::new("a\nb\nc\n", "a\nx\nc");
        assert_eq!(diff.hunks, "@@ -1,3 +1,3 @@\n a\n-b\n-c\n+x\n+c\n\\ No newline at end of file\n");
        assert_eq!((diff.added, diff.removed, diff.more), (2, 2, 0));
    }

    #[test]
    fn many_lines_are_not_searched_for_equal_ones() {
        let lines = |count: usize| (0..count).map(|it| format!("{it}\n")).collect::<String>();
        let of = |count| {
            let diff = TextDiff::new("x\n1\ny\n", &lines(count));
            (diff.removed, diff.added)
        };
        assert_eq!(of(MOST_LINES - 3), (2, MOST_LINES - 4));
        assert_eq!(of(MOST_LINES), (3, MOST_LINES));
    }

    #[test]
    fn lines_around_make_no_other_difference() {
        let first = TextDiff::new("a\nx\nb\n", "a\ny\nb\n");
        assert_eq!(first, TextDiff::new("0\n1\n2\n3\n4\nx\n", "0\n1\n2\n3\n4\ny\n"));
        assert_ne!(first, TextDiff::new("a\nx\nb\n", "a\nz\nb\n"));
        assert_ne!(first, TextDiff::new("a\nx\nb\n", "y\na\nb\n"));
    }

    #[test]
    fn large_texts_take_no_time_and_stay_different() {
        let text = |word: &str| (0..20_000).map(|it| format!("{word} {it}\n")).collect::<String>();
        let first = TextDiff::new(&text("a"), &text("b"));
        assert_eq!((first.added, first.removed, first.more), (20_000, 20_000, 40_001 - KEPT));
        let mut other = text("b");
        other.push_str("one more\n");
        assert_ne!(first, TextDiff::new(&text("a"), &other));
        assert_ne!(TextDiff::new("", &text("b")), TextDiff::new("", &other));
    }
}
