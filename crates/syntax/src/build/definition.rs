//! The trees of definitions and parameters.

use marotte_text::{Str, TextRange};
use pest::iterators::Pairs;

use super::{Builder, span};
use crate::SyntaxErrorKind;
use crate::ast::{
    Access, Apply, Block, Class, Define, Expr, ExprKind, Function, Hash, HashEntry, Lambda, NodeDefinition,
    Parameter, Plan, TypeAlias, TypeDefinition, TypeMapping,
};
use crate::grammar::{Node, Rule};
use crate::token::TokenKind;

/// The parts that most definitions share.
#[derive(Default)]
struct Parts {
    parameters: Vec<Parameter>,
    return_type: Option<Expr>,
    body: Block,
}

impl Builder<'_> {
    pub(super) fn definition(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let range = self.tokens_range(start, end - 1);
        let kind = match node.as_rule() {
            Rule::class => self.class(node),
            Rule::define => {
                let (name, name_range) = self.definition_name(start + 1);
                let name = self.qualified(name);
                let parts = self.parts(node.into_inner());
                ExprKind::Define(Box::new(Define {
                    name,
                    name_range,
                    parameters: parts.parameters.into(),
                    body: parts.body,
                }))
            }
            Rule::function => {
                let (name, name_range) = self.definition_name(start + 1);
                let parts = self.parts(node.into_inner());
                ExprKind::Function(Box::new(Function {
                    name,
                    name_range,
                    parameters: parts.parameters.into(),
                    return_type: parts.return_type,
                    body: parts.body,
                }))
            }
            Rule::plan => {
                let (name, name_range) = self.definition_name(start + 1);
                let qualified = self.qualified(name.clone());
                self.namespace.push(name);
                let parts = self.parts(node.into_inner());
                self.namespace.pop();
                ExprKind::Plan(Box::new(Plan {
                    name: qualified,
                    name_range,
                    parameters: parts.parameters.into(),
                    body: parts.body,
                }))
            }
            Rule::node => self.node(node),
            Rule::apply => {
                let mut items = node.into_inner();
                let body = items.next_back().map(|body| self.block(body)).unwrap_or_default();
                ExprKind::Apply(Box::new(Apply { arguments: self.elements(items), body }))
            }
            Rule::type_alias => self.type_alias(node),
            Rule::type_definition => {
                let (name, name_range) = self.definition_name(start + 1);
                let inherits = self.kind(start + 2) == TokenKind::Inherits;
                let parent = inherits.then(|| self.written(start + 3).into());
                let body = self.parts(node.into_inner()).body;
                ExprKind::TypeDefinition(Box::new(TypeDefinition { name, name_range, parent, body }))
            }
            _ => ExprKind::Error,
        };
        Expr { range, kind }
    }

    fn class(&mut self, node: Node<'_>) -> ExprKind {
        let (start, _) = span(&node);
        let (name, name_range) = self.definition_name(start + 1);
        let qualified = self.qualified(name.clone());
        let items = node.into_inner();
        let body_start = items.clone().next_back().map_or(start, |body| span(&body).0);
        let parent = (self.kind(body_start.saturating_sub(2)) == TokenKind::Inherits)
            .then(|| self.definition_name(body_start - 1));
        self.namespace.push(name);
        let parts = self.parts(items);
        self.namespace.pop();
        ExprKind::Class(Box::new(Class {
            name: qualified,
            name_range,
            parameters: parts.parameters.into(),
            parent,
            body: parts.body,
        }))
    }

    /// Builds the name of a definition. The grammar also accepts `class` and quoted names here, so that each is
    /// reported by a specific message.
    fn definition_name(&mut self, index: usize) -> (Str, TextRange) {
        let range = self.token_range(index);
        match self.kind(index) {
            TokenKind::Class => self.error(range, SyntaxErrorKind::ClassKeywordAsName),
            TokenKind::String => {
                self.error(range, SyntaxErrorKind::QuotedName);
                return (self.string_text(index), range);
            }
            _ => {}
        }
        (self.written(index).into(), range)
    }

    /// Qualifies a name by the names of the enclosing classes (B59).
    fn qualified(&self, name: Str) -> Str {
        if self.namespace.is_empty() {
            return name;
        }
        let mut qualified = self.namespace.join("::");
        qualified.push_str("::");
        qualified.push_str(&name);
        qualified.strip_prefix("::").unwrap_or(&qualified).into()
    }

    fn parts(&mut self, nodes: Pairs<'_, Rule>) -> Parts {
        let mut parts = Parts::default();
        for node in nodes {
            match node.as_rule() {
                Rule::parameter => parts.parameters.push(self.parameter(node)),
                Rule::return_type => {
                    parts.return_type = node.into_inner().next().map(|it| self.type_expression(it))
                }
                _ => parts.body = self.block(node),
            }
        }
        parts
    }

    pub(super) fn lambda(&mut self, node: Node<'_>) -> Lambda {
        let (start, end) = span(&node);
        let parts = self.parts(node.into_inner());
        Lambda {
            range: self.tokens_range(start, end - 1),
            parameters: parts.parameters.into(),
            return_type: parts.return_type,
            body: parts.body,
        }
    }

    pub(super) fn parameters(&mut self, nodes: Pairs<'_, Rule>) -> Box<[Parameter]> {
        nodes.map(|node| self.parameter(node)).collect()
    }

    fn parameter(&mut self, node: Node<'_>) -> Parameter {
        let (start, end) = span(&node);
        let mut at = start;
        let (mut type_expr, mut value) = (None, None);
        for part in node.into_inner() {
            if part.as_rule() == Rule::type_expression {
                at = span(&part).1;
                type_expr = Some(self.type_expression(part));
            } else {
                value = Some(self.expression(part));
            }
        }
        let captures_rest = self.kind(at) == TokenKind::Times;
        at += usize::from(captures_rest);
        let name_range = self.token_range(at);
        let name = if self.kind(at) == TokenKind::Variable { self.variable_name(at) } else { Str::new() };
        let range =
            self.token_range(start).cover(value.as_ref().map_or(self.token_range(end - 1), |it| it.range));
        Parameter { range, name, name_range, type_expr, captures_rest, value }
    }

    fn type_expression(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        let reference = self.leaf(start);
        if end == start + 1 {
            return reference;
        }
        let range = self.tokens_range(start, end - 1);
        let keys = self.access_keys(node);
        Expr { range, kind: ExprKind::Access(Box::new(Access { target: reference, keys })) }
    }

    fn type_alias(&mut self, node: Node<'_>) -> ExprKind {
        let mut parts = node.into_inner();
        let Some(left) = parts.next().map(|part| self.type_expression(part)) else { return ExprKind::Error };
        let Some(mut right) = parts.next().map(|part| self.operand(part)) else { return ExprKind::Error };
        if let Some(part) = parts.next() {
            right = match part.as_rule() {
                Rule::access => self.continuation(right, part),
                _ => {
                    let hash = self.hash(part);
                    object_type(Some(right), hash)
                }
            };
        } else if matches!(right.kind, ExprKind::Hash(_)) {
            right = object_type(None, right);
        }
        match left.kind {
            ExprKind::Reference(name) => {
                ExprKind::TypeAlias(Box::new(TypeAlias { name, name_range: left.range, type_expr: right }))
            }
            _ => ExprKind::TypeMapping(Box::new(TypeMapping { type_expr: left, mapping: right })),
        }
    }

    fn node(&mut self, node: Node<'_>) -> ExprKind {
        let mut matches = Vec::new();
        let mut parent = None;
        let mut body: Block = Box::new([]);
        for part in node.into_inner() {
            if part.as_rule() == Rule::block {
                body = self.block(part);
            } else if self.kind(span(&part).0.saturating_sub(1)) == TokenKind::Inherits {
                parent = Some(self.host(part));
            } else {
                matches.push(self.host(part));
            }
        }
        ExprKind::Node(Box::new(NodeDefinition { matches: matches.into(), parent, body }))
    }

    fn host(&mut self, node: Node<'_>) -> Expr {
        let (start, end) = span(&node);
        if let Some(inner) = node.into_inner().next() {
            return self.operand(inner);
        }
        if !matches!(self.kind(start), TokenKind::Name | TokenKind::Number) {
            return self.leaf(start);
        }
        let name = (start..end).map(|index| self.written(index)).collect::<String>();
        Expr { range: self.tokens_range(start, end - 1), kind: ExprKind::String(name.into()) }
    }
}

