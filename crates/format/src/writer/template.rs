//! The parts outside of a template's tags, which are kept verbatim wherever they occur between tokens.

use super::{Writer, span};
use crate::doc::{Outside, Span};

impl Writer<'_> {
    /// Writes these parts up to the code of the next tag.
    pub(crate) fn outside(&mut self) {
        let Some((text, rest)) = self.texts.split_first() else { return };
        self.texts = rest;
        let span = span(*text);
        self.end = span.1;
        self.doc.outside(Outside { span, indentation: self.indentation_of_tag(span.1) });
    }

    /// The indentation of a tag's code: that of the line on which the tag starts, if the tag is first on it.
    fn indentation_of_tag(&self, end: u32) -> Span {
        let before = self.bytes(0, end);
        let before = before.strip_suffix(b"-").or_else(|| before.strip_suffix(b"=")).unwrap_or(before);
        let Some(before) = before.strip_suffix(b"<%") else { return (0, 0) };
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let start = before.len() - blanks;
        let is_first = start == 0 || before[start - 1] == b'\n';
        if is_first { (start as u32, before.len() as u32) } else { (0, 0) }
    }

    /// Whether template text precedes the next token.
    pub(crate) fn is_outside_next(&self) -> bool {
        self.texts.first().is_some_and(|it| u32::from(it.end()) <= self.next_start())
    }

    /// Whether a comment precedes the next template text.
    pub(crate) fn has_comment_before_text(&self) -> bool {
        let text = self.texts.first().map_or(u32::MAX, |it| it.start().into());
        self.comments.get(self.comment).is_some_and(|it| it.0 < text)
    }

    /// Whether template text and a piece of the source overlap.
    pub(super) fn is_outside_within(&self, piece: Span) -> bool {
        let next = self.texts.partition_point(|it| u32::from(it.end()) <= piece.0);
        self.texts.get(next).is_some_and(|it| u32::from(it.start()) < piece.1)
    }

    /// Whether there is template text between two offsets.
    pub(crate) fn is_outside_between(&self, from: u32, to: u32) -> bool {
        let first = self.texts.partition_point(|it| u32::from(it.start()) < from);
        self.texts.get(first).is_some_and(|it| u32::from(it.start()) < to)
    }
}
