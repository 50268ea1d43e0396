//! The writer: turns tokens and comments into the elements of a document.
//!
//! The layout walks the tree and determines the white space between tokens; each token is taken from the list of
//! tokens, in order, exactly once. So are comments, which the tree does not contain ([`comments`]).

mod comments;
mod template;

use marotte_syntax::{HeredocLines, TokenKind, Tokens, Written};
use marotte_text::TextRange;

use crate::Error;
use crate::doc::{Builder, Mark, Span};
use crate::kept::Kept;

/// The reading position in a text, and the document being written.
pub(crate) struct Writer<'s> {
    pub(crate) source: &'s str,
    pub(crate) doc: Builder<'s>,
    tokens: &'s Tokens,
    /// The index of the next token.
    at: usize,
    /// All comments of the code itself.
    comments: Vec<Span>,
    /// The index of the next comment.
    comment: usize,
    heredocs: &'s [HeredocLines],
    /// The lines of the heredocs whose headers were written last.
    heredoc_lines: Span,
    /// The parts outside of a template's tags, from the next on.
    texts: &'s [TextRange],
    /// The source offset at which the text written last ends.
    end: u32,
    /// Whether the text that follows starts an item of a list, before which a blank line is allowed.
    is_item: bool,
    /// Whether the text is a template.
    pub(crate) is_template: bool,
    /// Whether a comment may request that code is kept as it is.
    pub(crate) has_pragmas: bool,
    /// The rows of the lists being written: the position after their first cell, with its width.
    pub(crate) columns: Vec<(Mark, u32)>,
    pub(crate) choices: Choices<'s>,
    /// The reason why the text cannot be laid out.
    pub(crate) failure: Option<Error>,
}

/// Results of earlier attempts to lay out the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'s> {
    /// The ends of cells that are not aligned, because they turned out to take several lines: see [`Printed::torn`](crate::doc::Printed::torn).
    pub(crate) torn: &'s [u32],
    /// The pieces of code that are kept as they are written, in order.
    pub(crate) kept: &'s [Kept],
}

/// A range as a pair of offsets.
pub(crate) fn span(range: TextRange) -> Span {
    (range.start().into(), range.end().into())
}

impl<'s> Writer<'s> {
    /// Creates a writer at the start of a text.
    pub(crate) fn new(source: &'s str, written: &'s Written, choices: Choices<'s>) -> Self {
        let (comments, entangled) = comments::of_code(written);
        let mut writer = Writer {
            source,
            doc: Builder::new(source),
            tokens: &written.tokens,
            at: 0,
            comments,
            comment: 0,
            heredocs: &written.heredocs,
            heredoc_lines: (0, 0),
            texts: &written.texts,
            end: 0,
            is_item: false,
            is_template: !written.texts.is_empty(),
            has_pragmas: memchr::memmem::find(source.as_bytes(), b"fmt:").is_some(),
            columns: Vec::new(),
            choices,
            failure: entangled.then_some(Error::Entangled),
        };
        writer.skip_template_tokens();
        writer
    }

    fn advance(&mut self) {
        self.at += 1;
        self.skip_template_tokens();
    }

    /// Skips template text and the delimiters of tags, which are not tokens of the code.
    fn skip_template_tokens(&mut self) {
        while let Some(
            TokenKind::TemplateStart
            | TokenKind::TemplateEnd
            | TokenKind::RenderStart
            | TokenKind::RenderText,
        ) = self.kind()
        {
            self.at += 1;
        }
    }

