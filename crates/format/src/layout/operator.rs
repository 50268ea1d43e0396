//! Operators, assignments and chains of relationships.

use marotte_syntax::ast::{Assignment, Binary, BinaryOp, Expr, ExprKind, Relationship, Unary};

use super::collection::is_collection;
use crate::doc::Mark;
use crate::writer::Writer;

impl Writer<'_> {
    pub(super) fn unary(&mut self, unary: &Unary) {
        self.token();
        self.expression(&unary.operand);
    }

    pub(super) fn parenthesized(&mut self, inner: &Expr) {
        self.token();
        self.doc.group();
        self.doc.indent(1);
        self.doc.soft_line();
        self.operands(inner, 0);
        self.dangling_comments(false);
        self.doc.dedent();
        self.doc.soft_line();
        self.doc.end_group(None);
        self.token();
    }

    /// Writes an expression whose operators, if they are on lines of their own, are indented by `levels`.
    pub(super) fn operands(&mut self, expr: &Expr, levels: u32) {
        match &expr.kind {
            ExprKind::Binary(binary) => self.operators(binary, levels),
            _ => self.expression(expr),
        }
    }

    pub(super) fn binary(&mut self, binary: &Binary) {
        self.operators(binary, 1);
    }

    /// Writes operators of the same precedence: they are broken together, each with the line end before the operator. A last operand
    /// in brackets that is broken anyway may be the only one.
    fn operators(&mut self, binary: &Binary, levels: u32) {
        // A comment before the expression does not break it.
        self.before_token();
        self.doc.group();
        let last = self.operator(binary, levels);
        self.doc.dedent();
        self.doc.end_operators(last, levels);
    }

    /// Writes operators and their operands. If the last operand is in brackets, returns the positions of the last operator and of that
    /// operand.
    fn operator(&mut self, binary: &Binary, levels: u32) -> Option<(Mark, Mark)> {
        match &binary.left.kind {
            ExprKind::Binary(left) if is_same_strength(left.op, binary.op) => _ = self.operator(left, levels),
            _ => {
                self.expression(&binary.left);
                self.doc.indent(levels);
            }
        }
        self.comments_behind_operator();
        self.doc.line();
        let operator = self.doc.mark();
        self.token();
        self.doc.space();
        let last = (is_collection(&binary.right) && !self.has_comment()).then(|| (operator, self.doc.mark()));
        self.expression(&binary.right);
        last
    }

    pub(super) fn assignment(&mut self, assignment: &Assignment) {
        self.expression(&assignment.left);
        self.spaced_token();
        self.value(&assignment.right);
    }

    /// Writes `a -> b ~> c`: a chain of two is on one line if it fits, any other has a line for each arrow and its
    /// right side.
    pub(super) fn chain(&mut self, relationship: &Relationship) {
        // A comment before the chain does not break it.
        self.before_token();
        self.doc.group();
        let links = self.links(relationship);
        if links > 1 {
            self.doc.force();
        }
        self.doc.end_group(None);
    }

    fn links(&mut self, relationship: &Relationship) -> usize {
        let links = match &relationship.left.kind {
            ExprKind::Relationship(left) => self.links(left),
            _ => {
                self.expression(&relationship.left);
                0
            }
        };
        self.comments_behind_operator();
        self.doc.line();
        self.token();
        self.doc.space();
        self.expression(&relationship.right);
        links + 1
    }
}

/// Whether two operators have the same precedence.
fn is_same_strength(one: BinaryOp, other: BinaryOp) -> bool {
    use BinaryOp::*;
    let level = |op| match op {
        Or => 0,
        And => 1,
        Less | LessEqual | Greater | GreaterEqual => 2,
        Equal | NotEqual => 3,
        ShiftLeft | ShiftRight => 4,
        Add | Subtract => 5,
        Multiply | Divide | Modulo => 6,
        Match | NoMatch => 7,
        In => 8,
    };
    level(one) == level(other)
}
