//! Heredocs: text out of band (A76-A88).

use std::borrow::Cow;

use foldhash::HashMap;

use super::escape::Escapes;
use super::margin::{MarginMap, Origin};
use super::{HEREDOC_DEPTH, HeredocLines, Lexer, is_blank};
use crate::SyntaxErrorKind;
use crate::token::TokenKind;

/// The parsed text between `@(` and `)`.
struct Header<'t> {
    tag: &'t str,
    syntax: &'t str,
    interpolates: bool,
    escapes: Escapes,
}

/// The position of a heredoc's text in the text being lexed.
struct Body<'t> {
    /// The start of its lines, which exclude the end line and include line ends.
    start: usize,
    end: usize,
    /// The offset after the end line.
    next: usize,
    /// The blanks before `|`, if there is one.
    margin: Option<&'t str>,
    /// Whether `-` is present: the last line end is removed.
    trim: bool,
}

/// The lines of a text by the last byte that isn't blank: many heredocs without an end must not each look at all lines.
#[derive(Debug)]
pub(super) struct LinesByEnd(HashMap<u8, Vec<(usize, usize)>>);

impl LinesByEnd {
    fn new(text: &str) -> LinesByEnd {
        let mut by_end: HashMap<u8, Vec<(usize, usize)>> = HashMap::default();
        for (at, next) in lines(text, 0) {
            if let Some(last) = without_blanks(&text[at..next]).as_bytes().last() {
                by_end.entry(*last).or_default().push((at, next));
            }
        }
        LinesByEnd(by_end)
    }

    /// The lines from an offset on that have the last byte of a tag.
    fn that_may_end_with(&self, tag: &str, start: usize) -> impl Iterator<Item = (usize, usize)> {
        let lines = tag.as_bytes().last().and_then(|it| self.0.get(it)).map_or(&[][..], Vec::as_slice);
        lines[lines.partition_point(|(at, _)| *at < start)..].iter().copied()
    }
}

/// The lines of a text from the start of one on: their starts and the starts of the next lines.
fn lines(text: &str, start: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = start;
    text[start..].split_inclusive('\n').map(move |line| {
        let at = next;
        next += line.len();
        (at, next)
    })
}

/// A line without its line end and the blanks before it.
fn without_blanks(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    line.trim_end_matches(is_blank)
}

