use marotte_text::{TextRange, TextSize};

use crate::ExprId;

/// Where the expressions of a body stand in their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    pub(crate) places: Vec<Place>,
}

/// Where something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// All of it.
    pub range: TextRange,
    /// The token that messages point at: the operator of an operation, the start of everything else.
    pub anchor: TextSize,
}

impl SourceMap {
    /// Where an expression of the body stands. None for one of another body.
    pub fn place(&self, expr: ExprId) -> Option<Place> {
        self.places.get(expr.index()).copied()
    }
}
