//! The difference between two texts as edits.

use std::ops::{Range, RangeInclusive};

use marotte_text::{TextRange, TextSize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A range of a text, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced: whole lines.
    pub range: TextRange,
    /// By this.
    pub text: String,
}

/// The edits that make one text of another, in order: whole lines, no more than differ.
pub fn edits(before: &str, after: &str) -> Vec<Edit> {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let new: Vec<&str> = after.split_inclusive('\n').collect();
    // Most texts have few differences or none.
    let same_start = old.iter().zip(&new).take_while(|(one, two)| one == two).count();
    let rest = old.len().min(new.len()) - same_start;
    let same_end =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(one, two)| one == two).count();
    let (old_middle, new_middle) =
        (&old[same_start..old.len() - same_end], &new[same_start..new.len() - same_end]);
    let offset = |line: usize| -> TextSize { old[..line].iter().map(|it| TextSize::of(*it)).sum() };
    let edit = |old_lines: Range<usize>, new_lines: Range<usize>| Edit {
        range: TextRange::new(offset(same_start + old_lines.start), offset(same_start + old_lines.end)),
        text: new_middle[new_lines].concat(),
    };
    capture_diff_slices(Algorithm::Myers, old_middle, new_middle)
        .into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| edit(op.old_range(), op.new_range()))
        .collect()
}

/// The edits that touch some lines of a text.
pub(crate) fn touching(text: &str, edits: Vec<Edit>, lines: RangeInclusive<usize>) -> Vec<Edit> {
    let mut starts = vec![0_usize];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let start = starts.get(lines.start().saturating_sub(1)).copied().unwrap_or(text.len());
    let end = starts.get(*lines.end()).copied().unwrap_or(text.len() + 1);
    let touches = |edit: &Edit| {
        let (from, to) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
        // Lines that are only added belong to the line that they stand before.
        if from == to { start <= from && from < end } else { from < end && start < to }
    };
    edits.into_iter().filter(touches).collect()
}

/// The text that edits, in order, make of another.
pub fn apply(text: &str, edits: &[Edit]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut copied = 0;
    for edit in edits {
        result.push_str(&text[copied..edit.range.start().into()]);
        result.push_str(&edit.text);
        copied = edit.range.end().into();
    }
    result.push_str(&text[copied..]);
    result
}
