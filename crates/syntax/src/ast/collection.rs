use marotte_text::{Str, TextRange};

use super::Expr;

/// An element of a list of values. Adjacent `key => value` pairs in a list form one hash (B19), which is
/// [`Hash::bare`].
pub type Element = Expr;

/// A literal hash: `{ key => value }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Hash {
    /// The entries, in source order.
    pub entries: Box<[HashEntry]>,
    /// Whether the pairs are part of a list of arguments or elements, without braces of their own.
    pub bare: bool,
}

/// `key => value`.
#[derive(Clone, Debug, PartialEq)]
pub struct HashEntry {
    /// The expression of the key.
    pub key: Expr,
    /// The expression of the value.
    pub value: Expr,
    /// The range of the `=>`.
    pub arrow: TextRange,
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Literal text with its escapes decoded; never empty.
    Text(Str),
    /// `$x` or `${…}`.
    Expr(Expr),
}

/// A heredoc with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Heredoc {
    /// The syntax that the header declares for the text; often empty.
    pub syntax: Str,
    /// The text: a string or an interpolated string.
    pub text: Expr,
}