impl<'t> Lexer<'t, '_> {
    /// Lexes a heredoc at `@(`. Emits the header and the text as tokens, and continues after the header.
    pub(super) fn heredoc(&mut self) {
        let start = self.pos;
        // Once the rest of the text is known to contain no `)`, it is not searched again.
        let searched = self.no_parenthesis_from.is_some_and(|from| from <= start);
        let found = if searched { None } else { self.text[start..].find(')') };
        let Some(len) = found else {
            self.no_parenthesis_from.get_or_insert(start);
            self.error(start, start + 2, SyntaxErrorKind::HeredocUnclosedParenthesis);
            self.pos = start + 2;
            return self.push(TokenKind::Error, start);
        };
        let end = start + len + 1;
        let header = match parse_header(&self.text[start + 2..end - 1]) {
            Ok(header) => header,
            Err((at, len, kind)) => {
                // A header that cannot be parsed rarely is one that closes on a later line.
                let header_end = if self.text[start..end].contains('\n') { start + 2 } else { end };
                let at = if len == 0 { start } else { start + 2 + at };
                self.error(at, if len == 0 { header_end } else { at + len }, kind);
                self.pos = header_end;
                return self.push(TokenKind::Error, start);
            }
        };
        let nested = !self.interpolations.is_empty();
        let before = self.after;
        self.pos = end;
        let tag = header.tag;
        match self.heredoc_body(end, tag) {
            Ok(body) => {
                self.push_text(TokenKind::Heredoc, start, end, Cow::Borrowed(header.syntax));
                self.after_heredocs = Some(body.next);
                if self.heredoc_depth == 0 {
                    let header = self.text_range(start, end);
                    let lines = self.text_range(body.start, body.next);
                    self.out.heredocs.push(HeredocLines { header, lines });
                    self.swallowed_header((start, end), &body, tag);
                }
                self.heredoc_text(&header, &body);
                self.after = if nested { before } else { Some(TokenKind::StringEnd) };
            }
            Err(kind) => {
                self.error(start, end, kind);
                self.push(TokenKind::Error, start);
            }
        }
    }

    fn heredoc_body(&mut self, after_header: usize, tag: &str) -> Result<Body<'t>, SyntaxErrorKind> {
        let start = match self.after_heredocs {
            Some(start) => start,
            None => match self.text[after_header..].find('\n') {
                Some(len) => after_header + len + 1,
                None => return Err(SyntaxErrorKind::HeredocWithoutText),
            },
        };
        let without_end = SyntaxErrorKind::HeredocWithoutEnd { tag: tag.into() };
        if self.is_known_unended(start, tag) {
            return Err(without_end);
        }
        let text = self.text;
        let ended = |(at, next): (usize, usize)| {
            let (margin, trim) = end_line(&text[at..next], tag)?;
            Some(Body { start, end: at, next, margin, trim })
        };
        let found = if self.unended_heredocs.is_empty() {
            lines(text, start).find_map(ended)
        } else {
            let all = self.heredoc_lines.get_or_insert_with(|| LinesByEnd::new(text));
            all.that_may_end_with(tag, start).find_map(ended)
        };
        if let Some(body) = found {
            return Ok(body);
        }
        self.unended_heredocs.push((start, tag.into()));
        Err(without_end)
    }

    /// Reports a heredoc whose text has, as code, the header of another heredoc with the same end tag.
    fn swallowed_header(&mut self, (start, end): (usize, usize), body: &Body<'t>, tag: &str) {
        let text = &self.text[body.start..body.end];
        let mut start_of_line = body.start;
        // A header that starts a heredoc as its line's value comes last on the line.
        let other = text.split_inclusive('\n').find_map(|line| {
            let at = line.rfind("@(");
            let line_start = start_of_line;
            start_of_line += line.len();
            let (before, rest) = line.split_at(at?);
            let length = rest.find(')')?;
            let is_header = parse_header(&rest[2..length]).is_ok_and(|it| it.tag == tag);
            let is_code = ["=>", "=", "("].iter().any(|it| before.trim_end_matches(is_blank).ends_with(it))
                && rest[length + 1..].trim_matches([' ', '\t', '\r', '\n', ',', ')', ';']).is_empty();
            let at = line_start + before.len();
            (is_header && is_code).then_some((at, at + length + 1))
        });
        if let Some((from, to)) = other {
            let other = self.text_range(from, to);
            self.error(start, end, SyntaxErrorKind::HeredocSwallows { tag: tag.into(), other });
        }
    }

    /// Whether a search from here is known to fail, or too many others have failed: many heredocs without an end must
    /// not each search the whole text.
    fn is_known_unended(&self, start: usize, tag: &str) -> bool {
        const SEARCHES: usize = 64;
        self.unended_heredocs.len() >= SEARCHES
            || self.unended_heredocs.iter().any(|(from, failed)| *from <= start && failed == tag)
    }

    fn heredoc_text(&mut self, header: &Header<'_>, body: &Body<'t>) {
        if self.heredoc_depth >= HEREDOC_DEPTH {
            self.error(body.start, body.start, SyntaxErrorKind::NestingLimit(HEREDOC_DEPTH));
            return self.push_text(TokenKind::String, body.start, body.start, Cow::Borrowed(""));
        }
        let lines = &self.text[body.start..body.end];
        match body.margin.filter(|margin| !margin.is_empty()) {
            None => {
                let text = if body.trim { without_line_end(lines) } else { lines };
                match self.origin {
                    Origin::Source { offset } => {
                        let origin = Origin::Source { offset: offset + body.start as u32 };
                        self.sub_lexer(text, origin, header);
                    }
                    Origin::Margin(_) => {
                        let map = self.margin_map(body.start, lines, "");
                        self.sub_lexer(text, Origin::Margin(&map), header);
                    }
                }
            }
            Some(margin) => {
                let map = self.margin_map(body.start, lines, margin);
                let text: String = lines
                    .split_inclusive('\n')
                    .map(|line| line.strip_prefix(margin).unwrap_or(line))
                    .collect();
                let text = if body.trim { without_line_end(&text) } else { &text };
                self.sub_lexer(text, Origin::Margin(&map), header);
            }
        }
    }

    fn margin_map(&self, start: usize, lines: &str, margin: &str) -> MarginMap {
        let (mut local, mut at) = (0, start);
        MarginMap::new(
            self.range(start, start).0,
            lines
                .split_inclusive('\n')
                .map(|line| {
                    let removed = if line.starts_with(margin) { margin.len() } else { 0 };
                    let entry = (local, self.range(at + removed, at + removed).0);
                    local += line.len() - removed;
                    at += line.len();
                    entry
                })
                .collect(),
        )
    }

    fn sub_lexer(&mut self, text: &str, origin: Origin<'_>, header: &Header<'_>) {
        // Inside a heredoc, template tags are text.
        let mode = crate::Mode { template: false, ..self.mode };
        let mut lexer = Lexer::new(text, origin, mode, self.heredoc_depth + 1, self.out);
        if text.starts_with('\u{feff}') {
            let kind = SyntaxErrorKind::ByteOrderMark { encoding: "UTF-8", bytes: "EF BB BF".into() };
            lexer.error(0, 3, kind);
        }
        if header.interpolates {
            lexer.interpolated_text(header.escapes);
        } else {
            let value = lexer.heredoc_value(text, 0, header.escapes);
            lexer.push_text(TokenKind::String, 0, text.len(), value);
        }
    }
}

