//! From tokens to a tree in which substitutions still stand.

use indexmap::IndexMap;
use marotte_pcore::value::Value;
use marotte_text::TextRange;

use super::token::{Token, TokenKind};
use crate::data::{DEPTH_LIMIT, DataError, DataErrorKind};

/// A value, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tree {
    pub(super) kind: TreeKind,
    pub(super) range: TextRange,
}

/// What a value is, as far as that is known.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TreeKind {
    Scalar(Scalar),
    Object(Object),
    List(Vec<Tree>),
    /// `${path}`.
    Reference {
        path: Vec<String>,
        optional: bool,
    },
    /// Several side by side that are not known yet.
    Concatenation(Vec<Tree>),
    /// Several for one key, the last first, some of which are not known yet.
    Stack(Vec<Tree>),
}

/// A value without parts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scalar {
    pub(super) value: Value,
    /// As it is written, which is what it is beside other texts.
    pub(super) text: String,
    is_quoted: bool,
}

/// Entries, and where their keys stand.
pub(super) type Object = IndexMap<String, (TextRange, Tree)>;

impl Tree {
    fn is_known(&self) -> bool {
        matches!(self.kind, TreeKind::Scalar(_) | TreeKind::Object(_) | TreeKind::List(_))
    }

    /// What this is where an earlier value is there, too: objects are merged, all else replaces.
    pub(super) fn over(self, earlier: Tree) -> Tree {
        let range = self.range;
        let kind = match (self.kind, earlier.kind) {
            (TreeKind::Object(later), TreeKind::Object(earlier)) => TreeKind::Object(merge(later, earlier)),
            (kind @ (TreeKind::Scalar(_) | TreeKind::List(_)), _) => kind,
            (kind @ TreeKind::Object(_), TreeKind::Scalar(_) | TreeKind::List(_)) => kind,
            (kind, earlier_kind) => {
                let mut stack = unstacked(Tree { kind, range });
                stack.extend(unstacked(Tree { kind: earlier_kind, range: earlier.range }));
                TreeKind::Stack(stack)
            }
        };
        Tree { kind, range }
    }
}

fn unstacked(tree: Tree) -> Vec<Tree> {
    match tree.kind {
        TreeKind::Stack(stack) => stack,
        _ => vec![tree],
    }
}

fn merge(later: Object, mut earlier: Object) -> Object {
    let mut merged = Object::with_capacity(later.len() + earlier.len());
    for (key, (at, value)) in later {
        let value = match earlier.shift_remove(&key) {
            Some((_, earlier)) => value.over(earlier),
            None => value,
        };
        merged.insert(key, (at, value));
    }
    merged.extend(earlier);
    merged
}

/// What values side by side are. None if there are none.
///
/// # Errors
/// If they can't stand side by side.
pub(super) fn concatenated(pieces: impl IntoIterator<Item = Tree>) -> Result<Option<Tree>, DataError> {
    let mut joined: Vec<Tree> = Vec::new();
    for piece in pieces {
        let parts = match piece.kind {
            TreeKind::Concatenation(parts) => parts,
            _ => vec![piece],
        };
        for right in parts {
            let Some(left) = joined.pop() else {
                joined.push(right);
                continue;
            };
            if left.is_known() && right.is_known() {
                joined.push(join(left, right)?);
            } else {
                joined.extend([left, right]);
            }
        }
    }
    let range = joined.iter().map(|it| it.range).reduce(TextRange::cover);
    Ok(match (joined.len(), range) {
        (0, _) | (_, None) => None,
        (1, _) => joined.pop(),
        (_, Some(range)) => Some(Tree { kind: TreeKind::Concatenation(joined), range }),
    })
}

fn join(left: Tree, right: Tree) -> Result<Tree, DataError> {
    let range = left.range.cover(right.range);
    let kind = match (left.kind, right.kind) {
        (TreeKind::Object(left), TreeKind::Object(right)) => TreeKind::Object(merge(right, left)),
        (TreeKind::List(mut left), TreeKind::List(right)) => {
            left.extend(right);
            TreeKind::List(left)
        }
        // As the reference has it: what is not quoted counts for nothing there.
        (kind @ (TreeKind::List(_) | TreeKind::Object(_)), TreeKind::Scalar(it))
            if matches!(it.value, Value::String(_)) && !it.is_quoted =>
        {
            kind
        }
        (TreeKind::Scalar(left), TreeKind::Scalar(right)) => {
            let text = left.text + &right.text;
            TreeKind::Scalar(Scalar { value: Value::String(text.as_str().into()), text, is_quoted: true })
        }
        _ => {
            let message = "a list or an object cannot stand beside something of another kind";
            return Err(DataError { kind: DataErrorKind::Syntax(message.to_owned()), range });
        }
    };
    Ok(Tree { kind, range })
}

/// Reads tokens.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The keys on the way to what is read.
    path: Vec<String>,
    /// How many lists are open.
    lists: usize,
}

impl Parser {
    pub(super) fn new(tokens: Vec<Token>) -> Parser {
        Parser { tokens, at: 0, depth: 0, path: Vec::new(), lists: 0 }
    }

