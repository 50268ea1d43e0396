//! The builder of documents.

use std::num::NonZeroU32;

use super::{Element, Group, Outside, OwnLine, Pad, Span};

/// A document under construction; once finished, it also has the measurements that printing needs.
#[derive(Debug)]
pub(crate) struct Builder<'s> {
    source: &'s str,
    pub(super) elements: Vec<Element>,
    /// The width, for each element, of everything before it if it were on one line.
    pub(super) widths: Vec<u32>,
    width: u32,
    /// The open groups.
    open: Vec<Open>,
    /// The number of unconditional line ends.
    forced: u32,
    /// The number of comments at the ends of lines.
    suffixes: u32,
    /// The number of the outermost groups that such a comment on the current line is in: the next line end is unconditional, and
    /// breaks those of them that are still open.
    ending: usize,
    /// The number of groups that were open at the comment at the end of the current line, if there is one.
    suffix: Option<usize>,
}

/// An open group.
#[derive(Debug)]
struct Open {
    /// The index of its start.
    start: u32,
    /// The number of forced line ends before it.
    forced: u32,
    /// The number of forced line ends and of suffixes before it.
    all: u32,
    /// Whether the line of a suffix ends in it.
    broken: bool,
}

/// A position in a document.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    element: u32,
    width: u32,
    forced: u32,
}

impl Mark {
    /// The index of the element that follows.
    pub(crate) fn index(self) -> u32 {
        self.element
    }
}

