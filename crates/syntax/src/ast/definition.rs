use marotte_text::{Str, TextRange};

use super::{Block, Expr};

/// `[Type] [*]$name [= default]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// All of it.
    pub range: TextRange,
    /// Without `$`.
    pub name: Str,
    /// `$` included.
    pub name_range: TextRange,
    /// The declared type.
    pub type_expr: Option<Expr>,
    /// `*`: takes all remaining arguments.
    pub captures_rest: bool,
    /// The default value.
    pub value: Option<Expr>,
}

/// `class name(…) inherits parent { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// With the names of the classes around it.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// After `inherits`, as written, and where.
    pub parent: Option<(Str, TextRange)>,
    /// The statements.
    pub body: Block,
}

/// `define name(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// With the names of the classes around it.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// The statements.
    pub body: Block,
}

/// `function name(…) >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// As written.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// After `>>`.
    pub return_type: Option<Expr>,
    /// The statements.
    pub body: Block,
}

/// `plan name(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// With the names of the plans around it.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// In order.
    pub parameters: Box<[Parameter]>,
    /// The statements.
    pub body: Block,
}

/// `apply(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    /// Targets and options.
    pub arguments: Box<[Expr]>,
    /// The catalog code.
    pub body: Block,
}

/// `node matches { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDefinition {
    /// Strings, regular expressions and `default`.
    pub matches: Box<[Expr]>,
    /// After `inherits`, which validation refuses.
    pub parent: Option<Expr>,
    /// The statements.
    pub body: Block,
}

/// `type Name = Type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAlias {
    /// As written.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// What it stands for; hash forms are already `Object[{…}]`.
    pub type_expr: Expr,
}

/// `type Runtime[…] = Type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeMapping {
    /// Left side.
    pub type_expr: Expr,
    /// Right side.
    pub mapping: Expr,
}

/// `type Name inherits Parent { … }`, which nothing implements.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDefinition {
    /// As written.
    pub name: Str,
    /// Where the name stands.
    pub name_range: TextRange,
    /// After `inherits`.
    pub parent: Option<Str>,
    /// The statements.
    pub body: Block,
}
