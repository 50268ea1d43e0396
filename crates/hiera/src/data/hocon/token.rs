//! The lexer: converts text to tokens.

use marotte_pcore::value::{Integer, Value};
use marotte_text::{TextRange, TextSize};
use num_bigint::BigInt;

use crate::data::{DataError, DataErrorKind};

/// A token with its range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) range: TextRange,
}

/// The kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    /// A punctuation character: one of `{}[],:=`.
    Sign(char),
    /// `+=`.
    PlusEquals,
    Newline,
    /// A text in double quotes.
    Quoted(String),
    /// `true`, `null`, a number: its value, and its text.
    Literal(Value, String),
    /// An unquoted text; blanks between simple tokens are one, too.
    Unquoted(String),
    /// `${path}`, `${?path}`.
    Substitution {
        optional: bool,
        path: Vec<Token>,
    },
    End,
}

impl TokenKind {
    /// Whether blanks before another such token are part of the text that both form.
    fn is_simple(&self) -> bool {
        matches!(
            self,
            TokenKind::Quoted(_)
                | TokenKind::Literal(..)
                | TokenKind::Unquoted(_)
                | TokenKind::Substitution { .. }
        )
    }
}

/// The characters that can't occur in unquoted texts.
const RESERVED: &str = "$\"{}[]:=,+#`^?!@*&\\";

/// The characters of numbers.
const OF_NUMBERS: &str = "0123456789eE+-.";

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The number of open substitutions.
    depth: usize,
}

/// The maximum depth of nested substitutions.
const SUBSTITUTION_DEPTH: usize = 8;

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Lexer<'t> {
        Lexer { text, at: 0, depth: 0 }
    }

    /// Reads all tokens of the text, including the end.
    pub(super) fn tokens(mut self) -> Result<Vec<Token>, DataError> {
        let mut tokens = Vec::new();
        loop {
            self.push_next(&mut tokens)?;
            if tokens.last().is_some_and(|it| it.kind == TokenKind::End) {
                return Ok(tokens);
            }
        }
    }

    /// Adds the next token, and the blanks before it if they are significant.
    fn push_next(&mut self, tokens: &mut Vec<Token>) -> Result<(), DataError> {
        let before = self.at;
        self.skip_blanks();
        let blanks = &self.text[before..self.at];
        let token = self.next()?;
        let joins = tokens.last().is_some_and(|it| it.kind.is_simple()) && token.kind.is_simple();
        if joins && !blanks.is_empty() {
            let range = range(before, before + blanks.len());
            tokens.push(Token { kind: TokenKind::Unquoted(blanks.to_owned()), range });
        }
        tokens.push(token);
        Ok(())
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|it| it != '\n' && is_blank(it));
            self.at += rest.len() - trimmed.len();
            if !starts_comment(trimmed) {
                return;
            }
            self.at += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn next(&mut self) -> Result<Token, DataError> {
        let start = self.at;
        let Some(first) = self.peek() else {
            return Ok(Token { kind: TokenKind::End, range: range(start, start) });
        };
        let kind = match first {
            '\n' => self.take(first, TokenKind::Newline),
            '{' | '}' | '[' | ']' | ',' | ':' | '=' => self.take(first, TokenKind::Sign(first)),
            '+' => {
                self.at += 1;
                if self.peek() != Some('=') {
                    return Err(self.fail(start, "a plus sign appears only before `=`; quote the text"));
                }
                self.take('=', TokenKind::PlusEquals)
            }
            '"' => self.quoted()?,
            '$' => self.substitution()?,
            '0'..='9' | '-' => self.number()?,
            reserved if RESERVED.contains(reserved) => {
                return Err(self.fail(start, &format!("`{reserved}` appears only in quotes")));
            }
            _ => self.unquoted(),
        };
        Ok(Token { kind, range: range(start, self.at) })
    }

    fn take(&mut self, it: char, kind: TokenKind) -> TokenKind {
        self.at += it.len_utf8();
        kind
    }

    fn fail(&self, start: usize, message: &str) -> DataError {
        let end = self.at.max(start + self.text[start..].chars().next().map_or(0, char::len_utf8));
        DataError { kind: DataErrorKind::Syntax(message.to_owned()), range: range(start, end) }
    }

    fn unquoted(&mut self) -> TokenKind {
        let rest = self.rest();
        // These words are recognized wherever a text starts with them; the text that follows is concatenated.
        for (word, value) in
            [("true", Value::Boolean(true)), ("false", Value::Boolean(false)), ("null", Value::Undef)]
        {
            if rest.starts_with(word) {
                self.at += word.len();
                return TokenKind::Literal(value, word.to_owned());
            }
        }
        let ends = |(at, it): &(usize, char)| {
            RESERVED.contains(*it) || is_blank(*it) || starts_comment(&rest[*at..])
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        self.at += end;
        TokenKind::Unquoted(rest[..end].to_owned())
    }

    fn number(&mut self) -> Result<TokenKind, DataError> {
        let (start, rest) = (self.at, self.rest());
        let end = rest.find(|it| !OF_NUMBERS.contains(it)).unwrap_or(rest.len());
        self.at += end;
        let text = &rest[..end];
        if crate::data::check_digits(text).is_err() {
            return Err(self.fail(start, "a number has too many digits"));
        }
        match number(text) {
            Some(value) => Ok(TokenKind::Literal(value, text.to_owned())),
            None if text.contains('+') => Err(self.fail(start, "`+` appears only in quotes")),
            None => Ok(TokenKind::Unquoted(text.to_owned())),
        }
    }

    fn quoted(&mut self) -> Result<TokenKind, DataError> {
        let start = self.at;
        if let Some(inner) = self.rest().strip_prefix("\"\"\"") {
            let Some(end) = inner.find("\"\"\"") else {
                return Err(self.fail(start, "a text in three quotes is not closed"));
            };
            // If there are more than three quotes, the last three close the text.
            let more = inner[end + 3..].bytes().take_while(|it| *it == b'"').count();
            self.at += 3 + end + more + 3;
            return Ok(TokenKind::Quoted(inner[..end + more].to_owned()));
        }
        self.at += 1;
        let mut out = String::new();
        loop {
            let at = self.at;
            let Some(next) = self.peek() else {
                return Err(self.fail(start, "a text in quotes is not closed"));
            };
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(TokenKind::Quoted(out)),
                '\\' => out.push(self.escape(at)?),
                it if it.is_control() => {
                    return Err(self.fail(
                        at,
                        "a control character appears in quotes; write it as an escape such as \\n",
                    ));
                }
                it => out.push(it),
            }
        }
    }

    fn escape(&mut self, at: usize) -> Result<char, DataError> {
        let Some(next) = self.peek() else {
            return Err(self.fail(at, "nothing appears after a backslash"));
        };
        self.at += next.len_utf8();
        Ok(match next {
            '"' | '\\' | '/' => next,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits = self.rest().get(..4).filter(|it| it.bytes().all(|it| it.is_ascii_hexdigit()));
                let code = digits.and_then(|it| u32::from_str_radix(it, 16).ok()).and_then(char::from_u32);
                let Some(code) = code else {
                    return Err(self.fail(at, "`\\u` is followed by no four digits of a character"));
                };
                self.at += 4;
                code
            }
            other => return Err(self.fail(at, &format!("there is no escape `\\{other}`"))),
        })
    }

    fn substitution(&mut self) -> Result<TokenKind, DataError> {
        let start = self.at;
        self.at += 1;
        if self.peek() != Some('{') || self.depth == SUBSTITUTION_DEPTH {
            return Err(self.fail(start, "`$` appears only before `{`"));
        }
        self.at += 1;
        let optional = self.peek() == Some('?');
        self.at += usize::from(optional);
        let mut path = Vec::new();
        self.depth += 1;
        loop {
            self.push_next(&mut path)?;
            match path.last().map(|it| &it.kind) {
                Some(TokenKind::Sign('}')) => {
                    path.pop();
                    self.depth -= 1;
                    return Ok(TokenKind::Substitution { optional, path });
                }
                Some(TokenKind::End) => return Err(self.fail(start, "`${` is not closed")),
                _ => {}
            }
        }
    }
}

