use std::fmt;
use std::sync::Arc;

use marotte_hir::{Body, ExprId, SourceMap};
use marotte_text::Str;

/// A body that can be evaluated, with its origin.
#[derive(Clone, Debug)]
pub struct Code {
    /// The body to evaluate.
    pub body: Arc<Body>,
    /// The origin of the body.
    pub origin: Arc<Origin>,
}

/// The origin of a body. It has no line numbers: those are looked up when something is shown.
#[derive(Debug)]
pub enum Origin {
    /// A file of the source tree.
    File {
        /// The path of the file.
        path: Str,
        /// The index of the definition in the file; None for the code outside of definitions.
        definition: Option<usize>,
    },
    /// A text that was created during evaluation, or given on a command line.
    Text {
        /// The name in messages.
        name: Str,
        /// The text of the source.
        text: Arc<str>,
        /// The ranges of the expressions in the text.
        map: Arc<SourceMap>,
    },
    /// Code of the interpreter itself.
    Internal,
}

/// The place of an expression or definition.
#[derive(Clone)]
pub struct Place {
    /// The origin of its body.
    pub origin: Arc<Origin>,
    /// The expression. None for the definition itself.
    pub expr: Option<ExprId>,
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.expr)
    }
}
