//! The syntax tree of a Ruby file.

use std::ops::Range;

use marotte_text::Str;

use crate::resource_type::Flags;

/// An expression; statements are expressions too.
#[derive(Debug)]
pub(crate) struct Expr {
    /// The range, in bytes.
    pub(crate) range: Range<usize>,
    pub(crate) kind: ExprKind,
}

#[derive(Debug)]
pub(crate) enum ExprKind {
    Nil,
    True,
    False,
    /// `self`
    SelfValue,
    /// An integer or a float, as written.
    Number(Str),
    String(Vec<Part>),
    Symbol(Vec<Part>),
    Regexp(Vec<Part>, Flags),
    Array(Vec<Expr>),
    /// A hash, with or without braces. Keys of the form `a:` are symbols.
    Hash(Vec<(Expr, Expr)>),
    /// `*x`, or `**x`.
    Splat(Box<Expr>),
    /// A local variable, or a call without receiver and arguments.
    Name(Str),
    /// An instance variable with its sign: `@doc`.
    InstanceVariable(Str),
    /// A path of constants: `Puppet::Type`.
    Constant(Str),
    Call(Box<Call>),
    /// The target and the value. For an operator such as `||=`, and for several targets at once, the value is opaque.
    Assign(Box<Expr>, Box<Expr>),
    Method(Box<Method>),
    /// The body of a module or class.
    Module(Vec<Expr>),
    /// `left + right`
    Plus(Box<Expr>, Box<Expr>),
    /// Statements in parentheses.
    Sequence(Vec<Expr>),
    /// Code that may run, or not, or several times: conditions and the code that depends on them, in source order.
    Branches(Vec<Expr>),
    Return(Vec<Expr>),
    /// Any other construct.
    Opaque,
}

/// A part of a string, symbol or regular expression.
#[derive(Debug)]
pub(crate) enum Part {
    /// Text with escape sequences decoded (except in regular expressions).
    Text(Str),
    /// `#{…}`, or an escape sequence that is not text.
    Code(Expr),
}

/// A call with a receiver, arguments or a block. Without any of these it is a name.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) receiver: Option<Expr>,
    pub(crate) method: Str,
    /// The arguments; the last one may be a hash without braces. A block passed by `&` is opaque.
    pub(crate) arguments: Vec<Expr>,
    pub(crate) block: Option<Block>,
}

/// A block of a call.
#[derive(Debug)]
pub(crate) struct Block {
    /// The names of its parameters. `None` if they are more than names.
    pub(crate) parameters: Option<Vec<Str>>,
    pub(crate) body: Vec<Expr>,
}

/// `def`
#[derive(Debug)]
pub(crate) struct Method {
    pub(crate) name: Str,
    /// `def self.name`
    pub(crate) on_self: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Vec<Expr>,
}

/// A parameter of a method.
#[derive(Debug)]
pub(crate) struct Parameter {
    /// The name. Empty if it has none.
    pub(crate) name: Str,
    pub(crate) kind: ParameterKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParameterKind {
    Required,
    Optional,
    Rest,
    Block,
    /// A parameter with a keyword.
    Other,
}
