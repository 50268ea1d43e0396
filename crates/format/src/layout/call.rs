//! Calls and their blocks.

use marotte_syntax::TokenKind;
use marotte_syntax::ast::{Call, Expr, ExprKind, Lambda, MethodCall};

use super::Position;
use super::collection::{Item, items, last_is_broken_alone};
use super::list::List;
use crate::writer::Writer;

impl Writer<'_> {
    pub(super) fn call(&mut self, call: &Call, position: Position) {
        self.expression(&call.callee);
        if self.is_at(TokenKind::LeftParen) {
            self.arguments(&call.arguments);
        } else {
            self.bare_arguments(&call.arguments);
        }
        self.lambda(call.lambda.as_deref(), position == Position::Value);
    }

    /// Writes `.name` and the rest of the call. In a chain of several calls with blocks, no block is on one line.
    pub(super) fn method_call(&mut self, call: &MethodCall, position: Position) {
        let mut short = position == Position::Value;
        if call.lambda.is_some() && !self.is_template && has_lambda(&call.receiver) {
            short = false;
        }
        let receiver = if short { Position::Value } else { Position::Statement };
        self.expression_in(&call.receiver, receiver);
        // A comment after the receiver is about what precedes it.
        let is_apart = self.has_comment_inside();
        if is_apart {
            self.doc.indent(1);
            self.doc.hard_line();
        }
        self.token();
        self.token();
        if self.is_at(TokenKind::LeftParen) {
            self.arguments(&call.arguments);
        }
        self.lambda(call.lambda.as_deref(), short);
        if is_apart {
            self.doc.dedent();
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Expr]) {
        let hugs_last = last_is_broken_alone(arguments);
        self.items(List { hugs_last, ..List::default() }, arguments);
    }

    /// Writes the arguments of a statement call without parentheses.
    fn bare_arguments(&mut self, arguments: &[Expr]) {
        if arguments.is_empty() {
            return;
        }
        self.semicolon();
        // A parenthesis on the line of the name would make it an ordinary call.
        if self.is_at(TokenKind::LineParen) {
            self.doc.hard_line();
        } else {
            self.doc.space();
        }
        if let [only] = arguments {
            return self.expression(only);
        }
        let columns = self.start_columns();
        let hugs_last = last_is_broken_alone(arguments);
        let mut last = None;
        self.doc.group();
        self.doc.indent(1);
        let mut items = items(arguments).peekable();
        while let Some(item) = items.next() {
            let kept = self.kept_at(self.next_start());
            if let Some(kept) = kept {
                self.verbatim(kept.start, kept.end);
                (1..kept.count).for_each(|_| _ = items.next());
            }
            let hugs = hugs_last && items.peek().is_none() && kept.is_none() && !self.has_comment();
            last = hugs.then(|| self.doc.mark());
            match item {
                _ if kept.is_some() => {}
                Item::Value(value) => self.expression(value),
                Item::Pair(pair) => self.pair(pair),
            }
            if items.peek().is_some() {
                self.doc.word(",");
                self.skip_comma();
                self.doc.line();
            }
        }
        self.doc.dedent();
        self.doc.end_group(last);
        self.align(columns);
    }

    fn lambda(&mut self, lambda: Option<&Lambda>, short: bool) {
        let Some(lambda) = lambda else { return };
        self.doc.space();
        self.parameters(&lambda.parameters, List { trailing_comma: true, ..List::default() });
        self.return_type(lambda.return_type.as_ref());
        self.doc.space();
        if short {
            self.short_block(&lambda.body);
        } else {
            self.block(&lambda.body);
        }
    }

    pub(super) fn return_type(&mut self, return_type: Option<&Expr>) {
        if let Some(return_type) = return_type {
            self.spaced_token();
            self.expression(return_type);
        }
    }
}

/// Whether a call in a chain has a block.
fn has_lambda(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::MethodCall(call) => call.lambda.is_some() || has_lambda(&call.receiver),
        ExprKind::Call(call) => call.lambda.is_some(),
        ExprKind::Access(access) => has_lambda(&access.target),
        _ => false,
    }
}