    fn bytes(&self, from: u32, to: u32) -> &'s [u8] {
        self.source.as_bytes().get(from as usize..to as usize).unwrap_or_default()
    }

    // ---- looking ahead

    /// The kind of the next token.
    pub(crate) fn kind(&self) -> Option<TokenKind> {
        self.tokens.kind(self.at)
    }

    /// The kind of the token after the next one.
    pub(crate) fn second_kind(&self) -> Option<TokenKind> {
        self.tokens.kind(self.at + 1)
    }

    /// Whether the next token is of this kind.
    pub(crate) fn is_at(&self, kind: TokenKind) -> bool {
        self.kind() == Some(kind)
    }

    /// Whether an index of one token follows, without comments and without a comma.
    pub(crate) fn is_at_short_index(&self) -> bool {
        let is_short = |kind| {
            matches!(kind, TokenKind::Number | TokenKind::String | TokenKind::Variable | TokenKind::Name)
        };
        let end = self.tokens.place(self.at + 2).map_or(0, |it| it.range().start().into());
        self.is_at(TokenKind::LeftBracket)
            && self.second_kind().is_some_and(is_short)
            && self.tokens.kind(self.at + 2) == Some(TokenKind::RightBracket)
            && self.comments.get(self.comment).is_none_or(|it| end <= it.0)
    }

    /// The start of the next token; at the end of the tokens, the end of the text.
    pub(crate) fn next_start(&self) -> u32 {
        self.tokens.place(self.at).map_or(self.source.len() as u32, |it| it.range().start().into())
    }

    /// Whether all tokens have been written.
    pub(crate) fn is_done(&self) -> bool {
        self.at == self.tokens.len() && self.comment == self.comments.len() && self.texts.is_empty()
    }

    /// Records that the text cannot be laid out.
    pub(crate) fn fail(&mut self) {
        self.failure.get_or_insert(Error::Entangled);
    }

    // ---- writing

    /// Writes the next token, with the comments before and after it.
    pub(crate) fn token(&mut self) {
        self.before_token();
        let Some(place) = self.tokens.place(self.at) else {
            self.fail();
            return;
        };
        let kind = self.kind().unwrap_or(TokenKind::Other);
        let mut range = span(place.range());
        self.advance();
        match kind {
            TokenKind::StringStart => {
                range.1 = self.skip_string();
                self.skip_comments(range.1);
                self.doc.raw(range);
            }
            TokenKind::String => self.doc.raw(range),
            TokenKind::Heredoc => {
                self.doc.text(range);
                self.skip_heredoc_text();
            }
            _ => self.doc.text(range),
        }
        self.end = range.1;
        self.announce_heredocs();
        self.trailing_comments();
    }

    /// Skips the rest of a string with interpolation, and returns its end.
    fn skip_string(&mut self) -> u32 {
        let mut depth = 1_u32;
        let mut end = self.end;
        while let Some(kind) = self.kind().filter(|_| depth > 0) {
            depth = match kind {
                TokenKind::StringStart => depth + 1,
                TokenKind::StringEnd => depth - 1,
                _ => depth,
            };
            end = self.next_end();
            self.advance();
        }
        end
    }

    /// Skips the text of a heredoc, which follows its header.
    fn skip_heredoc_text(&mut self) {
        let has_parts = self.is_at(TokenKind::StringStart);
        self.advance();
        if has_parts {
            self.skip_string();
        }
    }

    /// The end of the next token.
    fn next_end(&self) -> u32 {
        self.tokens.place(self.at).map_or(self.source.len() as u32, |it| it.range().end().into())
    }

    /// Schedules the lines of heredocs whose headers have been written for output after this line.
    fn announce_heredocs(&mut self) {
        while let Some((heredoc, rest)) = self.heredocs.split_first()
            && u32::from(heredoc.header.end()) <= self.end
        {
            self.heredocs = rest;
            let lines = span(heredoc.lines);
            if lines.0 < self.end || self.is_outside_within(lines) {
                self.fail();
            }
            let follows = self.heredoc_lines.1 == lines.0;
            self.heredoc_lines = if follows { (self.heredoc_lines.0, lines.1) } else { lines };
            self.doc.heredoc(lines);
        }
    }

    /// Skips a comma, which the layout writes itself, and returns whether there was one.
    pub(crate) fn skip_comma(&mut self) -> bool {
        self.skip(TokenKind::Comma)
    }

    /// Skips a token that the layout writes itself or omits, and returns whether there was one. Comments after it, on its line, end
    /// the line of the token before it.
    pub(crate) fn skip(&mut self, kind: TokenKind) -> bool {
        let found = self.is_at(kind);
        if found {
            self.end = self.end.max(self.next_end());
            self.advance();
            self.comments_behind_separator();
        }
        found
    }

    /// Writes the source from `start`, which is not after the next token, up to `end` verbatim, and continues after it.
    pub(crate) fn verbatim(&mut self, start: u32, end: u32) {
        self.before(start);
        while self.tokens.place(self.at).is_some_and(|it| u32::from(it.range().start()) < end) {
            let is_heredoc = self.is_at(TokenKind::Heredoc);
            self.advance();
            if is_heredoc {
                self.skip_heredoc_text();
            }
        }
        self.skip_comments(end);
        while self.texts.first().is_some_and(|it| u32::from(it.start()) < end) {
            self.texts = &self.texts[1..];
        }
        self.doc.raw_forced((start, end));
        self.end = end;
        // Heredoc lines inside the piece have been written with it; only others follow it.
        while let Some((heredoc, rest)) = self.heredocs.split_first()
            && u32::from(heredoc.lines.end()) <= end
        {
            self.heredocs = rest;
        }
        self.announce_heredocs();
        self.trailing_comments();
    }

    /// The items that start at an offset and are kept as they are written.
    pub(crate) fn kept_at(&self, start: u32) -> Option<Kept> {
        self.kept_piece(start).filter(|it| it.count > 0)
    }

    /// Whether the header of the statement that starts at an offset is kept as it is written.
    pub(crate) fn keeps_header(&self, start: u32) -> bool {
        self.kept_piece(start).is_some_and(|it| it.count == 0)
    }

    fn kept_piece(&self, start: u32) -> Option<Kept> {
        let kept = self.choices.kept;
        kept.binary_search_by_key(&start, |it| it.start).ok().map(|at| kept[at])
    }

    /// The end of the header of a block: of the last token before the brace, after which the block's first statement starts at
    /// `first`.
    pub(crate) fn header_end(&self, first: u32) -> Option<u32> {
        let (mut last, mut end) = (None, None);
        for at in self.at.. {
            let Some(place) = self.tokens.place(at).filter(|it| u32::from(it.range().start()) < first) else {
                break;
            };
            if self.tokens.kind(at) == Some(TokenKind::LeftBrace) {
                end = last;
            }
            last = Some(place.range().end().into());
        }
        end
    }

    // ---- lines

    /// The number of line ends between two offsets, without those in heredocs.
    fn line_ends(&self, from: u32, to: u32) -> usize {
        let count = |from, to| memchr::memchr_iter(b'\n', self.bytes(from, to)).count();
        let (first, last) = self.heredoc_lines;
        if from <= first && last <= to && first < last {
            count(from, first) + count(last, to)
        } else {
            count(from, to)
        }
    }

    /// Allows a blank line before the following text, if the source has one there.
    pub(crate) fn item(&mut self) {
        self.is_item = true;
    }

    /// Forces a blank line before the following text.
    pub(crate) fn item_apart(&mut self) {
        self.doc.blank_line();
    }

    /// The source offset at which the text written last ends.
    pub(crate) fn end(&self) -> u32 {
        self.end
    }
}
