use std::fmt;
use std::ops::Range;

use marotte_text::Str;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::text::are_replaced;

/// An edit of code, data or facts without which a node would not have a change.
///
/// ```
/// use marotte_impact::{Cause, Edit};
///
/// let cause = Cause { file: "data/common.yaml".into(), edit: Edit::Lines { before: None, after: Some(7) } };
/// assert_eq!(cause.to_string(), "data/common.yaml:7");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    /// The path of the file, relative to the environment if it is in the environment.
    pub file: Str,
    /// The way in which the file differs.
    pub edit: Edit,
}

/// The way in which a file differs between the code before and the code after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Edit {
    /// Lines differ: the first of them, from 1, before and after. `None` if lines were only added, or only removed; both are
    /// `None` if it is unknown which lines matter.
    Lines {
        /// The first differing line before.
        before: Option<u32>,
        /// The first differing line after.
        after: Option<u32>,
    },
    /// The file, or the folder with all its contents, was added.
    New,
    /// The file, or the folder with all its contents, was removed.
    Gone,
}

impl Cause {
    /// Returns the line in the code after, if it is known.
    pub fn line_after(&self) -> Option<u32> {
        match self.edit {
            Edit::Lines { after, .. } => after,
            Edit::New | Edit::Gone => None,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match self.edit {
            Edit::Lines { after: Some(line), .. } => write!(out, "{file}:{line}"),
            Edit::Lines { before: Some(line), .. } => write!(out, "{file}:{line} (removed)"),
            Edit::Lines { .. } => write!(out, "{file}"),
            Edit::New => write!(out, "{file}, which is new"),
            Edit::Gone => write!(out, "{file}, which is gone"),
        }
    }
}

/// Lines of a text that replace others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    before: Range<usize>,
    after: Range<usize>,
}

/// Returns the hunks between two texts, in order, without context lines.
///
/// ```
/// let hunks = marotte_impact::hunks("a\nb\nc\n", "a\nx\nc\nd\n");
/// assert_eq!(hunks.len(), 2);
/// assert_eq!(hunks[0].revert("a\nb\nc\n", "a\nx\nc\nd\n"), "a\nb\nc\nd\n");
/// ```
pub fn hunks(before: &str, after: &str) -> Vec<Hunk> {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<&str>>();
    let (old, new) = (lines(before), lines(after));
    let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    let moved = |it: Range<usize>| start + it.start..start + it.end;
    if are_replaced(old, new) {
        return vec![Hunk { before: moved(0..old.len()), after: moved(0..new.len()) }];
    }
    let found = capture_diff_slices(Algorithm::Myers, old, new);
    let found = found.iter().filter(|it| it.tag() != DiffTag::Equal);
    found.map(|it| Hunk { before: moved(it.old_range()), after: moved(it.new_range()) }).collect()
}

impl Hunk {
    /// Returns the text after the change, with the lines of this hunk reverted.
    pub fn revert(&self, before: &str, after: &str) -> String {
        let (old, new) = (before.split_inclusive('\n'), after.split_inclusive('\n'));
        let old = old.skip(self.before.start).take(self.before.len());
        let start = new.clone().take(self.after.start);
        start.chain(old).chain(new.skip(self.after.end)).collect()
    }

    /// Returns the first lines of the hunk, before and after.
    pub fn edit(&self) -> Edit {
        let line = |it: &Range<usize>| (!it.is_empty()).then(|| u32::try_from(it.start + 1).ok()).flatten();
        Edit::Lines { before: line(&self.before), after: line(&self.after) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_code_after_if_there_are_any() {
        let shown = |edit| Cause { file: "a".into(), edit }.to_string();
        let lines = |before, after| shown(Edit::Lines { before, after });
        assert_eq!([lines(Some(1), Some(2)), lines(None, Some(2))], ["a:2", "a:2"]);
        assert_eq!([lines(Some(1), None), lines(None, None)], ["a:1 (removed)", "a"]);
        assert_eq!([shown(Edit::New), shown(Edit::Gone)], ["a, which is new", "a, which is gone"]);
    }

    #[test]
    fn each_hunk_is_reverted_alone() {
        let (before, after) = ("1\n2\n3\n4\n5\n", "1\nx\n3\n5\n6");
        let hunks = hunks(before, after);
        let reverted: Vec<String> = hunks.iter().map(|it| it.revert(before, after)).collect();
        assert_eq!(reverted, ["1\n2\n3\n5\n6", "1\nx\n3\n4\n5\n6", "1\nx\n3\n5\n"]);
        let edits: Vec<Edit> = hunks.iter().map(Hunk::edit).collect();
        let lines = |before, after| Edit::Lines { before, after };
        assert_eq!(edits, [lines(Some(2), Some(2)), lines(Some(4), None), lines(None, Some(5))]);
    }
}
