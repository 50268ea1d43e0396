use marotte_text::{TextRange, TextSize};

use crate::ExprId;

/// The places of a body's expressions in their file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    pub(crate) places: Vec<Place>,
}

/// The place of an expression in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The range of the whole expression.
    pub range: TextRange,
    /// The position that messages point at: the operator of an operation, the dot or the name of a method call, the start of any
    /// other expression.
    pub anchor: TextSize,
}

impl SourceMap {
    /// Returns the place of an expression of the body. `None` for an expression of another body.
    pub fn place(&self, expr: ExprId) -> Option<Place> {
        self.places.get(expr.index()).copied()
    }
}
