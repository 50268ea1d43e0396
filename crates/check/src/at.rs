//! Places of findings, relative to an item.

use marotte_hir::ExprId;

/// A part of an item that a finding can point at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// The whole of an expression.
    Expr(ExprId),
    /// The operator of an operation.
    Operator(ExprId),
    /// The name of the function or type that a call calls.
    Callee(ExprId),
    /// The item's name.
    Name,
    /// The name of the class that the item inherits from.
    Parent,
}
