//! Maps offsets of a text to offsets of the source.

/// The mapping from offsets of the text being lexed to offsets of the source (A88).
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// The text is a piece of the source that starts at `offset`.
    Source {
        /// The source offset of the text's first byte.
        offset: u32,
    },
    /// The text is a heredoc's, with its margin removed.
    Margin(&'a MarginMap),
}

impl Origin<'_> {
    pub(super) fn range(self, start: usize, end: usize) -> (u32, u32) {
        match self {
            Origin::Source { offset } => (offset + start as u32, offset + end as u32),
            Origin::Margin(map) => {
                let from = map.offset(start);
                // The end belongs to the byte before it, which may be on the line before.
                let to = if end > start { map.offset(end - 1) + 1 } else { from };
                (from, to)
            }
        }
    }
}

/// The lines of a heredoc's text without margin, each with its position in the source.
pub(super) struct MarginMap {
    /// The source offset of the text's start, for a text without lines.
    start: u32,
    /// For each line in order: the offset of its kept part in the text and in the source.
    lines: Vec<(usize, u32)>,
}

impl MarginMap {
    pub(super) fn new(start: u32, lines: Vec<(usize, u32)>) -> MarginMap {
        MarginMap { start, lines }
    }

    fn offset(&self, local: usize) -> u32 {
        let next = self.lines.partition_point(|&(start, _)| start <= local);
        match self.lines.get(next.wrapping_sub(1)) {
            Some(&(start, global)) => global + (local - start) as u32,
            None => self.start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MarginMap, Origin};

    #[test]
    fn a_text_without_lines_stands_where_it_would_start() {
        assert_eq!(Origin::Margin(&MarginMap::new(8, Vec::new())).range(0, 0), (8, 8));
    }

    #[test]
    fn margins_are_skipped() {
        // `  ab⏎  c⏎` from offset 10 on, with a margin of two blanks.
        let map = MarginMap::new(10, vec![(0, 12), (3, 17)]);
        assert_eq!(Origin::Margin(&map).range(0, 3), (12, 15));
        assert_eq!(Origin::Margin(&map).range(2, 4), (14, 18));
    }
}
