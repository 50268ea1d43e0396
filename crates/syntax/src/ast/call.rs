use marotte_text::{Str, TextRange, TextSize};

use super::{Block, Expr, Parameter};

/// `callee(arguments) |…| { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// A name or type; validation rejects other expressions.
    pub callee: Expr,
    /// The arguments, in source order.
    pub arguments: Box<[Expr]>,
    /// The block, if the call has one.
    pub lambda: Option<Box<Lambda>>,
    /// Whether the call is a statement of its own, so that its value is unused.
    pub statement: bool,
}

/// `receiver.name(arguments) |…| { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodCall {
    /// The receiver, which becomes the function's first argument.
    pub receiver: Expr,
    /// The function's name.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The offset that messages point at: as in the reference, the dot of a call without parentheses. A call with parentheses is
    /// located at the opening one there; this is the name before it.
    pub anchor: TextSize,
    /// The arguments after the receiver.
    pub arguments: Box<[Expr]>,
    /// The block, if the call has one.
    pub lambda: Option<Box<Lambda>>,
}

/// `|parameters| >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// The range from the first `|` to the `}`.
    pub range: TextRange,
    /// The parameters, in source order.
    pub parameters: Box<[Parameter]>,
    /// The type after `>>`, if there is one.
    pub return_type: Option<Expr>,
    /// The statements of the lambda.
    pub body: Block,
}

/// `target[keys]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The indexed value or the parameterized type.
    pub target: Expr,
    /// The keys: one or more.
    pub keys: Box<[Expr]>,
}
