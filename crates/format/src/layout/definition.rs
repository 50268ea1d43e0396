//! The layout of definitions.

use marotte_syntax::TokenKind;
use marotte_syntax::ast::{
    Apply, Class, Define, Expr, ExprKind, Function, NodeDefinition, Parameter, Plan, TypeDefinition,
    TypeMapping,
};

use super::list::List;
use crate::writer::{Writer, span};

impl Writer<'_> {
    pub(super) fn class(&mut self, class: &Class) {
        self.keyword_and_name();
        self.parameter_lines(&class.parameters);
        if class.parent.is_some() {
            self.spaced_token();
            self.token();
        }
        self.doc.space();
        self.block(&class.body);
    }

    pub(super) fn define(&mut self, define: &Define) {
        self.keyword_and_name();
        self.parameter_lines(&define.parameters);
        self.doc.space();
        self.block(&define.body);
    }

    fn keyword_and_name(&mut self) {
        self.token();
        self.doc.space();
        self.token();
    }

    /// Writes the parameters of a class or define, one per line.
    fn parameter_lines(&mut self, parameters: &[Parameter]) {
        if matches!(self.kind(), Some(TokenKind::LeftParen | TokenKind::LineParen)) {
            self.doc.space();
            self.parameters(parameters, List { trailing_comma: true, broken: true, ..List::default() });
        }
    }

    /// Writes the parameters of a function or plan, on one line if they fit.
    fn short_parameters(&mut self, parameters: &[Parameter]) {
        if matches!(self.kind(), Some(TokenKind::LeftParen | TokenKind::LineParen)) {
            self.parameters(parameters, List { trailing_comma: true, ..List::default() });
        }
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.keyword_and_name();
        self.short_parameters(&function.parameters);
        self.return_type(function.return_type.as_ref());
        self.doc.space();
        self.block(&function.body);
    }

    pub(super) fn plan(&mut self, plan: &Plan) {
        self.keyword_and_name();
        self.short_parameters(&plan.parameters);
        self.doc.space();
        self.block(&plan.body);
    }

    pub(super) fn apply(&mut self, apply: &Apply) {
        self.token();
        self.arguments(&apply.arguments);
        self.doc.space();
        self.block(&apply.body);
    }

    pub(super) fn node(&mut self, node: &NodeDefinition) {
        self.token();
        self.doc.space();
        self.doc.group();
        self.doc.indent(1);
        for (index, host) in node.matches.iter().enumerate() {
            if index > 0 {
                self.doc.word(",");
                self.skip_comma();
                self.doc.line();
            }
            self.host(host);
        }
        self.skip_comma();
        self.doc.dedent();
        self.doc.end_group(None);
        if let Some(parent) = &node.parent {
            self.spaced_token();
            self.host(parent);
        }
        self.doc.space();
        self.block(&node.body);
    }

    /// Writes a host name, which may be several tokens joined by dots.
    fn host(&mut self, host: &Expr) {
        let end = span(host.range).1;
        self.expression(host);
        while self.next_start() < end {
            self.token();
        }
    }

    /// Writes a type alias: `type Name = …`.
    pub(super) fn type_alias(&mut self, type_expr: &Expr) {
        self.keyword_and_name();
        self.spaced_token();
        self.aliased(type_expr);
    }

    pub(super) fn type_mapping(&mut self, mapping: &TypeMapping) {
        self.token();
        self.doc.space();
        self.expression(&mapping.type_expr);
        self.spaced_token();
        self.aliased(&mapping.mapping);
    }

    /// Writes the right side of an alias. In the tree, an object type that is written as a hash, or as its parent and a
    /// hash, is an access.
    fn aliased(&mut self, type_expr: &Expr) {
        let is_hash = self.is_at(TokenKind::LeftBrace);
        let is_parent = self.is_at(TokenKind::Reference) && self.second_kind() == Some(TokenKind::LeftBrace);
        match &type_expr.kind {
            ExprKind::Access(access) if is_hash || is_parent => {
                if is_parent {
                    self.token();
                    self.doc.space();
                }
                if let Some(ExprKind::Hash(hash)) = access.keys.first().map(|it| &it.kind) {
                    self.hash(hash, true);
                }
            }
            _ => self.value(type_expr),
        }
    }

    /// Writes `type Name inherits Parent { … }`.
    pub(super) fn type_definition(&mut self, definition: &TypeDefinition) {
        self.keyword_and_name();
        if definition.parent.is_some() {
            self.spaced_token();
            self.token();
        }
        self.doc.space();
        self.block(&definition.body);
    }
}