fn without_line_end(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

/// Whether a line ends the heredoc: `blanks [| blanks] [- blanks] tag blanks`. As in the reference, text may precede
/// that on the line, and is lost (A82). Returns the margin and whether `-` is present.
fn end_line<'l>(line: &'l str, tag: &str) -> Option<(Option<&'l str>, bool)> {
    let before = without_blanks(line).strip_suffix(tag)?.trim_end_matches(is_blank);
    let (before, trim) = match before.strip_suffix('-') {
        Some(rest) => (rest.trim_end_matches(is_blank), true),
        None => (before, false),
    };
    let margin = before.strip_suffix('|').map(|rest| {
        let blanks = rest.len() - rest.trim_end_matches(is_blank).len();
        &rest[rest.len() - blanks..]
    });
    Some((margin, trim))
}

/// Parses `endtag[:syntax][/escapes]`. An error has the offset and length of the faulty part; a length of zero means
/// the whole header.
fn parse_header(header: &str) -> Result<Header<'_>, (usize, usize, SyntaxErrorKind)> {
    const INVALID: (usize, usize, SyntaxErrorKind) = (0, 0, SyntaxErrorKind::HeredocInvalidSyntax);
    let tag_len = header.find([':', '/', '\r', '\n']).unwrap_or(header.len());
    let (tag, mut rest) = header.split_at(tag_len);
    if tag.is_empty() {
        return Err(INVALID);
    }
    let mut syntax = "";
    if let Some(after) = rest.strip_prefix(':') {
        let after = after.trim_start_matches(is_blank);
        let len = after
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '+')))
            .unwrap_or(after.len());
        syntax = &after[..len];
        if len < 2 || !syntax.starts_with(|c: char| c.is_ascii_lowercase()) {
            return Err(INVALID);
        }
        rest = after[len..].trim_start_matches(is_blank);
    }
    let mut escapes = Escapes::default();
    if let Some(after) = rest.strip_prefix('/') {
        let letters = after.trim_end_matches(is_blank);
        if !letters.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$')) {
            return Err(INVALID);
        }
        let offset = header.len() - after.len();
        escapes = parse_escapes(letters).map_err(|(at, kind)| (offset + at, 1, kind))?;
        rest = "";
    }
    if !rest.is_empty() {
        return Err(INVALID);
    }
    let tag = tag.trim();
    let quoted = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
    let (tag, interpolates) = quoted.map_or((tag, false), |tag| (tag.trim(), true));
    if tag.is_empty() {
        return Err((0, 0, SyntaxErrorKind::HeredocEmptyEndTag));
    }
    Ok(Header { tag, syntax, interpolates, escapes })
}

