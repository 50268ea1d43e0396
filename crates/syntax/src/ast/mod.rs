//! The tree: typed nodes with ranges, built once, owned, free of the parser.
//!
//! A node's range covers all of its source, so that a range can be cut out; the token that a message should point at is
//! [`Expr::anchor`]. Names are kept as written; what they mean is decided above.

mod call;
mod collection;
mod control;
mod definition;
mod label;
mod operator;
mod resource;
mod visit;

pub use call::{Access, Call, Lambda, MethodCall};
pub use collection::{Element, Hash, HashEntry, Heredoc, Segment};
pub use control::{Arm, Case, CaseOption, If, Selector, SelectorEntry, Unless};
pub use definition::{
    Apply, Class, Define, Function, NodeDefinition, Parameter, Plan, TypeAlias, TypeDefinition, TypeMapping,
};
pub use operator::{
    Assignment, AssignmentOp, Binary, BinaryOp, Relationship, RelationshipOp, Unary, UnaryOp,
};
pub use resource::{
    Attribute, AttributeName, Collector, Query, Resource, ResourceBody, ResourceDefaults, ResourceForm,
    ResourceOverride,
};

use marotte_text::{Str, TextRange, TextSize};

/// A sequence of statements.
pub type Block = Box<[Expr]>;

/// A whole text.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The statements; for a template, its texts and code in order.
    pub body: Block,
    /// For a template: its parameters, if it declares any (`Some` of none for `<%- || -%>`).
    pub template: Option<Template>,
    /// All of the text.
    pub range: TextRange,
}

/// What only a template has.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Declared parameters.
    pub parameters: Option<Box<[Parameter]>>,
}

/// An expression. In Puppet, definitions and statements are expressions too.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// All of its source.
    pub range: TextRange,
    /// What it is.
    pub kind: ExprKind,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true`, `false`.
    Boolean(bool),
    /// A whole number, with the radix it is written in.
    Integer {
        /// Its value.
        value: i64,
        /// 8, 10 or 16.
        radix: u8,
    },
    /// A whole number of more than 64 bits, where the dialect has them.
    LargeInteger {
        /// Its digits, without what says the radix.
        digits: Str,
        /// 8, 10 or 16.
        radix: u8,
    },
    /// A number with a fraction or exponent.
    Float(f64),
    /// A string without interpolation, or a bare word that is no name.
    String(Str),
    /// A regular expression, slashes unescaped.
    Regex(Str),
    /// A lower-case qualified name.
    Name(Str),
    /// An upper-case qualified name.
    Reference(Str),
    /// A variable, without its `$`.
    Variable(Str),
    /// `attr` or `private`.
    Reserved(Str),
    /// A string with interpolation.
    Interpolated(Box<[Segment]>),
    /// `@(…)`.
    Heredoc(Box<Heredoc>),
    /// `[…]`.
    Array(Box<[Element]>),
    /// `{…}`.
    Hash(Box<Hash>),
    /// `(…)`.
    Parenthesized(Box<Expr>),
    /// `!x`, `-x`, `*x`.
    Unary(Box<Unary>),
    /// An arithmetic, comparison, boolean, match or `in` expression.
    Binary(Box<Binary>),
    /// `$x = v`.
    Assignment(Box<Assignment>),
    /// `a -> b`.
    Relationship(Box<Relationship>),
    /// `x[k]`.
    Access(Box<Access>),
    /// `v ? { … }`.
    Selector(Box<Selector>),
    /// `f(…)`, or `f …` for a statement function.
    Call(Box<Call>),
    /// `x.f(…)`.
    MethodCall(Box<MethodCall>),
    /// `T { 't': … }`.
    Resource(Box<Resource>),
    /// `Type { … }`.
    ResourceDefaults(Box<ResourceDefaults>),
    /// `Type['t'] { … }`.
    ResourceOverride(Box<ResourceOverride>),
    /// `Type <| … |>`.
    Collector(Box<Collector>),
    /// `if`.
    If(Box<If>),
    /// `unless`.
    Unless(Box<Unless>),
    /// `case`.
    Case(Box<Case>),
    /// `class`.
    Class(Box<Class>),
    /// `define`.
    Define(Box<Define>),
    /// `node`.
    Node(Box<NodeDefinition>),
    /// `function`.
    Function(Box<Function>),
    /// `plan`.
    Plan(Box<Plan>),
    /// `apply`.
    Apply(Box<Apply>),
    /// `type X = …`.
    TypeAlias(Box<TypeAlias>),
    /// `type Runtime[…] = …`.
    TypeMapping(Box<TypeMapping>),
    /// `type X { … }`.
    TypeDefinition(Box<TypeDefinition>),
    /// `name { attr => v }`: two expressions to the reference, a name and a hash.
    UntitledResource(Box<[Expr; 2]>),
    /// Text of a template, as it is rendered.
    RenderText(Str),
    /// `<%= … %>`; several statements only where braces enclose them.
    Render(Block),
    /// What could not be read, and was reported.
    Error,
}

impl Expr {
    /// The place a message about this expression points at: the operator of a binary expression, as the reference has
    /// it, otherwise its first token.
    pub fn anchor(&self) -> TextSize {
        match &self.kind {
            ExprKind::Binary(binary) => binary.op_range.start(),
            ExprKind::Assignment(assignment) => assignment.op_range.start(),
            ExprKind::Relationship(relationship) => relationship.op_range.start(),
            _ => self.range.start(),
        }
    }

    /// Through any parentheses.
    pub fn unparenthesized(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Parenthesized(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_small() {
        assert_eq!(size_of::<Expr>(), 32);
    }
}
