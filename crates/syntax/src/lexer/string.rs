//! Quoted strings and interpolation (A20-A40).

use std::borrow::Cow;
use std::ops::Range;

use super::escape::{self, EscapeError, Escapes};
use super::{Interpolation, Lexer};
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

/// The end of a piece of text.
enum End {
    /// The closing quote; for unquoted text, the end of the text.
    Text,
    /// `${`.
    Expression,
    /// `$` and a name.
    Variable,
}

impl Lexer<'_, '_> {
    pub(super) fn single_quoted(&mut self) {
        let start = self.pos;
        let mut at = start + 1;
        let end = loop {
            match self.bytes.get(at) {
                Some(b'\'') => break at,
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => return self.unclosed_quote(start, '\''),
            }
        };
        self.pos = end + 1;
        let content = &self.text[start + 1..end];
        if content.contains('\\') || self.is_remapped() {
            self.push_text(TokenKind::String, start, end + 1, escape::single_quoted(content));
            self.after = Some(TokenKind::String);
        } else {
            self.push(TokenKind::String, start);
        }
    }

    pub(super) fn double_quoted(&mut self) {
        let start = self.pos;
        let nested = !self.interpolations.is_empty();
        match self.quoted_piece(start + 1) {
            None => self.unclosed_quote(start, '"'),
            Some((end, End::Text)) => {
                self.pos = end + 1;
                let content = &self.text[start + 1..end];
                if content.contains('\\') || self.is_remapped() {
                    let value = self.unescape(content, start + 1);
                    self.push_text(TokenKind::String, start, end + 1, value);
                    self.after = Some(TokenKind::String);
                } else {
                    self.push(TokenKind::String, start);
                }
            }
            Some((end, kind)) => {
                let value = self.unescape(&self.text[start + 1..end], start + 1);
                self.push_text(TokenKind::StringStart, start, end, value);
                self.interpolate(end, kind, true, start);
                // The reference does not record what a nested string was; only its content matters (A41).
                if !nested && self.interpolations.is_empty() {
                    self.after = Some(TokenKind::StringEnd);
                }
            }
        }
    }

    /// Lexes the rest of a string after `$name` or the `}` of an interpolation.
    pub(super) fn quoted_tail(&mut self, string_start: usize) {
        loop {
            let start = self.pos;
            match self.quoted_piece(start) {
                None => {
                    self.report_unclosed(string_start, '"');
                    self.push_text(TokenKind::StringEnd, start, start, Cow::Borrowed(""));
                    self.pos = start.max(self.line_end(start));
                    return;
                }
                Some((end, End::Text)) => {
                    let value = self.unescape(&self.text[start..end], start);
                    self.push_text(TokenKind::StringEnd, start, end + 1, value);
                    self.pos = end + 1;
                    if self.interpolations.is_empty() {
                        self.after = Some(TokenKind::StringEnd);
                    }
                    return;
                }
                Some((end, kind)) => {
                    let value = self.unescape(&self.text[start..end], start);
                    self.push_text(TokenKind::StringMiddle, start, end, value);
                    let expression = matches!(kind, End::Expression);
                    self.open_interpolation(end, kind, true, string_start);
                    if expression {
                        return;
                    }
                }
            }
        }
    }

    /// Starts an interpolation at the `$` at `at`; a variable is lexed immediately, together with the string's tail.
    fn interpolate(&mut self, at: usize, kind: End, quoted: bool, string_start: usize) {
        let variable = matches!(kind, End::Variable);
        self.open_interpolation(at, kind, quoted, string_start);
        if variable && quoted {
            self.quoted_tail(string_start);
        }
    }

    fn open_interpolation(&mut self, at: usize, kind: End, quoted: bool, string_start: usize) {
        if let End::Variable = kind {
            self.pos = at + 1;
            self.variable_name();
            let range = self.range(at, self.pos);
            self.out.tokens.push(TokenKind::Variable, range);
        } else {
            self.pos = at + 2;
            let first_token = self.out.tokens.len();
            self.interpolations.push(Interpolation {
                braces: self.braces,
                first_token,
                quoted,
                string_start,
            });
        }
    }

    /// Finds the end of a piece of double-quoted text that starts at `from`.
    fn quoted_piece(&self, from: usize) -> Option<(usize, End)> {
        let mut at = from;
        loop {
            match *self.bytes.get(at)? {
                b'"' => return Some((at, End::Text)),
                b'\\' => at += 2,
                b'$' => match self.dollar(at) {
                    Some(end) => return Some((at, end)),
                    None => at += 1,
                },
                _ => at += 1,
            }
        }
    }