impl<'s> Builder<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        // About one element for every four bytes.
        let capacity = source.len() / 4 + 16;
        Builder {
            source,
            elements: Vec::with_capacity(capacity),
            widths: Vec::with_capacity(capacity + 1),
            width: 0,
            open: Vec::new(),
            forced: 0,
            suffixes: 0,
            ending: 0,
            suffix: None,
        }
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    fn slice(&self, span: Span) -> &'s str {
        self.source.get(span.0 as usize..span.1 as usize).unwrap_or_default()
    }

    fn push(&mut self, element: Element, width: u32) {
        self.elements.push(element);
        self.widths.push(self.width);
        self.width += width;
    }

    fn push_forced(&mut self, element: Element) {
        self.push(element, 0);
        self.forced += 1;
    }

    /// Adds a piece of the source without line ends.
    pub(crate) fn text(&mut self, span: Span) {
        let width = width(self.slice(span));
        self.push(Element::Text(span), width);
    }

    /// Adds a piece of the source that may contain line ends.
    pub(crate) fn raw(&mut self, span: Span) {
        let text = self.slice(span);
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            self.push(Element::Raw(span), width(last_line(text)));
        } else {
            self.text(span);
        }
    }

    /// Adds a piece of the source that shares its line with nothing else unless it must.
    pub(crate) fn raw_forced(&mut self, span: Span) {
        self.raw(span);
        if self.slice(span).contains('\n') {
            self.forced += 1;
        }
    }

    pub(crate) fn word(&mut self, word: &'static str) {
        self.push(Element::Word(word), word.len() as u32);
    }

    pub(crate) fn if_room(&mut self, word: &'static str) {
        self.push(Element::IfRoom(word), word.len() as u32);
    }

    pub(crate) fn space(&mut self) {
        self.push(Element::Space, 1);
    }

    /// Breaks the groups whose line must end.
    fn end_line(&mut self) {
        let ending = std::mem::take(&mut self.ending);
        self.suffix = self.suffix.filter(|groups| *groups < self.open.len());
        self.open.iter_mut().take(ending).for_each(|it| it.broken = true);
    }

    pub(crate) fn soft_line(&mut self) {
        self.end_line();
        self.push(Element::SoftLine, 0);
    }

    pub(crate) fn line(&mut self) {
        self.end_line();
        self.push(Element::Line, 1);
    }

    pub(crate) fn hard_line(&mut self) {
        self.end_line();
        self.suffix = None;
        self.push_forced(Element::HardLine);
    }

    pub(crate) fn blank_line(&mut self) {
        self.push(Element::BlankLine, 0);
    }

    pub(crate) fn if_broken(&mut self, word: &'static str) {
        self.push(Element::IfBroken(word), 0);
    }

    /// Adds a comment at the end of a line. A group that ends before this line does need not be broken.
    pub(crate) fn suffix(&mut self, span: Span) {
        self.push(Element::Suffix(span), 0);
        self.suffixes += 1;
        self.ending = self.open.len();
        self.suffix = Some(self.open.len());
    }

    /// Whether a comment extends, or may extend, to the end of the current line.
    pub(crate) fn has_suffix(&self) -> bool {
        self.suffix.is_some()
    }

    pub(crate) fn own_line(&mut self, span: Span) {
        self.suffix = None;
        self.push_forced(Element::OwnLine(span));
    }

    pub(crate) fn heredoc(&mut self, span: Span) {
        self.push(Element::Heredoc(span), 0);
    }

    pub(crate) fn outside(&mut self, outside: Outside) {
        self.push(Element::Outside(outside), 0);
    }

    /// Whether the last text is a comment at the end of a line.
    pub(crate) fn ends_with_suffix(&self) -> bool {
        let is_text = |it: &&Element| !matches!(it, Element::Dedent | Element::EndGroup);
        matches!(self.elements.iter().rev().find(is_text), Some(Element::Suffix(_)))
    }

    // ---- nesting

    pub(crate) fn group(&mut self) {
        let (start, forced, all) = (self.elements.len() as u32, self.forced, self.forced + self.suffixes);
        self.open.push(Open { start, forced, all, broken: false });
        self.push(Element::Group(Group::default()), 0);
    }

    /// Ends the innermost group. With `last`, the part from there on may be broken alone.
    pub(crate) fn end_group(&mut self, last: Option<Mark>) {
        self.end_group_with(last, None);
    }

    /// Ends the innermost group, of operators. With `last`, the part from there on, which follows the operator that starts at the
    /// first mark, is broken alone if it would be broken on a line of its own, too.
    pub(crate) fn end_operators(&mut self, last: Option<(Mark, Mark)>, levels: u32) {
        let own_line = last.map(|(operator, last)| OwnLine { levels, operator: last.width - operator.width });
        self.end_group_with(last.map(|(_, last)| last), own_line);
    }

    fn end_group_with(&mut self, last: Option<Mark>, own_line: Option<OwnLine>) {
        let end = self.elements.len() as u32;
        self.push(Element::EndGroup, 0);
        let Some(Open { start, forced, all, broken }) = self.open.pop() else { return };
        self.ending = self.ending.min(self.open.len());
        let last = last.filter(|mark| mark.forced == all).and_then(|mark| NonZeroU32::new(mark.element));
        if let Some(Element::Group(group)) = self.elements.get_mut(start as usize) {
            *group = Group { end, broken: broken || self.forced > forced, last, own_line };
        }
    }

    /// Breaks all open groups.
    pub(crate) fn force(&mut self) {
        self.forced += 1;
    }

    pub(crate) fn indent(&mut self, levels: u32) {
        self.push(Element::Indent(levels), 0);
    }

    pub(crate) fn dedent(&mut self) {
        self.push(Element::Dedent, 0);
    }

    // ---- alignment

    /// Returns the current position in the document.
    pub(crate) fn mark(&self) -> Mark {
        let forced = self.forced + self.suffixes;
        Mark { element: self.elements.len() as u32, width: self.width, forced }
    }

    /// The width of everything since `mark`; None if it cannot be on one line.
    pub(crate) fn width_since(&self, mark: Mark) -> Option<u32> {
        let since = self.elements.get(mark.element as usize..).unwrap_or_default();
        let forced = self.forced + self.suffixes;
        let on_one_line = forced == mark.forced && !since.iter().any(|it| matches!(it, Element::Raw(_)));
        on_one_line.then(|| self.width - mark.width)
    }

    /// The number of elements since `mark`.
    pub(crate) fn count_since(&self, mark: Mark) -> usize {
        self.elements.len() - mark.element as usize
    }

    /// Adds blanks, whose number is set later, at the end of the cell that started at `cell`.
    pub(crate) fn pad(&mut self, cell: Mark) -> Mark {
        let mark = self.mark();
        self.push(Element::Pad(Pad { blanks: None, cell: cell.element }), 0);
        mark
    }

    pub(crate) fn set_pad(&mut self, pad: Mark, blanks: u32) {
        if let Some(Element::Pad(it)) = self.elements.get_mut(pad.element as usize) {
            it.blanks = Some(blanks);
        }
    }

    /// Finishes the document, and returns it.
    pub(crate) fn finish(mut self) -> Self {
        self.widths.push(self.width);
        self
    }
}

/// The number of characters of a text.
pub(super) fn width(text: &str) -> u32 {
    if text.is_ascii() { text.len() as u32 } else { text.chars().count() as u32 }
}

pub(super) fn first_line(text: &str) -> &str {
    text.split('\n').next().unwrap_or_default()
}

pub(super) fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}
