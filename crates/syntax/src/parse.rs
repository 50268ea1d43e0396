//! The one entry: lex, arrange, build, validate.

use marotte_text::TextRange;

use crate::ast::Program;
use crate::grammar::{self, Rule};
use crate::{SyntaxError, SyntaxErrorKind, build, lexer};

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
    /// The tree; where the text is wrong, with [`crate::ast::ExprKind::Error`] in it.
    pub program: Program,
    /// All comments in order of position.
    pub comments: Box<[Comment]>,
    /// All errors and warnings in order of position.
    pub errors: Box<[SyntaxError]>,
}

/// Reads `source`. Takes time and memory linear in its length; recursion is bounded.
pub fn parse(source: &str, mode: Mode) -> Parse {
    let lexed = lexer::lex(source, mode);
    let mut errors = lexed.errors;
    let rule = if mode.template { Rule::template } else { Rule::program };
    let program = match grammar::arrange(&lexed.tokens, rule) {
        Ok(mut pairs) => {
            let root = pairs.next().expect("arrange gives the root");
            build::build(source, &lexed.tokens, root, &mut errors)
        }
        Err(at) => {
            let range = lexed.tokens.range(at, marotte_text::TextSize::of(source));
            let found = lexed.tokens.kind(at).map(|kind| kind.text().into());
            errors.push(SyntaxError { range, kind: SyntaxErrorKind::Unexpected { found, slip: crate::Slip::Unknown } });
            Program { body: Box::new([]), template: None, range: TextRange::up_to(marotte_text::TextSize::of(source)) }
        }
    };
    errors.sort_by_key(|error| (error.range.start(), error.range.end()));
    Parse { program, comments: lexed.comments.into(), errors: errors.into() }
}
