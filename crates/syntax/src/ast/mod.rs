//! The syntax tree: typed, owned nodes with ranges, built once and independent of the parser.
//!
//! A node's range covers all of its source, so that a range can be cut out; the token that a message should point at is
//! [`Expr::anchor`]. Names are kept as written; higher layers resolve them.

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

/// The tree of a whole manifest or template.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The statements; for a template, its text and code parts in order.
    pub body: Block,
    /// The part that only templates have; None for a manifest.
    pub template: Option<Template>,
    /// The whole source text.
    pub range: TextRange,
}

/// The properties that only a template has.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// The declared parameters: `None` without a declaration, an empty list for `<%- || -%>`.
    pub parameters: Option<Box<[Parameter]>>,
}

/// An expression. In Puppet, definitions and statements are expressions too.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The whole source of the expression.
    pub range: TextRange,
    /// The kind of expression, with its parts.
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
        /// The value of the integer.
        value: i64,
        /// The radix: 8, 10 or 16.
        radix: u8,
    },
    /// An integer of more than 64 bits, in dialects that allow them.
    LargeInteger {
        /// The digits of the integer, without the prefix that marks the radix.
        digits: Str,
        /// The radix: 8, 10 or 16.
        radix: u8,
    },
    /// A number with a fraction or exponent.
    Float(f64),
    /// A string without interpolation, or a bare word that is not a name.
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
    /// `name { attr => v }`: in the reference two expressions, a name and a hash.
    UntitledResource(Box<[Expr; 2]>),
    /// Literal text of a template, rendered as it is.
    RenderText(Str),
    /// `<%= … %>`; holds several statements only if braces enclose them.
    Render(Block),
    /// Source that could not be parsed and has been reported.
    Error,
}

impl Expr {
    /// The offset that a message about this expression points at: the operator of a binary expression, the dot or the name of a
    /// method call, which are on the lines that the reference names, otherwise the first token.
    pub fn anchor(&self) -> TextSize {
        match &self.kind {
            ExprKind::Binary(binary) => binary.op_range.start(),
            ExprKind::Assignment(assignment) => assignment.op_range.start(),
            ExprKind::Relationship(relationship) => relationship.op_range.start(),
            ExprKind::MethodCall(call) => call.anchor,
            _ => self.range.start(),
        }
    }

    /// The expression inside any enclosing parentheses.
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
