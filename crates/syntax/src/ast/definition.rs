use marotte_text::{Str, TextRange};

use super::{Block, Expr};

/// `[Type] [*]$name [= default]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// The range of the whole parameter.
    pub range: TextRange,
    /// The name of the parameter, without `$`.
    pub name: Str,
    /// `$` included.
    pub name_range: TextRange,
    /// The declared type, if there is one.
    pub type_expr: Option<Expr>,
    /// Whether it has a `*` and so takes all remaining arguments.
    pub captures_rest: bool,
    /// The default value, if there is one.
    pub value: Option<Expr>,
}

/// `class name(…) inherits parent { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// The name, qualified by the names of the enclosing classes.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The parameters, in source order.
    pub parameters: Box<[Parameter]>,
    /// The name after `inherits`, as written, and its range.
    pub parent: Option<(Str, TextRange)>,
    /// The statements of the class.
    pub body: Block,
}

/// `define name(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Define {
    /// The name, qualified by the names of the enclosing classes.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The parameters, in source order.
    pub parameters: Box<[Parameter]>,
    /// The statements of the defined type.
    pub body: Block,
}

/// `function name(…) >> Type { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// The name as written.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The parameters, in source order.
    pub parameters: Box<[Parameter]>,
    /// The type after `>>`, if there is one.
    pub return_type: Option<Expr>,
    /// The statements of the function.
    pub body: Block,
}

/// `plan name(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The name, qualified by the names of the enclosing plans.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The parameters, in source order.
    pub parameters: Box<[Parameter]>,
    /// The statements of the plan.
    pub body: Block,
}

/// `apply(…) { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    /// The targets, followed by options.
    pub arguments: Box<[Expr]>,
    /// The code whose catalog is applied.
    pub body: Block,
}

/// `node matches { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDefinition {
    /// The matchers: strings, regular expressions and `default`.
    pub matches: Box<[Expr]>,
    /// The parent after `inherits`, which validation rejects.
    pub parent: Option<Expr>,
    /// The statements of the node definition.
    pub body: Block,
}

impl NodeDefinition {
    /// The range from the first matcher to the last one. None if there is none, after a syntax error.
    pub fn matches_range(&self) -> Option<TextRange> {
        Some(self.matches.first()?.range.cover(self.matches.last()?.range))
    }
}

/// `type Name = Type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeAlias {
    /// The name as written.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The aliased type; hash forms are already `Object[{…}]`.
    pub type_expr: Expr,
}

/// `type Runtime[…] = Type`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeMapping {
    /// The type on the left side.
    pub type_expr: Expr,
    /// The mapping on the right side.
    pub mapping: Expr,
}

/// `type Name inherits Parent { … }`, which no compiler implements.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDefinition {
    /// The name as written.
    pub name: Str,
    /// The range of the name.
    pub name_range: TextRange,
    /// The parent after `inherits`.
    pub parent: Option<Str>,
    /// The statements of the definition.
    pub body: Block,
}
