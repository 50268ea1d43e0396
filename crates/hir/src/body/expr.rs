pub use marotte_syntax::ast::BinaryOp;
use marotte_syntax::ast::{AssignmentOp, RelationshipOp, ResourceForm};
use marotte_text::Str;

use super::{Attribute, Block, Call, Collector, ExprId, LambdaId, MethodCall, Resource, Variable};

/// An expression. Parentheses are dropped: they only group.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// An expression that couldn't be parsed.
    Missing,
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true`, `false`.
    Boolean(bool),
    /// `42`, `0x2a`.
    Integer(i64),
    /// An integer of more than 64 bits, in dialects that allow it.
    LargeInteger {
        /// The digits, without the prefix of the radix.
        digits: Str,
        /// 8, 10 or 16.
        radix: u8,
    },
    /// `4.2`.
    Float(f64),
    /// `'text'`, `word`.
    String(Str),
    /// `/pattern/`.
    Regexp(Str),
    /// `Name`, `A::B`: a type.
    Reference(Str),
    /// A reserved word of the language.
    Reserved(Str),
    /// `$x`.
    Variable(Box<Variable>),
    /// `"text ${expression}"`.
    Interpolated(Box<[Segment]>),
    /// `@("END":syntax)`: a text whose syntax is checked after its evaluation.
    Heredoc {
        /// The name of the syntax, such as `json`.
        syntax: Str,
        /// The text of the heredoc.
        text: ExprId,
    },
    /// `[…]`; splats unfold.
    Array(Box<[ExprId]>),
    /// `{key => value}`.
    Hash(Box<[(ExprId, ExprId)]>),
    /// `!x`.
    Not(ExprId),
    /// `-x`.
    Minus(ExprId),
    /// `*x`.
    Splat(ExprId),
    /// `a and b`.
    And(ExprId, ExprId),
    /// `a or b`.
    Or(ExprId, ExprId),
    /// Every other binary operator.
    Binary(Binary),
    /// `$x = value`.
    Assign {
        /// The variables to set.
        target: Box<Target>,
        /// `=`; the other operators are rejected.
        op: AssignmentOp,
        /// The value to set.
        value: ExprId,
    },
    /// `a -> b`.
    Relationship {
        /// The kind of the arrow.
        op: RelationshipOp,
        /// The operand before the arrow.
        left: ExprId,
        /// The operand after the arrow.
        right: ExprId,
    },
    /// `target[keys]`.
    Access {
        /// The value that is accessed.
        target: ExprId,
        /// The expressions in brackets.
        keys: Box<[ExprId]>,
    },
    /// `value ? { … }`.
    Selector(Box<Selector>),
    /// `name(…)`.
    Call(Box<Call>),
    /// `x.name(…)`.
    MethodCall(Box<MethodCall>),
    /// `if … elsif … else …`.
    If(Box<Choice>),
    /// `unless … else …`: one arm, which runs if its test is false.
    Unless(Box<Choice>),
    /// `case … { … }`.
    Case(Box<Case>),
    /// `type { title: … }`.
    Resource(Box<Resource>),
    /// `Type { … }`.
    ResourceDefaults(ExprId, Box<[Attribute]>),
    /// `Type['title'] { … }`.
    ResourceOverride(ResourceForm, ExprId, Box<[Attribute]>),
    /// `Type <| … |>`.
    Collector(Box<Collector>),
    /// A class, define, function, node, plan or type, whose definition is stored elsewhere: the expression's value is
    /// `undef`.
    Definition,
    /// `apply(…) { … }`, which occurs only in plans.
    Apply(Box<[ExprId]>, LambdaId),
    /// Literal text of a template.
    RenderText(Str),
    /// `<%= … %>`.
    Render(Block),
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// Literal text.
    Text(Str),
    /// `${…}`.
    Expr(ExprId),
}

/// `left op right`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binary {
    /// The operator, never `and` or `or`.
    pub op: BinaryOp,
    /// The operand before the operator.
    pub left: ExprId,
    /// The operand after the operator.
    pub right: ExprId,
}

/// The target of an assignment.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// A marker expression: gives the target a place in the source map.
    pub at: ExprId,
    /// The kind of the target.
    pub kind: TargetKind,
}

impl Target {
    /// Adds the names of those variables in it that have no slot in a frame.
    pub(super) fn scope_variables(&self, names: &mut Vec<Str>) {
        match &self.kind {
            TargetKind::Variable(name, None) => names.push(name.clone()),
            TargetKind::Variable(_, Some(_)) | TargetKind::Other => {}
            TargetKind::Several(targets) => targets.iter().for_each(|it| it.scope_variables(names)),
        }
    }
}

/// A kind of [`Target`].
#[derive(Clone, Debug, PartialEq)]
pub enum TargetKind {
    /// A variable: its name, and its slot in the innermost frame; no slot in a scope that other code can read.
    Variable(Str, Option<u16>),
    /// `[$a, [$b, $c]]`.
    Several(Box<[Target]>),
    /// An expression that can't be assigned to.
    Other,
}

/// `if` and `unless`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The arms, in order.
    pub arms: Box<[Arm]>,
    /// The statements of `else`.
    pub otherwise: Option<Block>,
}

/// A test, and the statements that it guards.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The condition of the branch.
    pub test: ExprId,
    /// The statements of the branch.
    pub body: Block,
}

/// `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The value that is compared with the options.
    pub test: ExprId,
    /// The options, in order.
    pub options: Box<[CaseOption]>,
}

/// `value, value: { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// The values to compare with. Splats unfold; a literal `default` applies if nothing else matches.
    pub values: Box<[ExprId]>,
    /// The statements of the option.
    pub body: Block,
}

/// `value ? { key => value }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// The value that is compared with the options.
    pub test: ExprId,
    /// The keys and the values that they select. Splats unfold; a literal `default` applies if nothing else matches.
    pub entries: Box<[(ExprId, ExprId)]>,
}
