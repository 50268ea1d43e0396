//! The assignment of comments to tokens.
//!
//! - A comment after a token on its line is *trailing*. It stays at the end of that token's line, after a comma that
//!   the layout adds.
//! - Any other comment is *leading*: it goes before the token that follows, on a line of its own if it was alone on
//!   one.
//! - A comment before a closing bracket is *dangling*: it ends the content of the brackets.
//!
//! Comments are taken from one list in order, like tokens, so that each is written exactly once, in order.

use marotte_syntax::{TokenKind, Written};

use super::{Writer, span};
use crate::doc::Span;

/// The maximal number of successive comments that are inspected to find out whether the line ends after them.
const MOST_ON_A_LINE: usize = 1000;

/// The comments of the code itself: those inside heredocs are part of the heredocs. Also returns whether a comment and
/// the lines of a heredoc overlap.
pub(super) fn of_code(written: &Written) -> (Vec<Span>, bool) {
    let mut comments = Vec::with_capacity(written.comments.len());
    let mut heredocs = written.heredocs.iter().map(|it| span(it.lines)).peekable();
    let mut entangled = false;
    for comment in written.comments.iter().map(|it| span(it.range)) {
        while heredocs.next_if(|lines| lines.1 <= comment.0).is_some() {}
        match heredocs.peek() {
            Some(lines) if lines.0 <= comment.0 => entangled |= comment.1 > lines.1,
            Some(lines) if lines.0 < comment.1 => entangled = true,
            _ => comments.push(comment),
        }
    }
    (comments, entangled)
}