fn range(start: usize, end: usize) -> TextRange {
    let size = |it: usize| TextSize::try_from(it).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(size(start), size(end.max(start)))
}

fn is_blank(it: char) -> bool {
    it.is_whitespace() || it == '\u{feff}'
}

fn starts_comment(text: &str) -> bool {
    text.starts_with('#') || text.starts_with("//")
}

/// Parses a number as the reference's platform does: a number without a fraction is an integer in any notation, and
/// leading zeros make it octal.
fn number(text: &str) -> Option<Value> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let all_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    if all_digits(digits) {
        let base = if digits.len() > 1 && digits.starts_with('0') { 8 } else { 10 };
        let number = BigInt::parse_bytes(text.as_bytes(), base)?;
        return Some(Value::Integer(Integer::from(number)));
    }
    let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (digits, None),
    };
    let fits = match mantissa.split_once('.') {
        Some((whole, fraction)) => all_digits(whole) && all_digits(fraction),
        None => all_digits(mantissa),
    };
    let exponent_fits = exponent.is_none_or(|it| all_digits(it.strip_prefix(['+', '-']).unwrap_or(it)));
    if !fits || !exponent_fits {
        return None;
    }
    let number: f64 = text.parse().ok().filter(|it: &f64| it.is_finite())?;
    match number.fract() == 0.0 {
        // A number without a fraction is exact as an integer.
        true => BigInt::parse_bytes(format!("{number:.0}").as_bytes(), 10)
            .map(|it| Value::Integer(Integer::from(it))),
        false => Some(Value::Float(number)),
    }
}
