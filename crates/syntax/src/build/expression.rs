//! Operators: arranges flat lists by one precedence table (B1).

use marotte_text::TextRange;
use pest::iterators::Pairs;

use super::{Builder, span};
use crate::SyntaxErrorKind;
use crate::ast::{
    Access, Assignment, AssignmentOp, Binary, BinaryOp, Call, Expr, ExprKind, MethodCall, Relationship,
    RelationshipOp, ResourceForm, Unary, UnaryOp,
};
use crate::grammar::{Node, Rule};
use crate::token::TokenKind;

/// The precedence of an infix construct; later variants bind tighter. Prefix operators bind tighter than all of these;
/// continuations of an operand, and of a selector in braces (`.`, `[]`, `()`, `<| |>`), bind tighter still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Assignment,
    Relationship,
    ResourceBody,
    Or,
    And,
    Selector,
    Comparison,
    Equality,
    Shift,
    Sum,
    Product,
    Match,
    In,
    Prefix,
}

/// A construct that follows its left operand.
#[derive(Clone, Copy)]
enum Infix {
    Binary(BinaryOp),
    Selector,
    ResourceBody,
    Relationship(RelationshipOp),
    Assignment(AssignmentOp),
}

impl Infix {
    fn of(kind: TokenKind) -> Option<(Infix, Precedence)> {
        use Precedence::*;
        let binary = |op, precedence| Some((Infix::Binary(op), precedence));
        match kind {
            TokenKind::In => binary(BinaryOp::In, In),
            TokenKind::Match => binary(BinaryOp::Match, Match),
            TokenKind::NoMatch => binary(BinaryOp::NoMatch, Match),
            TokenKind::Times => binary(BinaryOp::Multiply, Product),
            TokenKind::Divide => binary(BinaryOp::Divide, Product),
            TokenKind::Modulo => binary(BinaryOp::Modulo, Product),
            TokenKind::Plus => binary(BinaryOp::Add, Sum),
            TokenKind::Minus => binary(BinaryOp::Subtract, Sum),
            TokenKind::ShiftLeft => binary(BinaryOp::ShiftLeft, Shift),
            TokenKind::ShiftRight => binary(BinaryOp::ShiftRight, Shift),
            TokenKind::Equal => binary(BinaryOp::Equal, Equality),
            TokenKind::NotEqual => binary(BinaryOp::NotEqual, Equality),
            TokenKind::Less => binary(BinaryOp::Less, Comparison),
            TokenKind::LessEqual => binary(BinaryOp::LessEqual, Comparison),
            TokenKind::Greater => binary(BinaryOp::Greater, Comparison),
            TokenKind::GreaterEqual => binary(BinaryOp::GreaterEqual, Comparison),
            TokenKind::And => binary(BinaryOp::And, And),
            TokenKind::Or => binary(BinaryOp::Or, Or),
            TokenKind::Question => Some((Infix::Selector, Selector)),
            TokenKind::LeftBrace => Some((Infix::ResourceBody, ResourceBody)),
            TokenKind::Before => Some((Infix::Relationship(RelationshipOp::Before), Relationship)),
            TokenKind::Notify => Some((Infix::Relationship(RelationshipOp::Notify), Relationship)),
            TokenKind::After => Some((Infix::Relationship(RelationshipOp::After), Relationship)),
            TokenKind::Subscribe => Some((Infix::Relationship(RelationshipOp::Subscribe), Relationship)),
            TokenKind::Assign => Some((Infix::Assignment(AssignmentOp::Assign), Assignment)),
            TokenKind::Append => Some((Infix::Assignment(AssignmentOp::Append), Assignment)),
            TokenKind::Delete => Some((Infix::Assignment(AssignmentOp::Delete), Assignment)),
            _ => None,
        }
    }
}

impl Precedence {
    /// The next tighter precedence.
    fn tighter(self) -> Precedence {
        use Precedence::*;
        match self {
            Assignment => Relationship,
            Relationship => ResourceBody,
            ResourceBody => Or,
            Or => And,
            And => Selector,
            Selector => Comparison,
            Comparison => Equality,
            Equality => Shift,
            Shift => Sum,
            Sum => Product,
            Product => Match,
            Match => In,
            In | Prefix => Prefix,
        }
    }
}