impl<'s> Writer<'s> {
    fn text_of(&self, comment: Span) -> &'s str {
        self.between(comment.0, comment.1)
    }

    /// The range of a comment without its trailing blanks.
    fn trimmed(&self, comment: Span) -> Span {
        (comment.0, comment.0 + self.text_of(comment).trim_end().len() as u32)
    }

    /// Whether nothing precedes a comment on its line.
    fn is_alone_before(&self, comment: Span) -> bool {
        let mut before = self.between(0, comment.0).chars().rev();
        before.find(|it| !is_blank(*it)).is_none_or(|it| it == '\n')
    }

    /// Whether the line ends after the next comment, ignoring separators and other comments.
    fn is_last_on_line(&self, comment: Span) -> bool {
        let mut end = comment.1;
        let mut others = self.comments[self.comment..].iter().skip(1).take(MOST_ON_A_LINE);
        loop {
            let rest = self.between(end, self.source.len() as u32);
            let after = rest.trim_start_matches(|it| is_blank(it) || is_separator(it));
            if after.is_empty() || after.starts_with('\n') {
                return true;
            }
            let blanks = rest.len() - after.len();
            match others.next() {
                Some(other) if other.0 == end + blanks as u32 => end = other.1,
                _ => return false,
            }
        }
    }

    fn is_line_comment(&self, comment: Span) -> bool {
        self.bytes(comment.0, comment.1).first() == Some(&b'#')
    }

    pub(super) fn skip_comments(&mut self, end: u32) {
        while self.comments.get(self.comment).is_some_and(|it| it.0 < end) {
            self.comment += 1;
        }
    }

    /// Returns the next comment, without consuming it.
    fn peek(&self) -> Option<Span> {
        self.comments.get(self.comment).copied()
    }

    /// Writes the comments that follow the text written last, on its line.
    pub(super) fn trailing_comments(&mut self) {
        while let Some(comment) = self.peek() {
            let between = self.between(self.end, comment.0);
            if comment.0 < self.end || !between.chars().all(|it| is_separator(it) || is_blank(it)) {
                return;
            }
            // A comment of several lines goes on lines of its own.
            if self.bytes(comment.0, comment.1).contains(&b'\n') {
                return;
            }
            if self.is_line_comment(comment) || self.is_last_on_line(comment) {
                let trimmed = self.trimmed(comment);
                self.doc.suffix(trimmed);
            } else if between.contains(is_separator) || !self.closes_after(comment) {
                return;
            } else {
                self.apart_from_suffix();
                self.doc.raw(comment);
            }
            self.comment += 1;
            self.end = comment.1;
        }
    }

    /// Writes the comments that follow a separator on its line, which the text written last ends with, up to the end of the line.
    pub(super) fn comments_behind_separator(&mut self) {
        while let Some(comment) = self.peek() {
            let is_behind = self.end <= comment.0 && self.between(self.end, comment.0).chars().all(is_blank);
            let ends_line = self.is_line_comment(comment) || self.is_last_on_line(comment);
            if !is_behind || !ends_line || self.bytes(comment.0, comment.1).contains(&b'\n') {
                return;
            }
            let trimmed = self.trimmed(comment);
            self.doc.suffix(trimmed);
            self.comment += 1;
            self.end = comment.1;
        }
    }

    fn between(&self, from: u32, to: u32) -> &'s str {
        self.source.get(from as usize..to as usize).unwrap_or_default()
    }

    /// Whether a closing token follows a comment, so that the comment is about the code before it.
    fn closes_after(&self, comment: Span) -> bool {
        let closes = matches!(
            self.kind(),
            Some(
                TokenKind::Comma
                    | TokenKind::Semicolon
                    | TokenKind::RightParen
                    | TokenKind::RightBracket
                    | TokenKind::RightBrace
            )
        );
        closes && self.next_start() >= comment.1
    }

    /// Writes the comments and the template text before the next token.
    pub(crate) fn before_token(&mut self) {
        self.before(self.next_start());
    }

    /// Writes the comments and the template text before a place that is not after the next token.
    pub(crate) fn before(&mut self, place: u32) {
        // Blank lines between comments are kept, and so is one after them.
        let mut is_item = std::mem::take(&mut self.is_item);
        if self.peek().is_some_and(|it| it.0 < place) || !self.texts.is_empty() {
            loop {
                let comment = self.peek().filter(|it| it.0 < place);
                let text = self.texts.first().map(|it| span(*it)).filter(|it| it.1 <= place);
                match (comment, text) {
                    (Some(comment), text) if text.is_none_or(|it| comment.0 < it.0) => {
                        self.leading_comment(comment, is_item, false);
                        is_item = true;
                    }
                    (_, Some(_)) => self.outside(),
                    _ => break,
                }
            }
        }
        if is_item {
            self.blank_line_before(place);
        }
    }

    fn blank_line_before(&mut self, place: u32) {
        if place > self.end && self.line_ends(self.end, place) > 1 {
            self.doc.blank_line();
        }
    }

    fn leading_comment(&mut self, comment: Span, is_item: bool, is_last: bool) {
        let is_apart = self.is_last_on_line(comment) || is_last && self.is_alone_before(comment);
        if self.is_line_comment(comment) || is_apart {
            if is_item {
                self.doc.hard_line();
                self.blank_line_before(comment.0);
            }
            let trimmed = self.trimmed(comment);
            self.doc.own_line(trimmed);
        } else {
            if is_item {
                self.blank_line_before(comment.0);
            }
            // A blank would separate an index from its operand.
            let is_index = self.is_at(TokenKind::LeftBracket);
            if !is_index && !self.is_after_opening() || self.doc.has_suffix() {
                self.apart_from_suffix();
            }
            self.doc.raw_forced(comment);
            if !is_index {
                self.doc.space();
            }
        }
        self.comment += 1;
        self.end = self.end.max(comment.1);
    }

    /// Separates a comment from the text before it: by a line end after a comment that extends to the end of its line, which would
    /// come after this one otherwise, and by a blank after other text.
    fn apart_from_suffix(&mut self) {
        match self.doc.has_suffix() {
            true => self.doc.hard_line(),
            false => self.doc.space(),
        }
    }

    /// Whether nothing precedes the next text within its brackets, or in the text.
    fn is_after_opening(&self) -> bool {
        let last = self.at.checked_sub(1).and_then(|it| self.tokens.kind(it));
        matches!(
            last,
            None | Some(
                TokenKind::LeftParen | TokenKind::LineParen | TokenKind::LeftBracket | TokenKind::ListStart
            )
        )
    }

    /// Writes the comments before the next token, a closing bracket, inside the brackets. The first one may follow a
    /// blank line only if other content precedes it.
    pub(crate) fn dangling_comments(&mut self, is_first: bool) {
        let mut is_item = !is_first;
        while let Some(comment) = self.peek().filter(|it| it.0 < self.next_start()) {
            if self.texts.first().is_some_and(|it| u32::from(it.start()) < comment.0) {
                return;
            }
            self.leading_comment(comment, is_item, true);
            is_item = true;
        }
    }

    /// Writes the comments between the last statement of a tag and the end of the tag or block.
    pub(crate) fn last_comments(&mut self) {
        let text = self.texts.first().map_or(u32::MAX, |it| it.start().into());
        let end = self.next_start().min(text);
        while let Some(comment) = self.peek().filter(|it| it.0 < end) {
            self.leading_comment(comment, true, true);
        }
    }

    /// Whether a comment precedes the next token.
    pub(crate) fn has_comment(&self) -> bool {
        self.peek().is_some_and(|it| it.0 < self.next_start())
    }

    /// Whether there is a comment between an opening bracket, which is the last token, and the next token.
    pub(crate) fn has_comment_inside(&self) -> bool {
        self.doc.ends_with_suffix() || self.has_comment()
    }

    /// Writes the comments between the next token, an operator, and its right operand before the operator: a line ends
    /// before an operator, not after it.
    pub(crate) fn comments_behind_operator(&mut self) {
        let end = self.next_end();
        let operand = self.tokens.place(self.at + 1).map_or(end, |it| it.range().start().into());
        while let Some(comment) = self.peek().filter(|it| end <= it.0 && it.0 < operand) {
            let trimmed = self.trimmed(comment);
            if self.is_alone_before(comment)
                && (self.is_line_comment(comment) || self.is_last_on_line(comment))
            {
                self.doc.own_line(trimmed);
            } else if self.is_line_comment(comment) {
                self.doc.suffix(trimmed);
            } else {
                return;
            }
            self.comment += 1;
        }
    }

    // ---- requests to keep code as it is

    /// The first comment `# fmt: TEXT` that is alone on its line, between two offsets.
    pub(crate) fn pragma(&self, text: &str, from: u32, to: u32) -> Option<Span> {
        let first = self.comments.partition_point(|it| it.0 < from);
        let mut comments = self.comments[first..].iter().take_while(|it| it.0 < to).copied();
        comments.find(|it| is_pragma(self.text_of(*it), text) && self.is_alone_before(*it))
    }

    /// Whether a comment after the code that ends at `end`, on its line, requests to keep that code as it is.
    pub(crate) fn is_skipped(&self, end: u32) -> bool {
        let first = self.comments.partition_point(|it| it.0 < end);
        self.comments.get(first).is_some_and(|comment| {
            let between = self.between(end, comment.0);
            is_pragma(self.text_of(*comment), "skip")
                && between.chars().all(|it| is_blank(it) || is_separator(it))
        })
    }
}

fn is_separator(it: char) -> bool {
    matches!(it, ',' | ';')
}

/// Whether a character is a blank to the lexer (A5), or part of a line end.
fn is_blank(it: char) -> bool {
    it != '\n' && it.is_whitespace()
}

fn is_pragma(comment: &str, text: &str) -> bool {
    let words = comment.strip_prefix('#').map(str::trim).and_then(|it| it.strip_prefix("fmt:"));
    words.map(str::trim) == Some(text)
}
