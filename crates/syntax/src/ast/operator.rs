use marotte_text::TextRange;

use super::Expr;

/// A prefix operator and its operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Unary {
    /// The operator before the operand.
    pub op: UnaryOp,
    /// The operand of the operator.
    pub operand: Expr,
}

/// The prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `*`
    Unfold,
}

/// An infix operator and its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Binary {
    /// The operator between the operands.
    pub op: BinaryOp,
    /// The range of the operator.
    pub op_range: TextRange,
    /// The operand before the operator.
    pub left: Expr,
    /// The operand after the operator.
    pub right: Expr,
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// Returns the operator as written in source.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// Returns the name that the reference uses for such an expression in messages.
            pub fn label(self) -> crate::Label {
                match self { $($name::$variant => concat!("'", $text, "' expression"),)* }
            }
        }
    };
}

operators! {
    /// The infix operators that compute a value.
    BinaryOp {
        In "in", And "and", Or "or", Match "=~", NoMatch "!~",
        Add "+", Subtract "-", Multiply "*", Divide "/", Modulo "%", ShiftLeft "<<", ShiftRight ">>",
        Equal "==", NotEqual "!=", Less "<", LessEqual "<=", Greater ">", GreaterEqual ">=",
    }
}

operators! {
    /// The assignment operators; validation rejects all but `=`.
    AssignmentOp { Assign "=", Append "+=", Delete "-=", }
}

operators! {
    /// The operators that create relationships.
    RelationshipOp { Before "->", Notify "~>", After "<-", Subscribe "<~", }
}

/// `left = right`.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The assignment operator.
    pub op: AssignmentOp,
    /// The range of the operator.
    pub op_range: TextRange,
    /// A variable, or a list of them.
    pub left: Expr,
    /// The value that is assigned.
    pub right: Expr,
}

/// `left -> right`.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// The arrow between the operands.
    pub op: RelationshipOp,
    /// The range of the operator.
    pub op_range: TextRange,
    /// The operand before the arrow.
    pub left: Expr,
    /// The operand after the arrow.
    pub right: Expr,
}
