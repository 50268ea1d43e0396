//! Bodies: the expressions of one definition, without ranges.

mod call;
mod catalog;
mod expr;
mod parts;
mod variable;

pub use call::{Call, Callee, Lambda, LambdaId, MethodCall, Parameter};
pub use catalog::{Attribute, AttributeName, Collector, Query, QueryKind, Resource, ResourceBody};
pub use expr::{
    Arm, Binary, BinaryOp, Case, CaseOption, Choice, Expr, Segment, Selector, Target, TargetKind,
};
pub use parts::{When, blocks, parameters, parts};
pub(crate) use variable::Assignments;
pub use variable::{Candidate, Frame, FrameId, Variable};

use std::num::NonZeroU32;

use marotte_text::Str;

/// The index of an expression in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    /// The first expression of a body. For calls that have no text of their own.
    pub const FIRST: ExprId = ExprId(NonZeroU32::MIN);

    pub(crate) fn new(index: usize) -> ExprId {
        // Ranges have 32 bits, and nearly every expression has a character of its own.
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        ExprId(NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN))
    }

    /// The zero-based index among the expressions of its body.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Statements, in order. The value of a block is that of the last one.
pub type Block = Box<[ExprId]>;

/// The code that one definition, or the top level of a file, evaluates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub(crate) exprs: Vec<Expr>,
    /// The calls of functions and methods among the expressions.
    pub(crate) calls: Vec<ExprId>,
    pub(crate) lambdas: Vec<Lambda>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) head: Head,
    /// The parameters, in order. Empty for a type alias.
    pub parameters: Box<[Parameter]>,
    /// The return type, after `>>`.
    pub return_type: Option<ExprId>,
    /// The statements. For a type alias: the type expression.
    pub statements: Block,
    /// The variables that the body sets, if they are local to it, as in functions and templates. Classes, resources and
    /// programs set the variables of their scope, which other code can read.
    pub frame: Option<FrameId>,
    pub(crate) assignments: Assignments,
}

/// The size of the part of a body that precedes its statements; for a node, it includes the expressions that names are
/// matched against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) exprs: usize,
    pub(crate) lambdas: usize,
    pub(crate) frames: usize,
    pub(crate) statements: usize,
}

impl Body {
    /// Returns the body without its statements: the part that is known before evaluation. Parameters and, for a node,
    /// the expressions that names are matched against keep their indices.
    #[must_use]
    pub fn head(&self) -> Body {
        fn start<T: Clone>(all: &[T], count: usize) -> Vec<T> {
            all.get(..count).unwrap_or(all).to_vec()
        }
        Body {
            exprs: start(&self.exprs, self.head.exprs),
            calls: self.calls.iter().copied().take_while(|it| it.index() < self.head.exprs).collect(),
            lambdas: start(&self.lambdas, self.head.lambdas),
            frames: start(&self.frames, self.head.frames),
            head: self.head,
            parameters: self.parameters.clone(),
            return_type: self.return_type,
            statements: start(&self.statements, self.head.statements).into(),
            frame: self.frame,
            assignments: Assignments::default(),
        }
    }

    /// Returns an expression of this body.
    pub fn expr(&self, id: ExprId) -> &Expr {
        self.exprs.get(id.index()).unwrap_or(&Expr::Missing)
    }

    /// Returns a lambda of this body.
    pub fn lambda(&self, id: LambdaId) -> &Lambda {
        &self.lambdas[id.0 as usize]
    }

    /// The variables that a function, lambda or template of this body sets.
    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.0 as usize]
    }

    /// Returns all expressions, subexpressions before the expressions that contain them.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.exprs.iter().enumerate().map(|(index, expr)| (ExprId::new(index), expr))
    }

    /// Returns the calls of functions and methods among the expressions, in the same order. Most rules look at calls only, and a
    /// body has ten times as many other expressions.
    pub fn calls(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.calls.iter().map(|id| (*id, self.expr(*id)))
    }

    /// The names of the variables that the body may set in a scope that other code can read: none in functions.
    pub fn scope_variables(&self) -> Vec<Str> {
        let mut names = Vec::new();
        for expr in &self.exprs {
            if let Expr::Assign { target, .. } = expr {
                target.scope_variables(&mut names);
            }
        }
        names
    }
}
