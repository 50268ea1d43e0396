use marotte_text::{Str, TextRange};

use super::{Block, Expr, Parameter};

/// `callee(arguments) |…| { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// A name or type; validation refuses others.
    pub callee: Expr,
    /// In order.
    pub arguments: Box<[Expr]>,
    /// The block.
    pub lambda: Option<Box<Lambda>>,
    /// Its value is not used: it is a statement of its own.
    pub statement: bool,
}

/// `receiver.name(arguments) |…| { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodCall {
    /// First argument of the function.
    pub receiver: Expr,
    /// The function.
    pub name: Str,
    /// Where it stands.
    pub name_range: TextRange,
    /// The other arguments.
    pub arguments: Box<[Expr]>,
    /// The block.
    pub lambda: Option<Box<Lambda>>,
}

/// `|parameters| >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// From the first `|` to the `}`.
    pub range: TextRange,
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// After `>>`.
    pub return_type: Option<Expr>,
    /// The statements.
    pub body: Block,
}

/// `target[keys]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// What is indexed or parameterised.
    pub target: Expr,
    /// One or more.
    pub keys: Box<[Expr]>,
}
