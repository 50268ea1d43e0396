//! The lexer: follows the rules of the document *Lexical structure* and of the reference's lexer.
//!
//! All context rules are implemented here: `[` after a blank, `(` first on a line, regular expression versus division,
//! heredoc texts out of band, which brace closes what, template tags. The lexer never stops: after an error it resumes
//! where the text most likely continues.

mod escape;
mod heredoc;
mod margin;
mod name;
mod number;
mod regex;
mod string;
mod template;

use std::borrow::Cow;

use marotte_text::{Str, TextRange, TextSize};

use crate::token::{TokenKind, Tokens};
use crate::{Comment, Mode, SyntaxError, SyntaxErrorKind};
use margin::Origin;

/// The lexer's output for a text.
#[derive(Debug, Default)]
pub(crate) struct Lexed {
    pub(crate) tokens: Tokens,
    pub(crate) comments: Vec<Comment>,
    pub(crate) errors: Vec<SyntaxError>,
    /// The heredocs of the code itself: those inside a heredoc's text are part of that text.
    pub(crate) heredocs: Vec<HeredocLines>,
    /// The parts of a template outside of its tags, with the delimiters of the tags around them.
    pub(crate) texts: Vec<TextRange>,
}

/// The position of a heredoc in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeredocLines {
    /// `@(…)`.
    pub header: TextRange,
    /// The lines of its text, up to the end of the line with its end tag.
    pub lines: TextRange,
}

/// The maximal nesting of heredocs inside interpolations of heredocs.
const HEREDOC_DEPTH: u32 = 32;

/// Lexes a whole text.
pub(crate) fn lex(source: &str, mode: Mode) -> Lexed {
    let mut lexed = Lexed { tokens: Tokens::with_capacity(source.len()), ..Lexed::default() };
    let start = byte_order_mark(source, &mut lexed.errors);
    let mut lexer = Lexer::new(source, Origin::Source { offset: 0 }, mode, 0, &mut lexed);
    lexer.pos = start;
    lexer.line_start = start;
    if mode.template {
        lexer.template();
    } else {
        lexer.code();
    }
    lexed
}

/// Reports a byte order mark (A2) and returns the number of bytes to skip.
///
/// Text is UTF-8 by the time it gets here, so only marks that are valid UTF-8 can occur.
fn byte_order_mark(source: &str, errors: &mut Vec<SyntaxError>) -> usize {
    let (encoding, len, bytes) = if source.starts_with('\u{feff}') {
        ("UTF-8", 3, "EF BB BF")
    } else {
        return 0;
    };
    errors.push(SyntaxError {
        range: TextRange::up_to(TextSize::new(len)),
        kind: SyntaxErrorKind::ByteOrderMark { encoding, bytes: bytes.into() },
    });
    len as usize
}

/// An interpolation being lexed: its `${` has been read, its `}` not yet.
struct Interpolation {
    /// The brace count at which a `}` closes it.
    braces: u32,
    /// The index of its first token.
    first_token: usize,
    /// Whether it is inside double quotes rather than in a heredoc's text.
    quoted: bool,
    /// The start of the enclosing string, for reports that it is not closed.
    string_start: usize,
}

/// The kind of template code being lexed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TemplateCode {
    /// Not in a template.
    None,
    /// The code after `<%`.
    Statements,
    /// The code after `<%=`.
    Expression,
    /// The text between tags.
    Text,
}

/// Lexes one text: the source, or the text of a heredoc.
struct Lexer<'t, 'o> {
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    origin: Origin<'t>,
    mode: Mode,
    out: &'o mut Lexed,
    braces: u32,
    interpolations: Vec<Interpolation>,
    /// The start of the line on which the code continues, to recognize a `(` first on a line (A69).
    line_start: usize,
    /// The start of the line after the pending heredoc texts (A76).
    after_heredocs: Option<usize>,
    /// The preceding token of the code, which decides how `/`, and `{` after `?`, are read.
    after: Option<TokenKind>,
    template: TemplateCode,
    /// The offset of the template's open tag.
    open_tag: Option<usize>,
    heredoc_depth: u32,
    /// The escapes of the heredoc whose text is being lexed.
    heredoc_escapes: escape::Escapes,
    /// The offset from which the text contains no `)`.
    no_parenthesis_from: Option<usize>,
    /// The offsets of failed searches for the end of a heredoc, and the tags.
    unended_heredocs: Vec<(usize, Str)>,
    /// The lines of the text, once such a search has failed.
    heredoc_lines: Option<heredoc::LinesByEnd>,
    /// Whether an unclosed quote has been reported: one report is enough.
    recovering_quote: bool,
}

