//! Where a text's bytes stand in the source.

/// How offsets of the text being lexed map to offsets of the source (A88).
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// The text is a piece of the source that starts at `offset`.
    Source {
        /// Offset of the text's first byte.
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
                // The end belongs to the byte before it, which may stand on the line before.
                let to = if end > start { map.offset(end - 1) + 1 } else { from };
                (from, to)
            }
        }
    }
}

/// The lines of a heredoc's text without margin, each with its place in the source.
pub(super) struct MarginMap {
    /// Offset in the text and in the source of what each line keeps, in order.
    lines: Vec<(usize, u32)>,
}

impl MarginMap {
    pub(super) fn new(lines: Vec<(usize, u32)>) -> MarginMap {
        MarginMap { lines }
    }

    fn offset(&self, local: usize) -> u32 {
        let next = self.lines.partition_point(|&(start, _)| start <= local);
        match self.lines.get(next.wrapping_sub(1)) {
            Some(&(start, global)) => global + (local - start) as u32,
            None => self.lines.first().map_or(0, |&(_, global)| global),
        }
    }
}
