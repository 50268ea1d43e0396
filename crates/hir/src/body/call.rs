use marotte_text::Str;

use super::{Block, ExprId, FrameId};

/// `name(…) |…| {…}`, `Type(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The called function or type.
    pub callee: Callee,
    /// The arguments, in order; splats unfold.
    pub arguments: Box<[ExprId]>,
    /// The lambda after the arguments.
    pub lambda: Option<LambdaId>,
}

/// The target of a [`Call`].
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function, by its name.
    Function(Str),
    /// A type: the call creates a new value of it.
    Type(ExprId),
    /// Something that can't be called.
    Other(ExprId),
}

/// `receiver.name(…) |…| {…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodCall {
    /// The first argument of a function, or the object whose attribute or method is called.
    pub receiver: ExprId,
    /// The name of the function.
    pub name: Str,
    /// A marker expression: gives the name a place in the source map.
    pub at: ExprId,
    /// The other arguments, in order; splats unfold.
    pub arguments: Box<[ExprId]>,
    /// The lambda after the arguments.
    pub lambda: Option<LambdaId>,
}

/// The index of a lambda in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LambdaId(pub(crate) u32);

/// `|parameters| >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// The parameters, in order.
    pub parameters: Box<[Parameter]>,
    /// The return type, after `>>`.
    pub return_type: Option<ExprId>,
    /// The statements of the lambda.
    pub statements: Block,
    /// The variables that a call of the lambda sets.
    pub frame: FrameId,
}

/// `[Type] [*]$name [= default]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The name of the parameter, without `$`.
    pub name: Str,
    /// A marker expression for the parameter's variable: gives it a place in the source map.
    pub at: ExprId,
    /// The declared type of the parameter.
    pub type_expr: Option<ExprId>,
    /// `*`: the parameter takes all remaining arguments.
    pub captures_rest: bool,
    /// The default value of the parameter.
    pub default: Option<ExprId>,
}
