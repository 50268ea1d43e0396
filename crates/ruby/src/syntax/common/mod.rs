//! A parser for the part of Ruby of which nearly all files of modules consist, many times as fast as the complete one.
//!
//! It is strict: it returns exactly the tree of the complete parser, or gives up (`None`), on rare constructs as well as on
//! errors. The complete parser then reads the text. A test compares the two.

mod call;
mod compound;
mod definition;
mod expression;
mod heredoc;
mod literal;
mod names;
mod statement;
mod strings;
#[cfg(test)]
mod tests;

use std::ops::Range;

use self::names::Names;
use super::tree::{Call, Expr, ExprKind, Part};

pub(crate) use self::names::lone_names;

/// The maximal nesting of the tree. Deeper ones are left to the complete parser, which makes the deepest nodes opaque.
const DEPTH_LIMIT: usize = 90;

/// The maximal nesting of constructs, which bounds the stack.
const NESTING_LIMIT: usize = 60;

/// Parses a text that consists of common constructs only, and has no error.
pub(super) fn parse(text: &str) -> Option<Vec<Expr>> {
    let body = Reader::new(text).program()?;
    (!body.iter().any(|it| is_deeper(it, DEPTH_LIMIT))).then_some(body)
}

/// The maximal number of operators, selections or modifiers after one operand, each of which is a level of the tree.
const CHAIN_LIMIT: usize = 90;

/// The state of the parser.
///
/// Each method reads one construct at the current position, and leaves the position directly after it. `None` means that the
/// parser gives up.
struct Reader<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// The bodies of the heredocs that begin on the current line: the end of this line, and the end of the bodies.
    heredoc: Option<(usize, usize)>,
    /// Whether `do` belongs to an outer construct.
    no_do: bool,
    /// Whether the next expression is a statement, so that several values can be assigned in it.
    is_statement: bool,
    nesting: usize,
    /// The start of the current statement, and the end of the last one.
    start_of_statement: usize,
    end_of_last: usize,
    /// The start of the last string that consists of several literals.
    chained: Option<usize>,
    /// The range of the last expression without a kind of its own to which a value can be assigned.
    target: Option<Range<usize>>,
    /// The names that stand alone, if they are wanted.
    names: Option<Names<'t>>,
}

