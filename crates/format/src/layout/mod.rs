//! The layout: the white space between the tokens of each construct. One file for each family of constructs.
//!
//! Every function here writes the tokens of its construct, all of them, in order.

mod block;
mod call;
mod collection;
mod control;
mod definition;
mod list;
mod operator;
mod parameter;
mod resource;
mod template;

pub(crate) use collection::{Item, items};

use marotte_syntax::ast::{Expr, ExprKind, Program};

use crate::writer::Writer;

/// Whether the value of an expression is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// A statement of its own.
    Statement,
    /// Part of another expression.
    Value,
}

impl Writer<'_> {
    /// Lays out a whole text.
    pub(crate) fn program(&mut self, program: &Program) {
        match &program.template {
            Some(template) => self.template(template, &program.body),
            None => {
                self.statements(&program.body);
                self.dangling_comments(program.body.is_empty());
            }
        }
    }

    fn expression(&mut self, expr: &Expr) {
        self.expression_in(expr, Position::Value);
    }

    fn expression_in(&mut self, expr: &Expr, position: Position) {
        match &expr.kind {
            ExprKind::Undef
            | ExprKind::Default
            | ExprKind::Boolean(_)
            | ExprKind::Integer { .. }
            | ExprKind::LargeInteger { .. }
            | ExprKind::Float(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::Name(_)
            | ExprKind::Reference(_)
            | ExprKind::Variable(_)
            | ExprKind::Reserved(_)
            | ExprKind::Interpolated(_)
            | ExprKind::Heredoc(_) => self.token(),
            ExprKind::Array(elements) => self.array(elements),
            ExprKind::Hash(hash) => self.hash(hash, false),
            ExprKind::Parenthesized(inner) => self.parenthesized(inner),
            ExprKind::Unary(unary) => self.unary(unary),
            ExprKind::Binary(binary) => self.binary(binary),
            ExprKind::Assignment(assignment) => self.assignment(assignment),
            ExprKind::Relationship(relationship) => self.chain(relationship),
            ExprKind::Access(access) => self.access(access),
            ExprKind::Selector(selector) => self.selector(selector, false),
            ExprKind::Call(call) => self.call(call, position),
            ExprKind::MethodCall(call) => self.method_call(call, position),
            ExprKind::Resource(resource) => self.resource(resource),
            ExprKind::ResourceDefaults(it) => self.attributes_of(it.form, &it.type_ref, &it.attributes),
            ExprKind::ResourceOverride(it) => self.attributes_of(it.form, &it.resources, &it.attributes),
            ExprKind::Collector(collector) => self.collector(collector),
            ExprKind::If(it) => self.if_(it),
            ExprKind::Unless(it) => self.unless(it),
            ExprKind::Case(case) => self.case(case),
            ExprKind::Class(class) => self.class(class),
            ExprKind::Define(define) => self.define(define),
            ExprKind::Node(node) => self.node(node),
            ExprKind::Function(function) => self.function(function),
            ExprKind::Plan(plan) => self.plan(plan),
            ExprKind::Apply(apply) => self.apply(apply),
            ExprKind::TypeAlias(alias) => self.type_alias(&alias.type_expr),
            ExprKind::TypeMapping(mapping) => self.type_mapping(mapping),
            ExprKind::TypeDefinition(definition) => self.type_definition(definition),
            ExprKind::UntitledResource(parts) => {
                self.expression(&parts[0]);
                self.doc.space();
                self.expression(&parts[1]);
            }
            ExprKind::RenderText(_) => {}
            ExprKind::Render(body) => self.render(body),
            ExprKind::Error => self.fail(),
        }
    }

    /// Writes a value after `=` or `=>`, or in an array. There, a hash or selector of several entries has a line for
    /// each.
    fn value(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Hash(hash) => self.hash(hash, hash.entries.len() > 1),
            ExprKind::Selector(selector) => self.selector(selector, selector.entries.len() > 1),
            _ => self.expression(expr),
        }
    }

    /// Writes the next token between blanks.
    fn spaced_token(&mut self) {
        self.doc.space();
        self.token();
        self.doc.space();
    }

    /// Separates the keyword `else` from the brace before it: by a blank, unless a comment ends that line.
    fn space_after_block(&mut self) {
        if self.doc.ends_with_suffix() {
            self.doc.hard_line();
        } else {
            self.doc.space();
        }
    }
}
