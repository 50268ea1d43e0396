//! The parser: converts tokens to a tree that still contains substitutions.

use std::rc::Rc;

use marotte_text::TextRange;

use super::object::Object;
use super::token::{Token, TokenKind};
use super::tree::{Measure, Scalar, Tree, TreeKind, concatenated, measured};
use crate::data::{DEPTH_LIMIT, DataError, DataErrorKind};

/// A parser over tokens.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The keys that lead to the value being read.
    path: Vec<String>,
    /// The number of open lists.
    lists: usize,
}

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0, depth: 0, path: Vec::new(), lists: 0 }
    }

    /// Reads a whole document.
    pub(super) fn document(mut self) -> Result<Tree, DataError> {
        self.skip_lines();
        let tree = match self.peek() {
            TokenKind::Sign('{' | '[') => self.simple_value()?,
            _ => {
                let start = self.range();
                let object = self.fields(false)?;
                Tree::object(object, start.cover(self.range()))
            }
        };
        self.skip_lines();
        match self.peek() {
            TokenKind::End => Ok(tree),
            _ => Err(self.fail("nothing can follow the end of the document")),
        }
    }

    fn peek(&self) -> &TokenKind {
        self.tokens.get(self.at).map_or(&TokenKind::End, |it| &it.kind)
    }

    fn range(&self) -> TextRange {
        self.tokens.get(self.at).or(self.tokens.last()).map(|it| it.range).unwrap_or_default()
    }

    fn fail(&self, message: &str) -> DataError {
        DataError { kind: DataErrorKind::Syntax(message.to_owned()), range: self.range() }
    }

    fn take(&mut self, sign: char) -> bool {
        let found = *self.peek() == TokenKind::Sign(sign);
        self.at += usize::from(found);
        found
    }

    /// Skips line ends; returns whether there was one.
    fn skip_lines(&mut self) -> bool {
        let before = self.at;
        while *self.peek() == TokenKind::Newline {
            self.at += 1;
        }
        self.at > before
    }

    /// Skips a separator of entries: line ends, and at most one comma. Returns whether there was one.
    fn skip_separator(&mut self) -> bool {
        let line = self.skip_lines();
        self.take(',') || line
    }

    fn deeper<T>(&mut self, body: impl FnOnce(&mut Self) -> Result<T, DataError>) -> Result<T, DataError> {
        if self.depth == DEPTH_LIMIT {
            return Err(DataError { kind: DataErrorKind::Depth, range: self.range() });
        }
        self.depth += 1;
        let result = body(self);
        self.depth -= 1;
        result
    }

    /// Reads the fields of an object, up to the closing brace or the end.
    fn fields(&mut self, is_braced: bool) -> Result<Object, DataError> {
        let mut object = Object::default();
        loop {
            self.skip_lines();
            match self.peek() {
                TokenKind::Sign('}') if is_braced => break,
                TokenKind::End if !is_braced => break,
                TokenKind::Unquoted(word) if word == "include" => {
                    return Err(
                        self.fail("`include` is not supported: a file of data says everything itself")
                    );
                }
                _ => self.field(&mut object)?,
            }
            if !self.skip_separator() {
                self.skip_lines();
                match self.peek() {
                    TokenKind::Sign('}') if is_braced => break,
                    TokenKind::End if !is_braced => break,
                    _ => return Err(self.fail("a comma or the end of the line has to appear before this")),
                }
            }
        }
        self.at += usize::from(is_braced);
        Ok(object)
    }

    fn field(&mut self, object: &mut Object) -> Result<(), DataError> {
        let start = self.at;
        while matches!(self.peek(), TokenKind::Quoted(_) | TokenKind::Literal(..) | TokenKind::Unquoted(_)) {
            self.at += 1;
        }
        let tokens = &self.tokens[start..self.at];
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return Err(self.fail("a key has to appear here"));
        };
        let key_range = first.range.cover(last.range);
        let path = path(tokens, key_range)?;
        self.skip_lines();
        let depth = self.path.len();
        self.path.extend(path.iter().cloned());
        // Each key of a path is an object of its own.
        if self.path.len() > DEPTH_LIMIT {
            return Err(DataError { kind: DataErrorKind::Depth, range: key_range });
        }
        let appends = *self.peek() == TokenKind::PlusEquals;
        let value = if *self.peek() == TokenKind::Sign('{') {
            self.simple_value()?
        } else if appends {
            if self.lists > 0 {
                return Err(self.fail("`+=` is not allowed inside of a list"));
            }
            self.at += 1;
            self.lists += 1;
            let value = self.value()?;
            self.lists -= 1;
            let range = value.range;
            let elements = vec![Rc::new(value)];
            let measure = measured(&elements).and(Measure::OPEN);
            Tree { kind: TreeKind::Append { path: self.path.clone(), elements }, range, measure }
        } else if self.take(':') || self.take('=') {
            self.value()?
        } else {
            return Err(self.fail("`=`, `:` or `{` has to appear after a key"));
        };
        self.path.truncate(depth);
        let mut keys = path.into_iter();
        let Some(key) = keys.next() else { return Ok(()) };
        let value = keys.rev().fold(value, |value, key| {
            let range = value.range;
            Tree::object(Object::of(key, key_range, value), range)
        });
        object.add(key, key_range, value);
        Ok(())
    }

    /// Reads a value, including everything concatenated to it on the same line.
    fn value(&mut self) -> Result<Tree, DataError> {
        self.skip_lines();
        let mut pieces = vec![self.simple_value()?];
        while matches!(
            self.peek(),
            TokenKind::Quoted(_)
                | TokenKind::Literal(..)
                | TokenKind::Unquoted(_)
                | TokenKind::Substitution { .. }
                | TokenKind::Sign('{' | '[')
        ) {
            pieces.push(self.simple_value()?);
        }
        concatenated(pieces)?.ok_or_else(|| self.fail("a value has to appear here"))
    }

    fn simple_value(&mut self) -> Result<Tree, DataError> {
        let range = self.range();
        let tree = match self.peek().clone() {
            TokenKind::Quoted(text) => Tree::scalar(Scalar::text(text, true), range),
            TokenKind::Unquoted(text) => Tree::scalar(Scalar::text(text, false), range),
            TokenKind::Literal(value, text) => Tree::scalar(Scalar::literal(value, text), range),
            TokenKind::Substitution { optional, path: tokens } => {
                Tree::open(TreeKind::Reference { path: path(&tokens, range)?, optional }, range)
            }
            TokenKind::Sign('{') => {
                self.at += 1;
                let object = self.deeper(|it| it.fields(true))?;
                return Ok(Tree::object(object, self.since(range)));
            }
            TokenKind::Sign('[') => {
                self.at += 1;
                self.lists += 1;
                let list = self.deeper(Self::elements)?;
                self.lists -= 1;
                return Ok(Tree::list(list, self.since(range)));
            }
            _ => return Err(self.fail("a value has to appear here")),
        };
        self.at += 1;
        Ok(tree)
    }

    /// The range from a token to the one that was read last.
    fn since(&self, start: TextRange) -> TextRange {
        let last = self.at.checked_sub(1).and_then(|it| self.tokens.get(it));
        last.map_or(start, |it| start.cover(it.range))
    }

    fn elements(&mut self) -> Result<Vec<Rc<Tree>>, DataError> {
        let mut elements = Vec::new();
        self.skip_lines();
        while !self.take(']') {
            elements.push(Rc::new(self.value()?));
            let separated = self.skip_separator();
            self.skip_lines();
            if !separated && *self.peek() != TokenKind::Sign(']') {
                return Err(self.fail("a comma or the end of the line has to appear before this"));
            }
        }
        Ok(elements)
    }
}

/// Splits a path into its keys: dots outside of quotes separate them.
fn path(tokens: &[Token], range: TextRange) -> Result<Vec<String>, DataError> {
    let fail = |message: &str| DataError { kind: DataErrorKind::Syntax(message.to_owned()), range };
    // Each key, and whether it may be empty.
    let mut keys = vec![(String::new(), false)];
    for token in tokens {
        let text = match &token.kind {
            TokenKind::Quoted(text) => {
                if let Some((key, may_be_empty)) = keys.last_mut() {
                    key.push_str(text);
                    *may_be_empty |= key.is_empty();
                }
                continue;
            }
            TokenKind::Unquoted(text) | TokenKind::Literal(_, text) => text,
            _ => return Err(fail("this is not allowed in a path; quote it")),
        };
        let mut parts = text.split('.');
        if let (Some(first), Some((key, _))) = (parts.next(), keys.last_mut()) {
            key.push_str(first);
        }
        keys.extend(parts.map(|it| (it.to_owned(), false)));
    }
    if keys.iter().any(|(key, may_be_empty)| key.is_empty() && !may_be_empty) {
        return Err(fail("no dot can appear at the start or end of a path, or beside another"));
    }
    Ok(keys.into_iter().map(|(key, _)| key).collect())
}