/// The operands of one flat list, with the builder's position in it.
struct Flat<'t> {
    operands: Pairs<'t, Rule>,
    at: usize,
    end: usize,
}

impl<'t> Flat<'t> {
    fn operand(&mut self) -> Option<Node<'t>> {
        let node = self.operands.next()?;
        self.at = span(&node).1;
        Some(node)
    }
}

impl Builder<'_> {
    /// Builds a [`Rule::assignment`] or [`Rule::value`].
    pub(super) fn expression(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let operands = node.into_inner();
        let count = operands.len();
        if count == 1
            && let Some(only) = operands.peek()
            && span(&only) == (start, end)
        {
            return self.operand(only);
        }
        let range = self.tokens_range(start, end.max(start + 1) - 1);
        let mut flat = Flat { operands, at: start, end };
        self.deeper(count, range, |builder| builder.infix(&mut flat, Precedence::Assignment))
    }

    fn infix(&mut self, flat: &mut Flat<'_>, loosest: Precedence) -> Expr {
        let mut left = self.prefix(flat);
        while flat.at < flat.end
            && let Some((infix, precedence)) = Infix::of(self.kind(flat.at))
            && precedence >= loosest
        {
            let op_range = self.token_range(flat.at);
            left = match infix {
                Infix::ResourceBody => match flat.operand() {
                    Some(node) => self.resource(left, node),
                    None => left,
                },
                Infix::Selector => {
                    flat.at += 1;
                    let entries = self.selector_entries(flat);
                    let selector = self.selector(left, entries);
                    self.continued(selector, flat)
                }
                Infix::Binary(op) => {
                    flat.at += 1;
                    let right = self.infix(flat, precedence.tighter());
                    let range = left.range.cover(right.range);
                    Expr { range, kind: ExprKind::Binary(Box::new(Binary { op, op_range, left, right })) }
                }
                Infix::Relationship(op) => {
                    flat.at += 1;
                    let right = self.infix(flat, precedence.tighter());
                    let range = left.range.cover(right.range);
                    Expr {
                        range,
                        kind: ExprKind::Relationship(Box::new(Relationship { op, op_range, left, right })),
                    }
                }
                Infix::Assignment(op) => {
                    flat.at += 1;
                    let right = self.infix(flat, precedence);
                    let range = left.range.cover(right.range);
                    Expr {
                        range,
                        kind: ExprKind::Assignment(Box::new(Assignment { op, op_range, left, right })),
                    }
                }
            };
        }
        left
    }

    /// Builds the part after `?`: entries in braces, or one entry whose value extends as far as possible.
    fn selector_entries(&mut self, flat: &mut Flat<'_>) -> (Box<[crate::ast::SelectorEntry]>, TextRange) {
        let Some(node) = flat.operand() else { return (Box::new([]), self.token_range(flat.at)) };
        if node.as_rule() == Rule::selector {
            return self.braced_selector(node);
        }
        let key = self.expression(node);
        flat.at += 1;
        let value = self.infix(flat, Precedence::Or);
        let range = key.range.cover(value.range);
        (Box::new([crate::ast::SelectorEntry { key, value }]), range)
    }

    fn prefix(&mut self, flat: &mut Flat<'_>) -> Expr {
        let at = flat.at;
        let op = match self.kind(at) {
            TokenKind::Not => UnaryOp::Not,
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Times => UnaryOp::Unfold,
            TokenKind::At | TokenKind::AtAt => {
                flat.at += 1;
                let resource = self.infix(flat, Precedence::ResourceBody);
                let exported = self.kind(at) == TokenKind::AtAt;
                let form = if exported { ResourceForm::Exported } else { ResourceForm::Virtual };
                return self.virtual_resource(at, form, resource);
            }
            _ => {
                let Some(node) = flat.operand() else {
                    return Expr { range: self.token_range(at), kind: ExprKind::Error };
                };
                let operand = self.operand(node);
                return self.continued(operand, flat);
            }
        };
        flat.at += 1;
        let operand = self.prefix(flat);
        let range = self.token_range(at).cover(operand.range);
        Expr { range, kind: ExprKind::Unary(Box::new(Unary { op, operand })) }
    }

    /// Applies the continuations that directly follow an operand, or the braces of a selector, to the whole of it.
    fn continued(&mut self, mut target: Expr, flat: &mut Flat<'_>) -> Expr {
        while flat.at < flat.end && matches!(self.kind(flat.at) as u8, b'0'..=b'4') {
            let Some(node) = flat.operand() else { break };
            target = self.continuation(target, node);
        }
        target
    }

    pub(super) fn operand(&mut self, node: Node<'_>) -> Expr {
        match node.as_rule() {
            Rule::leaf | Rule::leaf_reference => self.leaf(span(&node).0),
            Rule::bare_keyword => {
                let index = span(&node).0;
                Expr { range: self.token_range(index), kind: ExprKind::String(self.written(index).into()) }
            }
            Rule::string => self.string(node),
            Rule::heredoc => self.heredoc(node),
            Rule::array => self.array(node),
            Rule::hash => self.hash(node),
            Rule::parenthesized => {
                let (start, end) = span(&node);
                let inner = self.inner_expression(node);
                Expr {
                    range: self.tokens_range(start, end - 1),
                    kind: ExprKind::Parenthesized(Box::new(inner)),
                }
            }
            Rule::class_resource => self.class_resource(node),
            Rule::if_ => self.if_(node),
            Rule::unless => self.unless(node),
            Rule::case => self.case(node),
            Rule::render => self.render(node),
            Rule::assignment | Rule::value => self.expression(node),
            _ => self.definition(node),
        }
    }

    fn inner_expression(&mut self, node: Node<'_>) -> Expr {
        let (start, _) = span(&node);
        match node.into_inner().next() {
            Some(inner) => self.expression(inner),
            None => Expr { range: self.token_range(start), kind: ExprKind::Error },
        }
    }

    /// Builds `(…)`, `.f`, `[…]` or `<|…|>` after an operand.
    pub(super) fn continuation(&mut self, target: Expr, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let range = target.range.cover(self.token_range(end - 1));
        let kind = match node.as_rule() {
            Rule::call => {
                let (arguments, lambda) = self.arguments(node);
                // A lambda ends where its block does, a heredoc before that: the range covers the parts that exist.
                ExprKind::Call(Box::new(Call { callee: target, arguments, lambda, statement: false }))
            }
            Rule::method => {
                let name = self.written(start + 1).into();
                let name_range = self.token_range(start + 1);
                let anchor = match self.kind(start + 2) {
                    TokenKind::LeftParen => name_range.start(),
                    _ => self.token_range(start).start(),
                };
                let (arguments, lambda) = self.arguments(node);
                ExprKind::MethodCall(Box::new(MethodCall {
                    receiver: target,
                    name,
                    name_range,
                    anchor,
                    arguments,
                    lambda,
                }))
            }
            Rule::collector => return self.collector(target, node),
            _ => {
                let keys = self.access_keys(node);
                ExprKind::Access(Box::new(Access { target, keys }))
            }
        };
        Expr { range, kind }
    }

    /// Builds access keys. Keys are values: an assignment, relationship or resource needs parentheses, except as the
    /// key of a pair.
    pub(super) fn access_keys(&mut self, node: Node<'_>) -> Box<[Expr]> {
        let keys = self.elements(node.into_inner());
        for key in &keys {
            let what = match &key.kind {
                ExprKind::Assignment(assignment) => assignment.op_range,
                ExprKind::Relationship(relationship) => relationship.op_range,
                ExprKind::Resource(_)
                | ExprKind::ResourceDefaults(_)
                | ExprKind::ResourceOverride(_)
                | ExprKind::UntitledResource(_) => key.range,
                _ => continue,
            };
            let written = &self.source[usize::from(what.start())..usize::from(what.end())];
            let found = Some(written.chars().take(20).collect::<String>().into());
            self.error(what, SyntaxErrorKind::Unexpected { found, slip: crate::Slip::Unknown });
        }
        keys
    }
}
