use std::fmt;

use marotte_text::TextRange;

/// Why a document can't be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// Why.
    pub kind: DataErrorKind,
    /// Where.
    pub range: TextRange,
}

/// Why a document can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataErrorKind {
    /// It is not in its format: what the parser says.
    Syntax(String),
    /// A tag or scalar stands for a value of this class of the reference's platform, and only data may be read.
    Class(String),
    /// A symbol stands where a value does; only keys may be symbols.
    Symbol,
    /// A scalar looks like a number, but none can be read from it: the text, and what was to be read.
    Number(String, &'static str),
    /// A tag asks for a number, and something else stands there.
    NotANumber(&'static str),
    /// A tag asks for a shape that the node does not have.
    Shape(String),
    /// Text in base 64 is not text.
    Binary,
    /// There is no anchor of this name before the alias.
    UnknownAlias(String),
    /// An alias stands inside of what it stands for.
    Recursive,
    /// Nested more deeply than [`DEPTH_LIMIT`](super::DEPTH_LIMIT).
    Depth,
    /// An integer of more digits than [`DIGIT_LIMIT`](super::DIGIT_LIMIT).
    Digits,
    /// Aliases of aliases, or substitutions, make more values than memory should hold.
    Aliases,
}

impl fmt::Display for DataErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataErrorKind::Syntax(message) => out.write_str(message),
            DataErrorKind::Class(name) => write!(out, "Tried to load unspecified class: {name}"),
            DataErrorKind::Symbol => out.write_str("a symbol is no value; only keys may be symbols"),
            DataErrorKind::Number(text, kind) => write!(out, "invalid value for {kind}(): {text:?}"),
            DataErrorKind::NotANumber(found) => write!(out, "can't convert {found} into Float"),
            DataErrorKind::Shape(tag) => {
                write!(out, "what stands here does not have the shape that the tag {tag} asks for")
            }
            DataErrorKind::Binary => out.write_str("the bytes of this binary text are not UTF-8"),
            DataErrorKind::UnknownAlias(name) => write!(out, "Unknown alias: {name}"),
            DataErrorKind::Recursive => out.write_str("an alias stands inside of what it stands for"),
            DataErrorKind::Depth => {
                write!(out, "data is nested more than {} levels deep", super::DEPTH_LIMIT)
            }
            DataErrorKind::Digits => {
                write!(out, "an integer has more than {} digits", super::DIGIT_LIMIT)
            }
            DataErrorKind::Aliases => {
                out.write_str("what stands for something else makes more values than can be held")
            }
        }
    }
}

impl fmt::Display for DataError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(out)
    }
}

impl std::error::Error for DataError {}
