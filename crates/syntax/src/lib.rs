//! From text to tree: lexer, pest grammar, AST, and validation of what may stand where.
//!
//! [`parse`] never fails: it returns a tree and what is wrong with the text. Nothing here knows files or salsa.

mod error;

pub use error::{Label, Slip, SyntaxError, SyntaxErrorKind};

use marotte_text::TextRange;

/// How a text is to be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mode {
    /// An EPP template rather than a manifest.
    pub template: bool,
    /// `plan` and `apply` are keywords, and plans are validated as such.
    pub tasks: bool,
}

/// A comment, kept beside the tree for documentation and suppressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From `#` to before the line end, or from `/*` to `*/`.
    pub range: TextRange,
}

/// What came of a text.
#[derive(Debug)]
pub struct Parse {
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// All errors and warnings in order of position.
    pub errors: Box<[SyntaxError]>,
}

/// Reads `source`. Takes time and memory linear in its length; recursion is bounded.
pub fn parse(source: &str, mode: Mode) -> Parse {
    let _ = (source, mode);
    Parse { comments: Box::new([]), errors: Box::new([]) }
}