    /// The construct that a `$` in text starts, if any.
    fn dollar(&self, at: usize) -> Option<End> {
        match self.bytes.get(at + 1..)? {
            [b'{', ..] => Some(End::Expression),
            [byte, ..] if super::is_word(*byte) => Some(End::Variable),
            [b':', b':', byte, ..] if super::is_word(*byte) => Some(End::Variable),
            _ => None,
        }
    }

    fn unescape<'a>(&mut self, text: &'a str, offset: usize) -> Cow<'a, str> {
        let mut errors = Vec::new();
        let value = escape::unescape(text, Escapes::DOUBLE_QUOTED, &mut errors);
        self.escape_errors(errors, offset);
        value
    }

    /// The value of text of a heredoc. Of its escapes, only one that names no character is wrong.
    pub(super) fn heredoc_value<'a>(
        &mut self,
        text: &'a str,
        offset: usize,
        escapes: Escapes,
    ) -> Cow<'a, str> {
        let mut errors = Vec::new();
        let value = escape::unescape(text, escapes, &mut errors);
        errors.retain(|it| matches!(it, EscapeError::NoSuchCharacter(..)));
        self.escape_errors(errors, offset);
        value
    }

    fn escape_errors(&mut self, errors: Vec<EscapeError>, offset: usize) {
        for error in errors {
            match error {
                EscapeError::Unrecognized(at, c) => {
                    let start = offset + at;
                    self.error(start, start + 1 + c.len_utf8(), SyntaxErrorKind::UnrecognizedEscape(c));
                }
                EscapeError::MalformedUnicode(at) => {
                    self.error(offset + at, offset + at + 2, SyntaxErrorKind::MalformedUnicodeEscape);
                }
                EscapeError::NoSuchCharacter(at, len) => {
                    self.error(offset + at, offset + at + len, SyntaxErrorKind::NoSuchCharacter);
                }
            }
        }
    }

    // ---- unquoted text of heredocs

    /// Lexes the whole text as that of a heredoc with interpolation.
    pub(super) fn interpolated_text(&mut self, escapes: Escapes) {
        let Some((end, kind)) = self.unquoted_piece(0, escapes.dollar) else {
            let value = self.heredoc_value(self.text, 0, escapes);
            self.push_text(TokenKind::String, 0, self.text.len(), value);
            return;
        };
        self.heredoc_escapes = escapes;
        let value = self.heredoc_value(&self.text[..end], 0, escapes);
        self.push_text(TokenKind::StringStart, 0, end, value);
        let variable = matches!(kind, End::Variable);
        self.open_interpolation(end, kind, false, 0);
        if variable {
            self.text_tail(0);
        }
        self.code();
    }

    /// Lexes the rest of a heredoc's text after an interpolation.
    pub(super) fn text_tail(&mut self, string_start: usize) {
        let escapes = self.heredoc_escapes;
        loop {
            let start = self.pos;
            let (before, resumed) = self.before_inner_heredocs(start, escapes.dollar);
            let outer = self.heredoc_value(&self.text[before.clone()], before.start, escapes).into_owned();
            let piece = self.unquoted_piece(resumed, escapes.dollar);
            let end = piece.as_ref().map_or(self.text.len(), |it| it.0);
            let value = Cow::Owned(outer + &self.heredoc_value(&self.text[resumed..end], resumed, escapes));
            let Some((_, kind)) = piece else {
                self.push_text(TokenKind::StringEnd, start, end, value);
                self.pos = end;
                return;
            };
            self.push_text(TokenKind::StringMiddle, start, end, value);
            let expression = matches!(kind, End::Expression);
            self.open_interpolation(end, kind, false, string_start);
            if expression {
                return;
            }
        }
    }

    /// The rest of a line after the header of a heredoc nested in this text, and the offset at which this text
    /// continues after the nested heredoc (A76): after its lines, its end line, and the line end before them, as in
    /// code. The range is empty if the line does not end before the next interpolation.
    fn before_inner_heredocs(&mut self, from: usize, dollar_escape: bool) -> (Range<usize>, usize) {
        let Some(next) = self.after_heredocs else { return (from..from, from) };
        let line_end = self.line_end(from);
        if self.unquoted_piece(from, dollar_escape).is_some_and(|(at, _)| at < line_end) {
            return (from..from, from);
        }
        self.after_heredocs = None;
        let before = if self.text[from..line_end].ends_with('\r') { line_end - 1 } else { line_end };
        (from..before, next.max(line_end))
    }

    /// Finds the next interpolation in unquoted text. A backslash escapes a `$` only where `\$` is an escape (A80).
    fn unquoted_piece(&self, from: usize, dollar_escape: bool) -> Option<(usize, End)> {
        let mut at = from;
        loop {
            match *self.bytes.get(at)? {
                b'\\' if dollar_escape => at += 2,
                b'$' => match self.dollar(at) {
                    Some(end) => return Some((at, end)),
                    None => at += 1,
                },
                _ => at += 1,
            }
        }
    }

    // ---- strings that do not end

    fn line_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
    }

    /// Ends a string without a closing quote at the end of its line, so that the lines after it are still read.
    fn unclosed_quote(&mut self, start: usize, quote: char) {
        self.report_unclosed(start, quote);
        self.pos = self.line_end(start);
        self.push_text(TokenKind::String, start, self.pos, Cow::Borrowed(""));
        self.after = Some(TokenKind::String);
    }

    fn report_unclosed(&mut self, start: usize, quote: char) {
        // Only the first: what follows is read with quotes that are out of step.
        if !self.recovering_quote {
            self.recovering_quote = true;
            let culprit = self.runaway_string();
            self.error(start, start + 1, SyntaxErrorKind::UnclosedQuote { quote, culprit });
        }
    }

    /// Finds the probable cause of an unclosed quote: the first string that spans lines and ends directly before a
    /// word, which probably lacks its own closing quote; or the first that starts directly after a word, where an
    /// opening quote is probably missing; or the first interpolation in which, on its own line, a string starts that
    /// spans lines, which probably lacks its closing brace.
    fn runaway_string(&self) -> Option<marotte_text::TextRange> {
        // In the text of a heredoc, the tokens' ranges differ from the offsets in the text being read.
        if !matches!(self.origin, super::Origin::Source { offset: 0 }) {
            return None;
        }
        let tokens = &self.out.tokens;
        // The offsets of the `$` of the open interpolations.
        let mut open: Vec<usize> = Vec::new();
        // The offsets of the quotes that open the strings with these interpolations.
        let mut starts: Vec<usize> = Vec::new();
        for index in 0..tokens.len() {
            let (kind, place) = (tokens.kind(index)?, tokens.place(index)?);
            let (start, end) = (place.start as usize, place.end as usize);
            let is_new = matches!(kind, TokenKind::String | TokenKind::StringStart);
            if !is_new && !matches!(kind, TokenKind::StringMiddle | TokenKind::StringEnd) {
                continue;
            }
            let written = self.text.get(start..end)?;
            if is_new && open.is_empty() && self.is_behind_word(start) {
                return Some(self.text_range(start, start + 1));
            }
            if let Some(line) = written.find('\n')
                && written.starts_with(['"', '\''])
            {
                let around = open.last().filter(|dollar| is_new && self.line_end(**dollar) >= start);
                if let Some(dollar) = around {
                    return Some(self.text_range(*dollar, dollar + "${".len()));
                }
                if super::is_word(self.bytes.get(end).copied().unwrap_or(b' ')) {
                    return Some(self.text_range(start, start + line));
                }
            }
            if kind == TokenKind::StringStart {
                starts.push(start);
            }
            if kind == TokenKind::StringEnd
                && let Some(start) = starts.pop()
                && let Some(whole) = self.text.get(start..end)
                && whole.starts_with('"')
                && whole.ends_with('"')
                && let Some(line) = whole.find('\n')
                && super::is_word(self.bytes.get(end).copied().unwrap_or(b' '))
            {
                return Some(self.text_range(start, start + line));
            }
            if !is_new {
                open.pop();
            }
            if matches!(kind, TokenKind::StringStart | TokenKind::StringMiddle) {
                open.push(end);
            }
        }
        None
    }

    /// Whether a word, or a path, directly precedes a quote.
    fn is_behind_word(&self, quote: usize) -> bool {
        let before = quote.checked_sub(1).and_then(|it| self.bytes.get(it)).copied().unwrap_or(b' ');
        super::is_word(before) || matches!(before, b'/' | b'.')
    }

    pub(super) fn unclosed_interpolation(&mut self, open: &Interpolation) {
        self.report_unclosed(open.string_start, '"');
        self.push_text(TokenKind::StringEnd, self.pos, self.pos, Cow::Borrowed(""));
    }
}
