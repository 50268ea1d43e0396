//! Lowering of the parser's nodes to the tree.

use std::collections::HashMap;

use marotte_text::Str;
use tree_sitter::Node;

use super::tree::{Block, Call, Expr, ExprKind, Method, Parameter, ParameterKind, Part};
use super::{heredoc, text};
use crate::resource_type::Flags;

/// The maximal nesting; deeper nodes are opaque.
const DEPTH_LIMIT: usize = 100;

/// Lowers the statements of a program.
pub(super) fn lower(text: &str, root: Node<'_>) -> Vec<Expr> {
    let lowering = Lowering { text, heredocs: heredoc::bodies(text, root) };
    lowering.statements(root, 0)
}

pub(super) struct Lowering<'t, 'n> {
    text: &'t str,
    /// The bodies of heredocs, by the position of their beginnings.
    heredocs: HashMap<usize, Node<'n>>,
}

impl<'t, 'n> Lowering<'t, 'n> {
    pub(super) fn source(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn name(&self, node: Node<'_>) -> Str {
        self.source(node).into()
    }

    pub(super) fn heredoc(&self, beginning: Node<'_>) -> Option<Node<'n>> {
        self.heredocs.get(&beginning.start_byte()).copied()
    }

    /// The named children that are significant.
    pub(super) fn children(node: Node<'n>) -> Vec<Node<'n>> {
        let mut cursor = node.walk();
        let children = node.named_children(&mut cursor);
        children
            .filter(|child| !matches!(child.kind(), "comment" | "heredoc_body" | "empty_statement"))
            .collect()
    }

    fn statements(&self, node: Node<'n>, depth: usize) -> Vec<Expr> {
        self.expressions(Self::children(node), depth)
    }

    /// Lowers expressions in a list; pairs without braces form one hash at the end.
    fn expressions(&self, nodes: Vec<Node<'n>>, depth: usize) -> Vec<Expr> {
        let (pairs, others): (Vec<_>, Vec<_>) =
            nodes.into_iter().partition(|node| matches!(node.kind(), "pair" | "hash_splat_argument"));
        let mut list: Vec<Expr> = others.into_iter().map(|node| self.expr(node, depth)).collect();
        if let (Some(first), Some(last)) = (pairs.first(), pairs.last()) {
            let range = first.start_byte()..last.end_byte();
            list.push(Expr { range, kind: self.hash(pairs, depth) });
        }
        list
    }

    pub(super) fn expr(&self, node: Node<'n>, depth: usize) -> Expr {
        let kind = if depth > DEPTH_LIMIT || node.is_error() || node.is_missing() {
            ExprKind::Opaque
        } else {
            self.kind(node, depth + 1)
        };
        Expr { range: node.byte_range(), kind }
    }

    fn boxed(&self, node: Node<'n>, depth: usize) -> Box<Expr> {
        Box::new(self.expr(node, depth))
    }

    fn kind(&self, node: Node<'n>, depth: usize) -> ExprKind {
        match node.kind() {
            "nil" => ExprKind::Nil,
            "true" => ExprKind::True,
            "false" => ExprKind::False,
            "self" => ExprKind::SelfValue,
            "integer" | "float" => ExprKind::Number(self.source(node).replace('_', "").into()),
            "unary" => self.unary(node),
            "simple_symbol" => {
                ExprKind::Symbol(vec![Part::Text(self.source(node).trim_start_matches(':').into())])
            }
            "hash_key_symbol" => ExprKind::Symbol(vec![Part::Text(self.name(node))]),
            "delimited_symbol" => ExprKind::Symbol(text::parts(self, node, depth)),
            "string" | "bare_string" => ExprKind::String(text::parts(self, node, depth)),
            "bare_symbol" => ExprKind::Symbol(text::parts(self, node, depth)),
            "chained_string" => ExprKind::String(self.chained(node, depth)),
            "heredoc_beginning" => {
                heredoc::parts(self, node, depth).map_or(ExprKind::Opaque, ExprKind::String)
            }
            "regex" => self.regexp(node, depth),
            "array" | "string_array" | "symbol_array" | "right_assignment_list" => {
                ExprKind::Array(self.statements(node, depth))
            }
            "hash" => self.hash(Self::children(node), depth),
            "splat_argument" | "hash_splat_argument" => match Self::children(node)[..] {
                [value] => ExprKind::Splat(self.boxed(value, depth)),
                _ => ExprKind::Opaque,
            },
            "identifier" => ExprKind::Name(self.name(node)),
            "instance_variable" => ExprKind::InstanceVariable(self.name(node)),
            "constant" => ExprKind::Constant(self.name(node)),
            "scope_resolution" => self.path(node),
            "call" => self.call(node, depth),
            "assignment" => self.assignment(node, depth),
            "operator_assignment" => self.operator_assignment(node, depth),
            "method" | "singleton_method" => self.method(node, depth),
            "module" | "class" => self.module(node, depth),
            "binary" => self.binary(node, depth),
            "parenthesized_statements" => ExprKind::Sequence(self.statements(node, depth)),
            "return" => ExprKind::Return(self.returned(node, depth)),
            "if" | "unless" | "elsif" | "else" | "then" | "case" | "when" | "while" | "until" | "for"
            | "do" | "begin" | "rescue" | "ensure" | "if_modifier" | "unless_modifier" | "while_modifier"
            | "until_modifier" | "rescue_modifier" | "conditional" | "body_statement" | "block_body" => {
                ExprKind::Branches(self.statements(node, depth))
            }
            _ => ExprKind::Opaque,
        }
    }

    fn unary(&self, node: Node<'n>) -> ExprKind {
        match node.child_by_field_name("operand") {
            Some(number)
                if matches!(number.kind(), "integer" | "float") && self.source(node).starts_with('-') =>
            {
                ExprKind::Number(self.source(node).replace(['_', ' '], "").into())
            }
            _ => ExprKind::Opaque,
        }
    }

    fn chained(&self, node: Node<'n>, depth: usize) -> Vec<Part> {
        Self::children(node).into_iter().flat_map(|string| text::parts(self, string, depth)).collect()
    }

    fn regexp(&self, node: Node<'n>, depth: usize) -> ExprKind {
        let source = self.source(node);
        let behind = &source[source.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len()..];
        // Other letters select encodings, or the time of interpolation.
        if behind.contains(|letter| !matches!(letter, 'i' | 'm' | 'x')) {
            return ExprKind::Opaque;
        }
        let flags = Flags {
            ignore_case: behind.contains('i'),
            multi_line: behind.contains('m'),
            extended: behind.contains('x'),
        };
        ExprKind::Regexp(text::regexp_parts(self, node, depth), flags)
    }

    fn hash(&self, pairs: Vec<Node<'n>>, depth: usize) -> ExprKind {
        let pair = |pair: Node<'n>| {
            if pair.kind() != "pair" {
                let splat = self.expr(pair, depth);
                return (splat, Expr { range: pair.byte_range(), kind: ExprKind::Opaque });
            }
            let opaque = || Expr { range: pair.byte_range(), kind: ExprKind::Opaque };
            let mut key = pair.child_by_field_name("key").map_or_else(opaque, |key| self.expr(key, depth));
            // The key of `'a': 1` is a symbol.
            if let ExprKind::String(parts) = &mut key.kind
                && self.text.get(key.range.end..).is_some_and(|behind| behind.starts_with(':'))
            {
                key.kind = ExprKind::Symbol(std::mem::take(parts));
            }
            (key, pair.child_by_field_name("value").map_or_else(opaque, |value| self.expr(value, depth)))
        };
        ExprKind::Hash(pairs.into_iter().map(pair).collect())
    }

    fn path(&self, node: Node<'n>) -> ExprKind {
        let source = self.source(node);
        let path = source.strip_prefix("::").unwrap_or(source);
        if path.split("::").all(|part| part.starts_with(|c: char| c.is_ascii_uppercase()) && is_word(part)) {
            ExprKind::Constant(path.into())
        } else {
            ExprKind::Opaque
        }
    }

    fn call(&self, node: Node<'n>, depth: usize) -> ExprKind {
        let Some(method) = node.child_by_field_name("method") else { return ExprKind::Opaque };
        let receiver = node.child_by_field_name("receiver").map(|receiver| self.expr(receiver, depth));
        let arguments = node.child_by_field_name("arguments");
        let arguments = arguments.map_or_else(Vec::new, |arguments| self.statements(arguments, depth));
        let block = node.child_by_field_name("block").map(|block| self.block(block, depth));
        ExprKind::Call(Box::new(Call { receiver, method: self.name(method), arguments, block }))
    }

    fn block(&self, node: Node<'n>, depth: usize) -> Block {
        let parameters = node.child_by_field_name("parameters").map_or_else(Vec::new, Self::children);
        let plain = parameters.iter().all(|parameter| parameter.kind() == "identifier");
        Block {
            parameters: plain.then(|| parameters.into_iter().map(|parameter| self.name(parameter)).collect()),
            body: self.body(node, depth),
        }
    }

    fn body(&self, node: Node<'n>, depth: usize) -> Vec<Expr> {
        match node.child_by_field_name("body") {
            Some(body) if matches!(body.kind(), "body_statement" | "block_body") => {
                self.statements(body, depth)
            }
            // `def a = 1`
            Some(body) => vec![self.expr(body, depth)],
            None => Vec::new(),
        }
    }

    fn assignment(&self, node: Node<'n>, depth: usize) -> ExprKind {
        match (node.child_by_field_name("left"), node.child_by_field_name("right")) {
            (Some(left), Some(right)) if left.kind() != "left_assignment_list" => {
                ExprKind::Assign(self.boxed(left, depth), self.boxed(right, depth))
            }
            _ => ExprKind::Opaque,
        }
    }

    fn operator_assignment(&self, node: Node<'n>, depth: usize) -> ExprKind {
        let Some(left) = node.child_by_field_name("left") else { return ExprKind::Opaque };
        let value = Expr { range: node.byte_range(), kind: ExprKind::Opaque };
        ExprKind::Assign(self.boxed(left, depth), Box::new(value))
    }

    fn method(&self, node: Node<'n>, depth: usize) -> ExprKind {
        let Some(name) = node.child_by_field_name("name") else { return ExprKind::Opaque };
        let object = node.child_by_field_name("object");
        if object.is_some_and(|object| object.kind() != "self") {
            return ExprKind::Opaque;
        }
        let parameters = node.child_by_field_name("parameters").map_or_else(Vec::new, Self::children);
        ExprKind::Method(Box::new(Method {
            name: self.name(name),
            on_self: object.is_some(),
            parameters: parameters.into_iter().map(|parameter| self.parameter(parameter)).collect(),
            body: self.body(node, depth),
        }))
    }

    fn parameter(&self, node: Node<'n>) -> Parameter {
        let kind = match node.kind() {
            "identifier" | "destructured_parameter" => ParameterKind::Required,
            "optional_parameter" => ParameterKind::Optional,
            "splat_parameter" => ParameterKind::Rest,
            "block_parameter" => ParameterKind::Block,
            _ => ParameterKind::Other,
        };
        let name = if node.kind() == "identifier" { Some(node) } else { node.child_by_field_name("name") };
        Parameter { name: name.map(|name| self.name(name)).unwrap_or_default(), kind }
    }

    fn module(&self, node: Node<'n>, depth: usize) -> ExprKind {
        ExprKind::Module(self.body(node, depth))
    }

    fn binary(&self, node: Node<'n>, depth: usize) -> ExprKind {
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
        match (node.child_by_field_name("left"), operator, node.child_by_field_name("right")) {
            (Some(left), Some("+"), Some(right)) => {
                ExprKind::Plus(self.boxed(left, depth), self.boxed(right, depth))
            }
            _ => ExprKind::Opaque,
        }
    }

    fn returned(&self, node: Node<'n>, depth: usize) -> Vec<Expr> {
        match Self::children(node)[..] {
            [arguments] => self.statements(arguments, depth),
            _ => Vec::new(),
        }
    }
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