/// Lowers `type X = { … }` to `Object[{ … }]`, and `type X = Parent { … }` to `Object[{ …, parent => Parent }]` (B67).
fn object_type(parent: Option<Expr>, mut hash: Expr) -> Expr {
    let range = parent.as_ref().map_or(hash.range, |parent| parent.range.cover(hash.range));
    let target = match parent {
        Some(parent) if matches!(&parent.kind, ExprKind::Reference(name) if name == "Object" || name == "TypeSet") => {
            parent
        }
        parent => {
            if let (Some(parent), ExprKind::Hash(literal)) = (parent, &mut hash.kind) {
                add_parent(literal, parent);
                hash.range = range;
            }
            Expr { range: TextRange::empty(range.start()), kind: ExprKind::Reference("Object".into()) }
        }
    };
    Expr { range, kind: ExprKind::Access(Box::new(Access { target, keys: Box::new([hash]) })) }
}

fn add_parent(hash: &mut Hash, parent: Expr) {
    let at = TextRange::empty(parent.range.start());
    let key = Expr { range: at, kind: ExprKind::Name("parent".into()) };
    let mut entries = std::mem::take(&mut hash.entries).into_vec();
    entries.push(HashEntry { key, value: parent, arrow: at });
    hash.entries = entries.into();
}

#[cfg(test)]
mod tests {
    use crate::ast::ExprKind;
    use crate::{Mode, parse};

    #[test]
    fn the_hash_of_an_object_type_covers_the_parent_that_is_in_it() {
        let source = "type A = B { c => D }";
        let parse = parse(source, Mode::default());
        let ExprKind::TypeAlias(alias) = &parse.program.body[0].kind else { panic!("{parse:?}") };
        let ExprKind::Access(object) = &alias.type_expr.kind else { panic!("{parse:?}") };
        assert_eq!(&source[std::ops::Range::<usize>::from(object.keys[0].range)], "B { c => D }");
    }
}