    /// All of a document.
    pub(super) fn document(mut self) -> Result<Tree, DataError> {
        self.skip_lines();
        let tree = match self.peek() {
            TokenKind::Sign('{' | '[') => self.simple_value()?,
            _ => {
                let start = self.range();
                let object = self.fields(false)?;
                Tree { kind: TreeKind::Object(object), range: start.cover(self.range()) }
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

    /// Passes over line ends, and says whether there was one.
    fn skip_lines(&mut self) -> bool {
        let before = self.at;
        while *self.peek() == TokenKind::Newline {
            self.at += 1;
        }
        self.at > before
    }

    /// Passes over what separates entries: line ends, and one comma.
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

    /// The fields of an object, up to what closes it.
    fn fields(&mut self, is_braced: bool) -> Result<Object, DataError> {
        let mut object = Object::new();
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
                    _ => return Err(self.fail("a comma or the end of the line has to stand before this")),
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
            return Err(self.fail("a key has to stand here"));
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
                return Err(self.fail("`+=` cannot stand inside of a list"));
            }
            self.at += 1;
            self.lists += 1;
            let value = self.value()?;
            self.lists -= 1;
            let range = value.range;
            let before = TreeKind::Reference { path: self.path.clone(), optional: true };
            let list = TreeKind::List(vec![value]);
            Tree {
                kind: TreeKind::Concatenation(vec![Tree { kind: before, range }, Tree { kind: list, range }]),
                range,
            }
        } else if self.take(':') || self.take('=') {
            self.value()?
        } else {
            return Err(self.fail("`=`, `:` or `{` has to stand behind a key"));
        };
        self.path.truncate(depth);
        let mut keys = path.into_iter();
        let Some(key) = keys.next() else { return Ok(()) };
        let value = keys.rev().fold(value, |value, key| {
            let range = value.range;
            Tree { kind: TreeKind::Object([(key, (key_range, value))].into_iter().collect()), range }
        });
        let slot = object.entry(key);
        match slot {
            indexmap::map::Entry::Occupied(mut slot) => {
                let (at, earlier) = slot.get_mut();
                let empty = Tree { kind: TreeKind::List(Vec::new()), range: earlier.range };
                let earlier = std::mem::replace(earlier, empty);
                *at = key_range;
                slot.get_mut().1 = value.over(earlier);
            }
            indexmap::map::Entry::Vacant(slot) => {
                slot.insert((key_range, value));
            }
        }
        Ok(())
    }

    /// A value, with all that stands beside it on the line.
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
        concatenated(pieces)?.ok_or_else(|| self.fail("a value has to stand here"))
    }

    fn simple_value(&mut self) -> Result<Tree, DataError> {
        let range = self.range();
        let kind = match self.peek().clone() {
            TokenKind::Quoted(text) => scalar(Value::String(text.as_str().into()), text, true),
            TokenKind::Unquoted(text) => scalar(Value::String(text.as_str().into()), text, false),
            TokenKind::Literal(value, text) => scalar(value, text, true),
            TokenKind::Substitution { optional, path: tokens } => {
                TreeKind::Reference { path: path(&tokens, range)?, optional }
            }
            TokenKind::Sign('{') => {
                self.at += 1;
                let object = self.deeper(|it| it.fields(true))?;
                return Ok(Tree { kind: TreeKind::Object(object), range: self.since(range) });
            }
            TokenKind::Sign('[') => {
                self.at += 1;
                self.lists += 1;
                let list = self.deeper(Self::elements)?;
                self.lists -= 1;
                return Ok(Tree { kind: TreeKind::List(list), range: self.since(range) });
            }
            _ => return Err(self.fail("a value has to stand here")),
        };
        self.at += 1;
        Ok(Tree { kind, range })
    }

    /// From a token to the one that was read last.
    fn since(&self, start: TextRange) -> TextRange {
        let last = self.at.checked_sub(1).and_then(|it| self.tokens.get(it));
        last.map_or(start, |it| start.cover(it.range))
    }

    fn elements(&mut self) -> Result<Vec<Tree>, DataError> {
        let mut elements = Vec::new();
        self.skip_lines();
        while !self.take(']') {
            elements.push(self.value()?);
            let separated = self.skip_separator();
            self.skip_lines();
            if !separated && *self.peek() != TokenKind::Sign(']') {
                return Err(self.fail("a comma or the end of the line has to stand before this"));
            }
        }
        Ok(elements)
    }
}

fn scalar(value: Value, text: String, is_quoted: bool) -> TreeKind {
    TreeKind::Scalar(Scalar { value, text, is_quoted })
}

/// The keys that a path names: dots outside of quotes separate them.
fn path(tokens: &[Token], range: TextRange) -> Result<Vec<String>, DataError> {
    let fail = |message: &str| DataError { kind: DataErrorKind::Syntax(message.to_owned()), range };
    // With each key, whether it may be empty.
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
            _ => return Err(fail("this cannot stand in a path; quote it")),
        };
        let mut parts = text.split('.');
        if let (Some(first), Some((key, _))) = (parts.next(), keys.last_mut()) {
            key.push_str(first);
        }
        keys.extend(parts.map(|it| (it.to_owned(), false)));
    }
    if keys.iter().any(|(key, may_be_empty)| key.is_empty() && !may_be_empty) {
        return Err(fail("no dot can stand at the start or end of a path, or beside another"));
    }
    Ok(keys.into_iter().map(|(key, _)| key).collect())
}
