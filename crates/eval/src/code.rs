use std::fmt;
use std::sync::Arc;

use marotte_hir::{Body, ExprId, SourceMap};
use marotte_text::Str;

/// A body that can be evaluated, and where it comes from.
#[derive(Clone, Debug)]
pub struct Code {
    /// What is evaluated.
    pub body: Arc<Body>,
    /// Where it comes from.
    pub origin: Arc<Origin>,
}

/// Where a body comes from. It says no lines: those are looked up when something is shown.
#[derive(Debug)]
pub enum Origin {
    /// A file of the tree.
    File {
        /// Its path.
        path: Str,
        /// Which of its definitions; none for what is outside of them.
        definition: Option<usize>,
    },
    /// A text that was made while evaluating, or given on a command line.
    Text {
        /// What messages call it.
        name: Str,
        /// The text.
        text: Arc<str>,
        /// Where the expressions stand in it.
        map: Arc<SourceMap>,
    },
    /// The interpreter itself.
    Internal,
}

/// An expression somewhere, or a definition.
#[derive(Clone)]
pub struct Place {
    /// Whose.
    pub origin: Arc<Origin>,
    /// Which. None for the definition itself.
    pub expr: Option<ExprId>,
}

impl fmt::Debug for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.expr)
    }
}
