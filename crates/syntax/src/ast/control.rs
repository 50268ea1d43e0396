use marotte_text::TextRange;

use super::{Block, Expr};

/// `if … elsif … else`.
#[derive(Clone, Debug, PartialEq)]
pub struct If {
    /// `if` and every `elsif`, in order.
    pub arms: Box<[Arm]>,
    /// The block of the `else` branch.
    pub otherwise: Option<Block>,
}

/// A condition and the branch it guards.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The range from the keyword to the `}`.
    pub range: TextRange,
    /// The condition of the branch.
    pub test: Expr,
    /// The branch taken if the condition holds.
    pub body: Block,
}

/// `unless … else`.
#[derive(Clone, Debug, PartialEq)]
pub struct Unless {
    /// The condition of the `unless`.
    pub test: Expr,
    /// The branch taken unless the condition holds.
    pub body: Block,
    /// The block of the `else` branch.
    pub otherwise: Option<Block>,
}

/// `case`.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The value to match.
    pub test: Expr,
    /// The options: at least one.
    pub options: Box<[CaseOption]>,
}

/// `values: { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseOption {
    /// The range of the whole option.
    pub range: TextRange,
    /// The compared values: at least one.
    pub values: Box<[Expr]>,
    /// The branch taken if a value matches.
    pub body: Block,
}

/// `value ? { … }`, or `value ? key => result`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    /// The value to match.
    pub value: Expr,
    /// The entries: at least one.
    pub entries: Box<[SelectorEntry]>,
}

/// `key => result`.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectorEntry {
    /// The value to compare with.
    pub key: Expr,
    /// The selector's result if the key matches.
    pub value: Expr,
}
