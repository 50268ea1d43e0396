//! Bracketed lists, separated by commas.

use crate::doc::Mark;
use crate::writer::Writer;

/// The maximal width of a one-token cell that takes part in the alignment.
const WIDEST_ALIGNED_TOKEN: u32 = 100;

/// The maximal width of a cell of several tokens that takes part in the alignment; such cells may take several lines.
const WIDEST_ALIGNED_CELL: u32 = 60;

/// The layout of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct List {
    /// Whether there are blanks inside the brackets if the list is on one line.
    pub(super) padded: bool,
    /// Whether the last item gets a comma if the items are on lines of their own. A comma after the last item in the
    /// source puts the items of any list on lines of their own.
    pub(super) trailing_comma: bool,
    /// Whether the items are always on lines of their own.
    pub(super) broken: bool,
    /// Whether the last item may be the only one that is broken.
    pub(super) hugs_last: bool,
}

impl Writer<'_> {
    /// Writes the brackets (the next token and the one after the items) and the items between them.
    pub(super) fn list<T>(
        &mut self,
        list: List,
        items: impl Iterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.token();
        let mut items = items.peekable();
        if items.peek().is_none() && !self.has_comment() {
            self.skip_comma();
            self.token();
            return;
        }
        let mut last = None;
        let mut is_first = true;
        self.doc.group();
        self.doc.indent(1);
        self.bracket_line(list);
        while let Some(item) = items.next() {
            if !is_first {
                self.doc.line();
                self.item();
            }
            is_first = false;
            let kept = self.kept_at(self.next_start());
            if let Some(kept) = kept {
                self.verbatim(kept.start, kept.end);
                (1..kept.count).for_each(|_| _ = items.next());
            }
            let is_last = items.peek().is_none();
            let hugs = is_last && list.hugs_last && kept.is_none() && !self.has_comment();
            last = hugs.then(|| self.doc.mark());
            if kept.is_none() {
                write(self, item);
            }
            let has_comma = self.skip_comma();
            if !is_last {
                self.doc.word(",");
            } else if has_comma || list.trailing_comma {
                self.doc.if_broken(",");
                if has_comma {
                    self.doc.force();
                }
            }
        }
        if list.broken {
            self.doc.force();
        }
        self.dangling_comments(is_first);
        self.doc.dedent();
        self.bracket_line(list);
        self.doc.end_group(last);
        self.token();
    }

    fn bracket_line(&mut self, list: List) {
        if list.padded {
            self.doc.line();
        } else {
            self.doc.soft_line();
        }
    }

    // ---- columns

    /// Starts a column: cells that end at [`column`](Self::column) get the same width in all rows.
    pub(super) fn start_columns(&self) -> usize {
        self.columns.len()
    }

    /// Starts a row's cell, which excludes comments before it.
    pub(super) fn start_cell(&mut self) -> Mark {
        self.before_token();
        self.doc.mark()
    }

    /// Ends a cell, which started at `mark`. Returns its end and its width, if it is to be aligned: if it is at most `widest`
    /// wide and not [torn](crate::doc::Printed::torn).
    pub(super) fn end_cell(&mut self, mark: Mark, widest: u32) -> Option<(Mark, u32)> {
        let width = self.doc.width_since(mark).filter(|it| *it <= widest);
        let pad = self.doc.pad(mark);
        width.filter(|_| self.choices.torn.binary_search(&pad.index()).is_err()).map(|width| (pad, width))
    }

    /// Ends a row's cell, which started at `mark`. A cell that may take several lines is not aligned.
    pub(super) fn column(&mut self, mark: Mark) {
        let is_one_token = self.doc.count_since(mark) == 1;
        let widest = if is_one_token { WIDEST_ALIGNED_TOKEN } else { WIDEST_ALIGNED_CELL };
        if let Some((pad, width)) = self.end_cell(mark, widest) {
            self.columns.push((pad, width));
        }
    }

    /// Aligns the rows since `start`.
    pub(super) fn align(&mut self, start: usize) {
        let rows = self.columns.split_off(start);
        let widest = rows.iter().map(|(_, width)| *width).max().unwrap_or(0);
        for (pad, width) in rows {
            self.doc.set_pad(pad, widest - width);
        }
    }
}
