use marotte_text::{Str, TextRange};

use super::Expr;

/// What stands in a list of values. Adjacent `key => value` pairs in a list make one hash (B19), which is
/// [`Hash::bare`].
pub type Element = Expr;

/// A hash literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Hash {
    /// In order of writing.
    pub entries: Box<[HashEntry]>,
    /// Pairs in a list of arguments or elements, without braces of their own.
    pub bare: bool,
}

/// `key => value`.
#[derive(Clone, Debug, PartialEq)]
pub struct HashEntry {
    /// The key.
    pub key: Expr,
    /// The value.
    pub value: Expr,
    /// The `=>`.
    pub arrow: TextRange,
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Text, escapes decoded; never empty.
    Text(Str),
    /// `$x` or `${…}`.
    Expr(Expr),
}

/// A heredoc.
#[derive(Clone, Debug, PartialEq)]
pub struct Heredoc {
    /// What its header declares the text to be; often empty.
    pub syntax: Str,
    /// A string or an interpolated string.
    pub text: Expr,
}