/// A position to which the parser can return, as long as it has only passed blanks and ends of lines.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    heredoc: Option<(usize, usize)>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Reader<'t> {
        Reader {
            text,
            bytes: text.as_bytes(),
            at: 0,
            heredoc: None,
            no_do: false,
            is_statement: false,
            nesting: 0,
            start_of_statement: 0,
            end_of_last: 0,
            chained: None,
            target: None,
            names: None,
        }
    }

    fn program(&mut self) -> Option<Vec<Expr>> {
        // A carriage return is part of a line end, or is not.
        if self.bytes.iter().any(|it| matches!(it, b'\r' | 0)) || self.text.starts_with('\u{feff}') {
            return None;
        }
        self.start_of_line()?;
        let body = self.statements()?;
        (self.at == self.bytes.len()).then_some(body)
    }

    fn place(&self) -> Place {
        Place { at: self.at, heredoc: self.heredoc }
    }

    fn return_to(&mut self, place: Place) {
        (self.at, self.heredoc) = (place.at, place.heredoc);
    }

    /// The byte at an offset from the current position; 0 at the end.
    fn ahead(&self, offset: usize) -> u8 {
        self.bytes.get(self.at + offset).copied().unwrap_or(0)
    }

    fn peek(&self) -> u8 {
        self.ahead(0)
    }

    fn starts_with(&self, what: &str) -> bool {
        self.bytes[self.at..].starts_with(what.as_bytes())
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek() == byte).then(|| self.at += 1)
    }

    /// The word at the current position, without `?` and `!`. Empty if there is none.
    fn word(&self) -> &'t str {
        let rest = &self.bytes[self.at..];
        let is_start = rest.first().is_some_and(|it| it.is_ascii_alphabetic() || *it == b'_');
        let length = if is_start { rest.iter().take_while(|it| is_word(**it)).count() } else { 0 };
        &self.text[self.at..self.at + length]
    }

    /// The word at the current position, unless it is the name of a method that ends with `?` or `!`.
    fn keyword(&self) -> &'t str {
        let word = self.word();
        let is_name = matches!(self.ahead(word.len()), b'?' | b'!') && self.ahead(word.len() + 1) != b'=';
        if is_name { "" } else { word }
    }

    fn is_at_word(&self, word: &str) -> bool {
        self.starts_with(word) && self.keyword() == word
    }

    fn expect_word(&mut self, word: &str) -> Option<()> {
        self.is_at_word(word).then(|| self.at += word.len())
    }

    /// Passes blanks, and line ends that a backslash hides.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' => self.at += 1,
                b'\\' if self.ahead(1) == b'\n' && self.heredoc.is_none() => self.at += 2,
                _ => return,
            }
        }
    }

    /// Passes the end of a line, and the bodies of its heredocs.
    fn line_end(&mut self) -> Option<()> {
        match self.heredoc {
            Some((end, _)) if self.at < end => return None,
            Some((_, after)) => (self.at, self.heredoc) = (after, None),
            None => self.at += 1,
        }
        self.start_of_line()
    }

    /// Gives up on lines that end the program, or start a comment of several lines.
    fn start_of_line(&self) -> Option<()> {
        (!self.starts_with("__END__") && !self.starts_with("=begin")).then_some(())
    }

    /// Passes blanks, line ends and comments.
    fn space(&mut self) -> Option<()> {
        loop {
            self.blanks();
            match self.peek() {
                b'\n' => self.line_end()?,
                b'#' => self.comment()?,
                _ => return Some(()),
            }
        }
    }

    fn comment(&mut self) -> Option<()> {
        let is_apart = self.at == 0 || !is_word(self.bytes[self.at - 1]);
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
        is_apart.then_some(())
    }

    /// Whether something is selected from the last expression, possibly on the next line.
    fn is_selected(&mut self) -> Option<bool> {
        let place = self.place();
        self.space()?;
        let found = self.peek() == b'.' && self.ahead(1) != b'.' || self.starts_with("&.");
        self.return_to(place);
        Some(found)
    }

    /// Reads something in brackets of its own, in which `do` belongs to the innermost call.
    fn within_brackets<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let outer = std::mem::replace(&mut self.no_do, false);
        let found = read(self);
        self.no_do = outer;
        found
    }

    /// Reads something whose `do` belongs to an outer construct.
    fn without_do<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let outer = std::mem::replace(&mut self.no_do, true);
        let found = read(self);
        self.no_do = outer;
        found
    }

    fn since(&self, start: usize, kind: ExprKind) -> Expr {
        Expr { range: start..self.at, kind }
    }

    fn opaque(&self, start: usize) -> Expr {
        self.since(start, ExprKind::Opaque)
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether an expression has more levels than the limit.
fn is_deeper(expr: &Expr, limit: usize) -> bool {
    let Some(limit) = limit.checked_sub(1) else { return true };
    let any = |list: &[Expr]| list.iter().any(|it| is_deeper(it, limit));
    let in_parts =
        |parts: &[Part]| parts.iter().any(|it| matches!(it, Part::Code(code) if is_deeper(code, limit)));
    match &expr.kind {
        ExprKind::String(parts) | ExprKind::Symbol(parts) | ExprKind::Regexp(parts, _) => in_parts(parts),
        ExprKind::Array(list)
        | ExprKind::Module(list)
        | ExprKind::Sequence(list)
        | ExprKind::Branches(list)
        | ExprKind::Return(list) => any(list),
        ExprKind::Hash(pairs) => {
            pairs.iter().any(|(key, value)| is_deeper(key, limit) || is_deeper(value, limit))
        }
        ExprKind::Splat(inner) => is_deeper(inner, limit),
        ExprKind::Call(call) => {
            let Call { receiver, arguments, block, .. } = &**call;
            receiver.as_ref().is_some_and(|it| is_deeper(it, limit))
                || any(arguments)
                || block.as_ref().is_some_and(|it| any(&it.body))
        }
        ExprKind::Assign(left, right) | ExprKind::Plus(left, right) => {
            is_deeper(left, limit) || is_deeper(right, limit)
        }
        ExprKind::Method(method) => any(&method.body),
        _ => false,
    }
}
