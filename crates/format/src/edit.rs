//! The difference between two texts as edits.

use std::ops::{Range, RangeInclusive};

use marotte_text::{TextRange, TextSize};
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A replacement of a range of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The range to replace: whole lines.
    pub range: TextRange,
    /// The text that replaces the range.
    pub text: String,
}

/// The edits that transform one text into another, in order: whole lines, as few as possible.
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
    let mut starts = vec![TextSize::default()];
    for line in &old {
        let start = starts.last().copied().unwrap_or_default();
        starts.push(start + TextSize::of(*line));
    }
    let mut edits = Vec::new();
    let mut add = |old_lines: Range<usize>, new_lines: Range<usize>| {
        if old_middle[old_lines.clone()] != new_middle[new_lines.clone()] {
            let start = starts[same_start + old_lines.start];
            let end = starts[same_start + old_lines.end];
            edits.push(Edit { range: TextRange::new(start, end), text: new_middle[new_lines].concat() });
        }
    };
    // Layout preserves nearly all characters: groups of lines with the same ones are compared on their own, so that the time
    // grows with the text rather than with the square of the differences.
    let (mut old_at, mut new_at) = (0, 0);
    for (old_count, new_count) in parts(old_middle, new_middle) {
        let (old_end, new_end) = (old_at + old_count, new_at + new_count);
        let (old_part, new_part) = (&old_middle[old_at..old_end], &new_middle[new_at..new_end]);
        if old_part != new_part && old_count.max(new_count) <= LONGEST_PART {
            differences(old_part, new_part, |old_lines, new_lines| {
                add(
                    old_at + old_lines.start..old_at + old_lines.end,
                    new_at + new_lines.start..new_at + new_lines.end,
                );
            });
        } else {
            add(old_at..old_end, new_at..new_end);
        }
        (old_at, new_at) = (old_end, new_end);
    }
    edits
}

/// The most lines of a part within which single differences are searched. A longer part is replaced as a whole.
const LONGEST_PART: usize = 1000;

/// Calls `add` with the lines that differ, in groups that are as small as possible.
fn differences(old: &[&str], new: &[&str], mut add: impl FnMut(Range<usize>, Range<usize>)) {
    let (mut old_at, mut new_at) = (0, 0);
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        let (old_count, new_count) = (op.old_range().len(), op.new_range().len());
        if matches!(op, DiffOp::Equal { .. }) {
            (old_at, new_at) = (old_at + old_count, new_at + new_count);
            continue;
        }
        let (old_part, new_part) = (&old[old_at..old_at + old_count], &new[new_at..new_at + new_count]);
        for (old_count, new_count) in parts(old_part, new_part) {
            let (old_end, new_end) = (old_at + old_count, new_at + new_count);
            add(old_at..old_end, new_at..new_end);
            (old_at, new_at) = (old_end, new_end);
        }
    }
}

/// Pairs up minimal groups of lines of both sides, as line counts: groups with the same number of bytes, not counting
/// blanks and separators.
fn parts(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    let weight = |line: &str| {
        line.bytes().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b',' | b';')).count()
    };
    let mut parts = Vec::new();
    let (mut old, mut new) = (old.iter(), new.iter());
    let (mut part, mut ahead) = ((0, 0), 0_isize);
    loop {
        let next = if ahead <= 0 { old.next() } else { None };
        let next_new = if next.is_none() { new.next() } else { None };
        match (next, next_new) {
            (Some(line), _) => {
                part.0 += 1;
                ahead += weight(line) as isize;
            }
            (None, Some(line)) => {
                part.1 += 1;
                ahead -= weight(line) as isize;
            }
            (None, None) => break,
        }
        if ahead == 0 && part.0 > 0 && part.1 > 0 {
            parts.push(std::mem::take(&mut part));
        }
    }
    // Remaining lines belong to the last part.
    part.0 += old.count();
    match parts.last_mut() {
        Some(last) => (last.0, last.1) = (last.0 + part.0, last.1 + part.1),
        None => parts.push(part),
    }
    parts
}

/// The indices of the edits that touch some lines of a text.
pub(crate) fn touching(text: &str, edits: &[Edit], lines: RangeInclusive<usize>) -> Range<usize> {
    let mut starts = vec![0_usize];
    starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1));
    let start = starts.get(lines.start().saturating_sub(1)).copied().unwrap_or(text.len());
    let end = starts.get(*lines.end()).copied().unwrap_or(text.len() + 1);
    let touches = |edit: &Edit| {
        let (from, to) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
        // Insertions belong to the line before which they are inserted.
        if from == to { start <= from && from < end } else { from < end && start < to }
    };
    let first = edits.iter().position(touches).unwrap_or(edits.len());
    first..first + edits[first..].iter().take_while(|it| touches(it)).count()
}

/// Applies edits, in order, to a text.
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
