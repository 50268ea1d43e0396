use std::fmt;

use marotte_text::TextRange;

/// An error while reading a document, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataError {
    /// The reason of the error.
    pub kind: DataErrorKind,
    /// The range of the offending text.
    pub range: TextRange,
}

/// The reason why a document can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataErrorKind {
    /// The text isn't valid in its format: the message of the parser.
    Syntax(String),
    /// A tag or scalar denotes an instance of this Ruby class, and only data may be read.
    Class(String),
    /// A symbol is used as a value; only keys may be symbols.
    Symbol,
    /// A scalar looks like a number but can't be converted: the text, and the expected kind of number.
    Number(String, &'static str),
    /// A tag requires a number, but the value isn't one.
    NotANumber(&'static str),
    /// A tag requires a shape that the node doesn't have.
    Shape(String),
    /// A base64 text doesn't decode to valid text.
    Binary,
    /// There is no anchor of this name before the alias.
    UnknownAlias(String),
    /// An alias is nested in the value that it refers to.
    Recursive,
    /// Nested more deeply than [`DEPTH_LIMIT`](super::DEPTH_LIMIT).
    Depth,
    /// An integer has more digits than [`DIGIT_LIMIT`](super::DIGIT_LIMIT).
    Digits,
    /// Aliases of aliases, or substitutions, expand to more values than memory should hold.
    Aliases,
}

impl fmt::Display for DataErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataErrorKind::Syntax(message) => out.write_str(message),
            DataErrorKind::Class(name) => write!(out, "Tried to load unspecified class: {name}"),
            DataErrorKind::Symbol => out.write_str("a symbol is not a value; only keys may be symbols"),
            DataErrorKind::Number(text, kind) => write!(out, "invalid value for {kind}(): {text:?}"),
            DataErrorKind::NotANumber(found) => write!(out, "can't convert {found} into Float"),
            DataErrorKind::Shape(tag) => {
                write!(out, "what appears here does not have the shape that the tag {tag} asks for")
            }
            DataErrorKind::Binary => out.write_str("the bytes of this binary text are not UTF-8"),
            DataErrorKind::UnknownAlias(name) => write!(out, "Unknown alias: {name}"),
            DataErrorKind::Recursive => out.write_str("an alias appears inside of what it stands for"),
            DataErrorKind::Depth => {
                write!(out, "data is nested more than {} levels deep", super::DEPTH_LIMIT)
            }
            DataErrorKind::Digits => {
                write!(out, "an integer has more than {} digits", super::DIGIT_LIMIT)
            }
            DataErrorKind::Aliases => {
                out.write_str("the aliases expand to more values than the limit allows")
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
