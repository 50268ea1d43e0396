pub use marotte_syntax::ast::BinaryOp;
use marotte_syntax::ast::{AssignmentOp, RelationshipOp, ResourceForm};
use marotte_text::Str;

use super::{Attribute, Block, Call, Collector, ExprId, LambdaId, MethodCall, Resource, Variable};

/// An expression. Parentheses are gone: they arrange, and mean nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// What could not be read.
    Missing,
    /// `undef`.
    Undef,
    /// `default`.
    Default,
    /// `true`, `false`.
    Boolean(bool),
    /// `42`, `0x2a`.
    Integer(i64),
    /// A whole number of more than 64 bits, where the dialect has them.
    LargeInteger {
        /// Its digits, without what says the radix.
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
    /// A word that the language keeps for later.
    Reserved(Str),
    /// `$x`.
    Variable(Box<Variable>),
    /// `"text ${expression}"`.
    Interpolated(Box<[Segment]>),
    /// `@("END":syntax)`: a text whose syntax is checked once it is known.
    Heredoc {
        /// The syntax.
        syntax: Str,
        /// The text.
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
    /// Every other operator on two values.
    Binary(Binary),
    /// `$x = value`.
    Assign {
        /// What is set.
        target: Box<Target>,
        /// `=`; the others are refused.
        op: AssignmentOp,
        /// To what.
        value: ExprId,
    },
    /// `a -> b`.
    Relationship {
        /// Which arrow.
        op: RelationshipOp,
        /// Before it.
        left: ExprId,
        /// Behind it.
        right: ExprId,
    },
    /// `target[keys]`.
    Access {
        /// Of what.
        target: ExprId,
        /// Which parts.
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
    /// `unless … else …`: one arm, whose test fails.
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
    /// A class, define, function, node, plan or type, which is defined elsewhere: its value is `undef`.
    Definition,
    /// `apply(…) { … }`, which belongs to plans.
    Apply(Box<[ExprId]>, LambdaId),
    /// The text of a template.
    RenderText(Str),
    /// `<%= … %>`.
    Render(Block),
}

/// A part of an interpolated string.
#[derive(Clone, Debug, PartialEq)]
pub enum Segment {
    /// As it stands.
    Text(Str),
    /// `${…}`.
    Expr(ExprId),
}

/// `left op right`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binary {
    /// Never `and` or `or`.
    pub op: BinaryOp,
    /// Before it.
    pub left: ExprId,
    /// Behind it.
    pub right: ExprId,
}

/// What is assigned to.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Stands for it in the source map.
    pub at: ExprId,
    /// What it is.
    pub kind: TargetKind,
}

impl Target {
    /// Adds the names of the variables in it that are no variables of a frame.
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
    /// A variable: its name, and its slot in the innermost frame; none in a scope whose variables others can read.
    Variable(Str, Option<u16>),
    /// `[$a, [$b, $c]]`.
    Several(Box<[Target]>),
    /// What can't be assigned to.
    Other,
}

/// `if` and `unless`.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// In order.
    pub arms: Box<[Arm]>,
    /// `else`.
    pub otherwise: Option<Block>,
}

/// A test, and what follows from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The test.
    pub test: ExprId,
    /// The statements.
    pub body: Block,
}

/// `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is compared.
    pub test: ExprId,
    /// In order.
    pub options: Box<[CaseOption]>,
}

/// `value, value: { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// Splats unfold; a literal `default` is for when nothing else matches.
    pub values: Box<[ExprId]>,
    /// The statements.
    pub body: Block,
}

/// `value ? { key => value }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// What is compared.
    pub test: ExprId,
    /// Keys with what they choose. Splats unfold; a literal `default` is for when nothing else matches.
    pub entries: Box<[(ExprId, ExprId)]>,
}
