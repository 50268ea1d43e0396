//! Lines that YAML 1.2 wants indented, and the reference does not.
//!
//! Within brackets, braces and quotes, the reference's parser does not look at indentation. Ours does, and refuses lines that
//! stand farther to the left than what they are within. Blanks at the start of such lines mean nothing, so they are put in, and
//! the text is read again.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{DataError, DataErrorKind};

/// How many bytes are read again at most, so that a long text of many such lines does not take long.
const BUDGET: usize = 8 << 20;

/// Which lines of a text are indented.
pub(super) struct Indentation {
    /// How many blanks are put in, by the byte at which a line starts.
    blanks: BTreeMap<usize, usize>,
    budget: usize,
}

impl Indentation {
    pub(super) fn none() -> Indentation {
        Indentation { blanks: BTreeMap::new(), budget: BUDGET }
    }

    /// Indents the lines that an error is about. Answers whether there are any, so that another try is worth it.
    pub(super) fn mend(&mut self, text: &str, error: &DataError) -> bool {
        let DataErrorKind::Syntax(message) = &error.kind else { return false };
        let (before, behind) = text.split_at_checked(usize::from(error.range.start())).unwrap_or((text, ""));
        let own_start = before.rfind('\n').map_or(0, |it| it + 1);
        let starts = match message.as_str() {
            "invalid indentation" | "invalid indentation in flow construct" => vec![own_start],
            // This one is about a line of the text in quotes that starts there.
            "invalid indentation in quoted scalar" => {
                let quoted = &behind[..quoted_length(behind)];
                quoted.match_indices('\n').map(|(index, _)| before.len() + index + 1).collect()
            }
            _ => return false,
        };
        let Some(budget) = self.budget.checked_sub(text.len()) else { return false };
        self.budget = budget;
        let blanks = before.lines().map(block_width).max().unwrap_or(0) + 1;
        let known = self.blanks.len();
        // The first line is within nothing.
        self.blanks.extend(starts.into_iter().filter(|it| *it > 0).map(|start| (start, blanks)));
        self.blanks.len() > known
    }

    /// The text with its indented lines.
    pub(super) fn apply<'t>(&self, text: &'t str) -> Indented<'t> {
        if self.blanks.is_empty() {
            return Indented { text: Cow::Borrowed(text), added: Vec::new() };
        }
        let (mut indented, mut done) = (String::with_capacity(text.len()), 0);
        let mut added = Vec::with_capacity(self.blanks.len());
        for (&line, &blanks) in &self.blanks {
            indented.push_str(text.get(done..line).unwrap_or_default());
            let total = indented.len() - line + blanks;
            added.push(Added { start: indented.len(), line, total });
            indented.extend(std::iter::repeat_n(' ', blanks));
            done = line;
        }
        indented.push_str(text.get(done..).unwrap_or_default());
        Indented { text: Cow::Owned(indented), added }
    }
}

/// A text in which some lines are indented.
pub(super) struct Indented<'t> {
    pub(super) text: Cow<'t, str>,
    /// In order.
    added: Vec<Added>,
}

/// Blanks that were put in.
struct Added {
    /// The byte at which they start.
    start: usize,
    /// The byte of the original at which the line starts.
    line: usize,
    /// How many bytes were put in up to here, these included.
    total: usize,
}

impl Indented<'_> {
    /// The byte of the original that stands at a byte of the text; of blanks that were put in, the start of their line.
    pub(super) fn original(&self, byte: usize) -> usize {
        let count = self.added.partition_point(|it| it.start <= byte);
        match count.checked_sub(1).and_then(|last| self.added.get(last)) {
            Some(it) => byte.saturating_sub(it.total).max(it.line),
            None => byte,
        }
    }
}

/// How far to the right blocks can start in a line: behind blanks and the signs of sequences and mappings.
fn block_width(line: &str) -> usize {
    line.bytes().take_while(|it| b" -?:".contains(it)).count()
}

/// How many bytes a text in quotes has, these included, at the start of some source; all, if it does not end.
pub(super) fn quoted_length(source: &str) -> usize {
    let (quote, mut is_escaped) = (source.bytes().next(), false);
    let mut bytes = source.bytes().enumerate().skip(1).peekable();
    while let Some((at, byte)) = bytes.next() {
        if quote == Some(b'"') {
            if byte == b'"' && !is_escaped {
                return at + 1;
            }
            is_escaped = byte == b'\\' && !is_escaped;
        } else if byte == b'\'' && bytes.next_if(|(_, it)| *it == b'\'').is_none() {
            // Two stand for one.
            return at + 1;
        }
    }
    source.len()
}
