use marotte_text::TextRange;

use super::{Block, Expr};

/// `if … elsif … else`.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// `if` and every `elsif`, in order.
    pub arms: Box<[Arm]>,
    /// `else`.
    pub otherwise: Option<Block>,
}

/// A test and what it guards.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// From the keyword to the `}`.
    pub range: TextRange,
    /// The condition.
    pub test: Expr,
    /// What runs if it holds.
    pub body: Block,
}

/// `unless … else`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// The condition.
    pub test: Expr,
    /// What runs unless it holds.
    pub body: Block,
    /// `else`.
    pub otherwise: Option<Block>,
}

/// `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What is tested.
    pub test: Expr,
    /// At least one.
    pub options: Box<[CaseOption]>,
}

/// `values: { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// All of it.
    pub range: TextRange,
    /// At least one.
    pub values: Box<[Expr]>,
    /// What runs if one matches.
    pub body: Block,
}

/// `value ? { … }`, or `value ? key => result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// What is tested.
    pub value: Expr,
    /// At least one.
    pub entries: Box<[SelectorEntry]>,
}

/// `key => result`.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectorEntry {
    /// What is compared.
    pub key: Expr,
    /// What the selector gives if it matches.
    pub value: Expr,
}
