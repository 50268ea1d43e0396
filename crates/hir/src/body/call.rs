use marotte_text::Str;

use super::{Block, ExprId, FrameId};

/// `name(…) |…| {…}`, `Type(…)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// What is called.
    pub callee: Callee,
    /// In order; splats unfold.
    pub arguments: Box<[ExprId]>,
    /// The lambda behind.
    pub lambda: Option<LambdaId>,
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function.
    Function(Str),
    /// A type: makes a new value of it.
    Type(ExprId),
    /// Something that can't be called.
    Other(ExprId),
}

/// `receiver.name(…) |…| {…}`.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodCall {
    /// The first argument, or the object whose attribute or function is meant.
    pub receiver: ExprId,
    /// The name.
    pub name: Str,
    /// Stands for the name in the source map.
    pub at: ExprId,
    /// The other arguments, in order; splats unfold.
    pub arguments: Box<[ExprId]>,
    /// The lambda behind.
    pub lambda: Option<LambdaId>,
}

/// Which lambda of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LambdaId(pub(crate) u32);

/// `|parameters| >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// After `>>`.
    pub return_type: Option<ExprId>,
    /// The statements.
    pub statements: Block,
    /// The variables that a call of it sets.
    pub frame: FrameId,
}

/// `[Type] [*]$name [= default]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Without `$`.
    pub name: Str,
    /// Stands for it in the source map: an expression that is the parameter's variable.
    pub at: ExprId,
    /// The declared type.
    pub type_expr: Option<ExprId>,
    /// `*`: takes all remaining arguments.
    pub captures_rest: bool,
    /// The default value.
    pub default: Option<ExprId>,
}
