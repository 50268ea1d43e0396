//! Suppression comments (`# lint:ignore:NAME`), which cover the findings on their line: the code on the line of such a comment
//! has to stay on it.

use marotte_syntax::{TokenKind, Written};
use marotte_text::{LineIndex, TextSize};

use crate::doc::Span;
use crate::kept::Region;
use crate::writer::span;

/// The suppression comments of a text, by line, with the code on their lines.
pub(crate) struct Suppressions {
    lines: Vec<Line>,
}

/// A line with suppression comments.
struct Line {
    /// The indices of the first and the last of these comments.
    comments: (usize, usize),
    /// Whether nothing but blanks precedes them: such a comment starts or ends a block, rather than covering its line.
    is_block: bool,
    /// The code on the line; None if there is only a separator, or the comment starts or ends a block.
    code: Option<Code>,
    /// The range of the first comment.
    comment: Span,
}

/// The tokens on a line, as indices into those of the text without separators.
struct Code {
    first: usize,
    /// Whether the first token starts on an earlier line, and only ends on this one.
    is_continued: bool,
    last: usize,
    range: Span,
}

impl Suppressions {
    /// Finds the suppression comments of a text. None if there are none.
    pub(crate) fn of(text: &str, written: &Written) -> Option<Self> {
        memchr::memmem::find(text.as_bytes(), b"lint:")?;
        let is_suppression = |at: &usize| {
            let range = std::ops::Range::<usize>::from(written.comments[*at].range);
            let comment = text.get(range).unwrap_or_default();
            let marks = |it: char| matches!(it, '#' | '/' | '*') || it.is_whitespace();
            comment.trim_start_matches(marks).starts_with("lint:")
        };
        let mut comments = (0..written.comments.len()).filter(is_suppression).peekable();
        comments.peek()?;
        let index = LineIndex::new(text);
        let line_of = |offset: u32| index.line(TextSize::new(offset));
        let tokens = tokens(written);
        // The text of a heredoc comes before the rest of the line of its header.
        let mut in_order: Vec<usize> = (0..tokens.len()).collect();
        in_order.sort_by_key(|it| tokens[*it]);
        let mut lines: Vec<Line> = Vec::new();
        let mut last_line = None;
        for at in comments {
            let comment = span(written.comments[at].range);
            let line = line_of(comment.0);
            if last_line == Some(line) {
                lines.iter_mut().last().into_iter().for_each(|it| it.comments.1 = at);
                continue;
            }
            last_line = Some(line);
            let start = index.line_start(line).map_or(0, u32::from);
            let end = index.line_start(line + 1).map_or(text.len() as u32, u32::from);
            let before = text.get(start as usize..comment.0 as usize).unwrap_or_default();
            let is_block = before.chars().all(char::is_whitespace);
            let next = in_order.partition_point(|it| tokens[*it].0 < start);
            let after = in_order.partition_point(|it| tokens[*it].0 < end);
            let continued = next.checked_sub(1).filter(|it| tokens[in_order[*it]].1 > start);
            let first = continued.unwrap_or(next);
            let code = (first < after && !is_block).then(|| {
                let (first, last) = (in_order[first], in_order[after - 1]);
                let range = (tokens[first].0, tokens[last].1);
                Code { first, is_continued: continued.is_some(), last, range }
            });
            lines.push(Line { comments: (at, at), is_block, code, comment });
        }
        Some(Suppressions { lines })
    }

    /// The code that suppression comments of a text cover, or the comments themselves, where they no longer do so in `formatted`,
    /// which has the same tokens and comments, in order.
    pub(crate) fn displaced(&self, formatted: &str, written: &Written) -> Vec<Region> {
        let index = LineIndex::new(formatted);
        let line_of = |offset: u32| index.line(TextSize::new(offset));
        let tokens = tokens(written);
        let is_displaced = |it: &&Line| {
            let range_of = |at: usize| written.comments.get(at).map(|it| span(it.range));
            let (Some(first), Some(last)) = (range_of(it.comments.0), range_of(it.comments.1)) else {
                return false;
            };
            let line = line_of(first.0);
            let start = index.line_start(line).map_or(0, usize::from);
            let before = formatted.get(start..first.0 as usize).unwrap_or_default();
            let is_block = before.chars().all(char::is_whitespace);
            let has_code = it.code.as_ref().is_none_or(|code| {
                let starts = |at: usize| tokens.get(at).map(|it| line_of(it.0));
                let ends = |at: usize| tokens.get(at).map(|it| line_of(it.1));
                let first = if code.is_continued { ends(code.first) } else { starts(code.first) };
                let is_one = code.is_continued && code.first == code.last;
                first == Some(line) && (is_one || starts(code.last) == Some(line))
            });
            line_of(last.0) != line || is_block != it.is_block || !has_code
        };
        let displaced = self.lines.iter().filter(is_displaced);
        displaced.map(|it| Region::new(it.code.as_ref().map_or(it.comment, |code| code.range))).collect()
    }
}

/// The ranges of the tokens of the code itself, except for separators.
fn tokens(written: &Written) -> Vec<Span> {
    let is_of_code = |kind| {
        !matches!(
            kind,
            TokenKind::Comma
                | TokenKind::Semicolon
                | TokenKind::TemplateStart
                | TokenKind::TemplateEnd
                | TokenKind::RenderStart
                | TokenKind::RenderText
        )
    };
    let tokens = (0..written.tokens.len()).filter(|it| written.tokens.kind(*it).is_some_and(is_of_code));
    tokens.filter_map(|it| written.tokens.place(it)).map(|it| span(it.range())).collect()
}