impl<'t, 'o> Lexer<'t, 'o> {
    fn new(
        text: &'t str,
        origin: Origin<'t>,
        mode: Mode,
        heredoc_depth: u32,
        out: &'o mut Lexed,
    ) -> Lexer<'t, 'o> {
        Lexer {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            origin,
            mode,
            out,
            braces: 0,
            interpolations: Vec::new(),
            line_start: 0,
            after_heredocs: None,
            after: None,
            template: TemplateCode::None,
            open_tag: None,
            heredoc_depth,
            heredoc_escapes: escape::Escapes::default(),
            no_parenthesis_from: None,
            unended_heredocs: Vec::new(),
            heredoc_lines: None,
            recovering_quote: false,
        }
    }

    // ---- reading

    fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Skips bytes while `accept` holds; only for ASCII.
    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        while self.bytes.get(self.pos).is_some_and(|&byte| accept(byte)) {
            self.pos += 1;
        }
    }

    fn char(&self) -> Option<char> {
        self.text.get(self.pos..)?.chars().next()
    }

    // ---- writing

    fn range(&self, start: usize, end: usize) -> (u32, u32) {
        self.origin.range(start, end)
    }

    fn text_range(&self, start: usize, end: usize) -> TextRange {
        let (start, end) = self.range(start, end);
        TextRange::new(TextSize::new(start), TextSize::new(end.max(start)))
    }

    /// Adds a token that ends at the current position.
    fn push(&mut self, kind: TokenKind, start: usize) {
        let range = self.range(start, self.pos);
        self.out.tokens.push(kind, range);
        self.after = Some(kind);
    }

    /// Adds a token with its own text, without recording it as the preceding token of the code.
    fn push_text(&mut self, kind: TokenKind, start: usize, end: usize, text: Cow<'_, str>) {
        let range = self.range(start, end);
        self.out.tokens.push_text(kind, range, Str::from(&*text));
    }

    /// Adds a token of `len` bytes that starts at the current position.
    fn fixed(&mut self, kind: TokenKind, len: usize) {
        let start = self.pos;
        self.pos += len;
        self.push(kind, start);
    }

    fn error(&mut self, start: usize, end: usize, kind: SyntaxErrorKind) {
        let range = self.text_range(start, end);
        self.out.errors.push(SyntaxError { range, kind });
    }

    // ---- code

    /// Lexes code up to the end of the text.
    fn code(&mut self) {
        while !self.at_end() {
            self.token();
        }
        // The text ended inside an interpolation.
        while let Some(open) = self.interpolations.pop() {
            if open.quoted {
                self.unclosed_interpolation(&open);
            } else {
                self.text_tail(open.string_start);
            }
        }
    }

    /// Lexes one token, or skips trivia.
    fn token(&mut self) {
        let start = self.pos;
        match self.byte(0) {
            b' ' | b'\t' | b'\r' => self.skip_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')),
            b'\n' => {
                self.pos = self.after_heredocs.take().unwrap_or(start + 1);
                self.line_start = self.pos;
            }
            b'#' => {
                let line = &self.bytes[start..];
                self.pos = start + line.iter().position(|&byte| byte == b'\n').unwrap_or(line.len());
                self.comment(start);
            }
            b'a'..=b'z' | b'_' => self.name(),
            b'A'..=b'Z' => self.reference(),
            b'$' => self.variable(),
            b'0'..=b'9' => self.number(),
            b'\'' => self.single_quoted(),
            b'"' => self.double_quoted(),
            b',' => self.fixed(TokenKind::Comma, 1),
            b'{' => {
                self.braces += 1;
                let select = self.after == Some(TokenKind::Question);
                self.fixed(if select { TokenKind::SelectBrace } else { TokenKind::LeftBrace }, 1);
            }
            b'}' => self.right_brace(),
            b'=' => match self.byte(1) {
                b'>' => self.fixed(TokenKind::FatArrow, 2),
                b'=' => self.fixed(TokenKind::Equal, 2),
                b'~' => self.fixed(TokenKind::Match, 2),
                _ => self.fixed(TokenKind::Assign, 1),
            },
            b':' if self.byte(1) == b':' => self.qualified(),
            b':' => self.fixed(TokenKind::Colon, 1),
            b'(' => {
                let before = &self.text[self.line_start.min(start)..start];
                let first = before.chars().all(|c| c == '\r' || is_blank(c));
                self.fixed(if first { TokenKind::LineParen } else { TokenKind::LeftParen }, 1);
            }
            b')' => self.fixed(TokenKind::RightParen, 1),
            b'[' => {
                let last = self.text[..start].chars().next_back();
                let list = last.is_none_or(|c| matches!(c, '\r' | '\n') || is_blank(c));
                self.fixed(if list { TokenKind::ListStart } else { TokenKind::LeftBracket }, 1);
            }
            b']' => self.fixed(TokenKind::RightBracket, 1),
            b'.' => self.fixed(TokenKind::Dot, 1),
            b';' => self.fixed(TokenKind::Semicolon, 1),
            b'?' => self.fixed(TokenKind::Question, 1),
            b'*' => self.fixed(TokenKind::Times, 1),
            b'@' => match self.byte(1) {
                b'(' => self.heredoc(),
                b'@' => self.fixed(TokenKind::AtAt, 2),
                _ => self.fixed(TokenKind::At, 1),
            },
            b'|' => match (self.byte(1), self.byte(2)) {
                (b'>', b'>') => self.fixed(TokenKind::RightExport, 3),
                (b'>', _) => self.fixed(TokenKind::RightCollect, 2),
                _ => self.fixed(TokenKind::Pipe, 1),
            },
            b'+' => match self.byte(1) {
                b'=' => self.fixed(TokenKind::Append, 2),
                b'>' => self.fixed(TokenKind::PlusArrow, 2),
                _ => self.fixed(TokenKind::Plus, 1),
            },
            b'-' if self.template != TemplateCode::None && self.byte(1) == b'%' && self.byte(2) == b'>' => {
                self.close_tag(3)
            }
            b'-' => match self.byte(1) {
                b'>' => self.fixed(TokenKind::Before, 2),
                b'=' => self.fixed(TokenKind::Delete, 2),
                _ => self.fixed(TokenKind::Minus, 1),
            },
            b'%' if self.template != TemplateCode::None && self.byte(1) == b'>' => self.close_tag(2),
            b'%' => self.fixed(TokenKind::Modulo, 1),
            b'!' => match self.byte(1) {
                b'=' => self.fixed(TokenKind::NotEqual, 2),
                b'~' => self.fixed(TokenKind::NoMatch, 2),
                _ => self.fixed(TokenKind::Not, 1),
            },
            b'~' if self.byte(1) == b'>' => self.fixed(TokenKind::Notify, 2),
            b'~' => self.fixed(TokenKind::Tilde, 1),
            b'<' => match (self.byte(1), self.byte(2)) {
                (b'<', b'|') => self.fixed(TokenKind::LeftExport, 3),
                (b'<', _) => self.fixed(TokenKind::ShiftLeft, 2),
                (b'=', _) => self.fixed(TokenKind::LessEqual, 2),
                (b'|', _) => self.fixed(TokenKind::LeftCollect, 2),
                (b'-', _) => self.fixed(TokenKind::After, 2),
                (b'~', _) => self.fixed(TokenKind::Subscribe, 2),
                _ => self.fixed(TokenKind::Less, 1),
            },
            b'>' => match self.byte(1) {
                b'>' => self.fixed(TokenKind::ShiftRight, 2),
                b'=' => self.fixed(TokenKind::GreaterEqual, 2),
                _ => self.fixed(TokenKind::Greater, 1),
            },
            b'/' if self.byte(1) == b'*' => self.block_comment(),
            b'/' => self.slash(),
            _ => match self.char() {
                Some(c) if is_blank(c) => self.pos += c.len_utf8(),
                Some(c) => self.fixed(TokenKind::Other, c.len_utf8()),
                None => self.pos += 1,
            },
        }
    }

    fn comment(&mut self, start: usize) {
        let end = if self.text[start..self.pos].ends_with('\r') { self.pos - 1 } else { self.pos };
        let range = self.text_range(start, end);
        self.out.comments.push(Comment { range });
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        match self.text[start + 2..].find("*/") {
            Some(len) => self.pos = start + 2 + len + 2,
            None => {
                self.error(start, start + 2, SyntaxErrorKind::UnclosedComment);
                self.pos = self.bytes.len();
            }
        }
        let range = self.text_range(start, self.pos);
        self.out.comments.push(Comment { range });
    }

    /// `}`: the end of a block or hash, or of the innermost interpolation.
    fn right_brace(&mut self) {
        if self.interpolations.last().is_some_and(|open| open.braces == self.braces)
            && let Some(open) = self.interpolations.pop()
        {
            self.pos += 1;
            self.after = Some(TokenKind::RightBrace);
            self.interpolated_variable(open.first_token);
            if open.quoted {
                self.quoted_tail(open.string_start);
            } else {
                self.text_tail(open.string_start);
            }
        } else {
            self.braces = self.braces.saturating_sub(1);
            self.fixed(TokenKind::RightBrace, 1);
        }
    }

    /// Turns a single name, number or keyword in `${}` into a variable, and likewise a first one before `.` or `[`
    /// (A31-A36).
    fn interpolated_variable(&mut self, first: usize) {
        let tokens = &mut self.out.tokens;
        let alone = match tokens.len() - first {
            0 => return,
            1 => true,
            _ => matches!(tokens.kind(first + 1), Some(TokenKind::Dot | TokenKind::LeftBracket)),
        };
        let rewritable = tokens.kind(first).is_some_and(|kind| {
            kind.is_keyword() || matches!(kind, TokenKind::Name | TokenKind::Number | TokenKind::Word)
        });
        if alone && rewritable {
            tokens.set_kind(first, TokenKind::Variable);
        }
    }
}

/// Ruby's `[[:blank:]]`: a tab or any Unicode space separator (A5).
pub(crate) fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

/// Ruby's `\w` on source text: ASCII only.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