fn parse_escapes(letters: &str) -> Result<Escapes, (usize, SyntaxErrorKind)> {
    let all = if letters.is_empty() { "trnsuL$" } else { letters };
    if let Some((at, c)) = all.char_indices().find(|&(at, c)| all[..at].contains(c)) {
        return Err((at, SyntaxErrorKind::HeredocMultipleEscapes(c)));
    }
    let mut escapes = Escapes { backslash: true, ..Escapes::default() };
    for (at, c) in all.char_indices() {
        let escape = match c {
            't' => &mut escapes.tab,
            'r' => &mut escapes.carriage_return,
            'n' => &mut escapes.newline,
            's' => &mut escapes.space,
            'u' => &mut escapes.unicode,
            'L' => &mut escapes.line_join,
            '$' => &mut escapes.dollar,
            _ => return Err((at, SyntaxErrorKind::HeredocInvalidEscape(c))),
        };
        *escape = true;
    }
    Ok(escapes)
}

#[cfg(test)]
mod tests {
    use super::{LinesByEnd, end_line};
    use crate::{Mode, SyntaxErrorKind, parse};

    #[test]
    fn end_lines() {
        assert_eq!(end_line("END\n", "END"), Some((None, false)));
        assert_eq!(end_line("  | END", "END"), Some((Some("  "), false)));
        assert_eq!(end_line("\t|- END \r\n", "END"), Some((Some("\t"), true)));
        assert_eq!(end_line("x END\n", "END"), Some((None, false)));
        assert_eq!(end_line("ENDING\n", "END"), None);
    }

    #[test]
    fn only_lines_that_may_end_a_heredoc_are_looked_at() {
        let text = "xA\n | B \r\n\n-A\nAB\n";
        let lines = LinesByEnd::new(text);
        let found = |tag, start| -> Vec<&str> {
            lines.that_may_end_with(tag, start).map(|(at, next)| &text[at..next]).collect()
        };
        assert_eq!(found("A", 0), ["xA\n", "-A\n"]);
        assert_eq!(found("A", 3), ["-A\n"]);
        assert_eq!(found("AB", 0), [" | B \r\n", "AB\n"]);
        assert!(found("C", 0).is_empty());
    }

    #[test]
    fn heredocs_after_one_without_end_have_theirs() {
        let text = "$a = @(X)\n$b = @(\"Y\")\n  ${c}\n  | Y\n$d = @(Z)\nz\n- Z\n$e = @(X)\n";
        let errors = parse(text, Mode::default()).errors;
        let unended: Vec<&str> = errors
            .iter()
            .filter_map(|it| match &it.kind {
                SyntaxErrorKind::HeredocWithoutEnd { tag } => Some(tag.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(unended, ["X", "X"]);
    }

    #[test]
    fn escapes_that_name_no_character_are_told_at_their_place() {
        let rows = [
            ("$x = @(END/u)\na \\uD800\nEND\n", Some("\\uD800")),
            ("$x = @(\"END\"/u)\n  a \\u{110000}\n  | END\n", Some("\\u{110000}")),
            ("$x = @(\"END\"/u)\na${1}b${2} \\uDFFF\nEND\n", Some("\\uDFFF")),
            ("$x = @(END/u)\na \\u00e9\nEND\n", None),
            ("$x = @(END/u)\na \\u00\nEND\n", None),
            ("$x = @(END)\na \\uD800\nEND\n", None),
        ];
        for (text, expected) in rows {
            let errors = parse(text, Mode::default()).errors;
            let found = errors.iter().map(|it| {
                assert_eq!(it.kind, SyntaxErrorKind::NoSuchCharacter, "{text}");
                &text[std::ops::Range::<usize>::from(it.range)]
            });
            assert_eq!(found.collect::<Vec<_>>(), Vec::from_iter(expected), "{text}");
        }
    }
}
