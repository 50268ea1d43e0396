use lib_ruby_parser::Node;
use lib_ruby_parser::nodes::Casgn;

use super::Lowerer;
use crate::Symbol;
use crate::program::tree::{
    Assign, AssignOperator, AttributeTarget, ConstantPath, ConstantScope, Expr, IndexTarget, MatchAssign,
    MatchVariable, MultipleAssign, Operator, OperatorAssign, Target, Targets,
};

impl Lowerer<'_> {
    pub(super) fn variable_expr(&mut self, node: &Node) -> Expr {
        match node {
            Node::Lvar(it) => self.local(&it.name),
            Node::Ivar(it) => Expr::InstanceVariable(Symbol::new(&it.name)),
            Node::Cvar(it) => Expr::ClassVariable(Symbol::new(&it.name)),
            Node::Gvar(it) => match &*it.name {
                "$~" => Expr::MatchVariable(MatchVariable::Last),
                name => Expr::GlobalVariable(Symbol::new(name)),
            },
            Node::BackRef(it) => Expr::MatchVariable(match &*it.name {
                "$&" => MatchVariable::Whole,
                "$`" => MatchVariable::Before,
                "$'" => MatchVariable::After,
                _ => MatchVariable::LastGroup,
            }),
            Node::NthRef(it) => match it.name.trim_start_matches('$').parse() {
                Ok(group) => Expr::MatchVariable(MatchVariable::Group(group)),
                Err(_) => self.unsupported(format!("the variable {}", it.name), node),
            },
            Node::Const(it) => Expr::Constant(Box::new(self.constant(it.scope.as_deref(), &it.name, node))),
            _ => self.unsupported("::", node),
        }
    }

    pub(super) fn local(&mut self, name: &str) -> Expr {
        match self.variable(name) {
            (0, slot) => Expr::Local(slot),
            (depth, slot) => Expr::Outer { depth, slot },
        }
    }

    pub(super) fn constant(&mut self, scope: Option<&Node>, name: &str, node: &Node) -> ConstantPath {
        let scope = match scope {
            None => ConstantScope::Lexical,
            Some(Node::Cbase(_)) => ConstantScope::Root,
            Some(scope) => ConstantScope::Value(self.expr(scope)),
        };
        ConstantPath { scope, name: Symbol::new(name), line: self.line_of(node) }
    }

    pub(super) fn assignment(&mut self, node: &Node) -> Expr {
        match node {
            Node::Lvasgn(it) => {
                // The variable exists before its value is evaluated: `a = a` is nil.
                let (depth, slot) = self.variable(&it.name);
                let value = Box::new(self.optional(it.value.as_deref()));
                match depth {
                    0 => Expr::SetLocal { slot, value },
                    _ => Expr::SetOuter { depth, slot, value },
                }
            }
            Node::Ivasgn(it) => self.assign(node, it.value.as_deref()),
            Node::Cvasgn(it) => self.assign(node, it.value.as_deref()),
            Node::Gvasgn(it) => self.assign(node, it.value.as_deref()),
            Node::Casgn(it) => self.assign(node, it.value.as_deref()),
            Node::IndexAsgn(it) => self.assign(node, it.value.as_deref()),
            Node::Masgn(it) => {
                let targets = match &*it.lhs {
                    Node::Mlhs(it) => self.targets(&it.items),
                    other => self.targets(std::slice::from_ref(other)),
                };
                let value = self.expr(&it.rhs);
                Expr::MultipleAssign(Box::new(MultipleAssign { targets, value }))
            }
            Node::OpAsgn(it) => {
                let name = it.operator.trim_end_matches('=');
                let operator = AssignOperator::Method(Symbol::new(name), Operator::named(name));
                self.operator_assign(&it.recv, operator, &it.value, node)
            }
            Node::OrAsgn(it) => self.operator_assign(&it.recv, AssignOperator::Or, &it.value, node),
            Node::AndAsgn(it) => self.operator_assign(&it.recv, AssignOperator::And, &it.value, node),
            Node::MatchWithLvasgn(it) => match self.match_assign(&it.re, &it.value, node) {
                Some(expr) => expr,
                None => self.unsupported("this match", node),
            },
            _ => self.unsupported("this assignment", node),
        }
    }

    fn assign(&mut self, target: &Node, value: Option<&Node>) -> Expr {
        let target = self.target(target);
        let value = self.optional(value);
        Expr::Assign(Box::new(Assign { target, value }))
    }

    fn operator_assign(
        &mut self,
        target: &Node,
        operator: AssignOperator,
        value: &Node,
        node: &Node,
    ) -> Expr {
        let target = self.target(target);
        let value = self.expr(value);
        Expr::OperatorAssign(Box::new(OperatorAssign { target, operator, value, line: self.line_of(node) }))
    }

    /// Lowers `NAME = value unless defined?(NAME)`, as `NAME ||= value`: a file that asks this sets the constant itself, so that it
    /// is none of Ruby's, about which nothing else would be known.
    pub(super) fn operator_assign_to_constant(&mut self, assignment: &Node, node: &Node) -> Expr {
        match assignment {
            Node::Casgn(Casgn { value: Some(value), .. }) => {
                self.operator_assign(assignment, AssignOperator::Or, value, node)
            }
            other => self.expr(other),
        }
    }

    /// Lowers `/(?<name>…)/ =~ value`, which assigns `name`. The parser does not know about the assignment: later it
    /// takes the name for a call.
    pub(super) fn match_assign(&mut self, pattern: &Node, value: &Node, node: &Node) -> Option<Expr> {
        let Node::Regexp(written) = pattern else { return None };
        if !written.parts.iter().all(|it| matches!(it, Node::Str(_))) {
            return None;
        }
        let pattern = self.expr(pattern);
        let Expr::Regexp(literal) = &pattern else { return None };
        let mut names: Vec<String> = literal.regexp.group_names().map(|(name, _)| name.to_owned()).collect();
        names.dedup();
        names.retain(|it| it.starts_with(|first: char| first.is_lowercase() || first == '_'));
        if names.is_empty() {
            return None;
        }
        let target = |name: String| {
            let (depth, slot) = self.variable(&name);
            let symbol = Symbol::new(&name);
            self.scope().captured.push(symbol);
            (name.into(), Target::Local { depth, slot })
        };
        let names = names.into_iter().map(target).collect();
        let value = self.expr(value);
        let call = self.plain_call(pattern, "=~", vec![value], self.line_of(node));
        Some(Expr::MatchAssign(Box::new(MatchAssign { call, names })))
    }

    /// The variable that a name alone is, if a regular expression has assigned it.
    pub(super) fn captured(&mut self, name: &str) -> Option<Expr> {
        let symbol = Symbol::existing(name)?;
        let is_captured = self.scopes.iter().any(|it| it.captured.contains(&symbol));
        let (depth, slot) = self.resolve(symbol).filter(|_| is_captured)?;
        Some(match depth {
            0 => Expr::Local(slot),
            depth => Expr::Outer { depth, slot },
        })
    }

    /// The targets of a multiple assignment.
    pub(super) fn targets(&mut self, nodes: &[Node]) -> Targets {
        let mut targets = Targets::default();
        for node in nodes {
            match node {
                Node::Splat(it) => {
                    targets.rest = Some(it.value.as_deref().map(|it| self.target(it)));
                }
                Node::Restarg(it) => {
                    targets.rest = Some(it.name.as_deref().map(|name| self.parameter_target(name)));
                }
                _ => {
                    let target = self.target(node);
                    match targets.rest {
                        None => targets.before.push(target),
                        Some(_) => targets.after.push(target),
                    }
                }
            }
        }
        targets
    }

    fn parameter_target(&mut self, name: &str) -> Target {
        Target::Local { depth: 0, slot: self.declare(name) }
    }

    /// The target that a node on the left side of an assignment is.
    pub(super) fn target(&mut self, node: &Node) -> Target {
        match node {
            Node::Lvasgn(it) => {
                let (depth, slot) = self.variable(&it.name);
                Target::Local { depth, slot }
            }
            Node::MatchVar(it) => {
                let (depth, slot) = self.variable(&it.name);
                Target::Local { depth, slot }
            }
            // Parameters in parentheses.
            Node::Arg(it) => self.parameter_target(&it.name),
            Node::Procarg0(it) => Target::Nested(Box::new(self.targets(&it.args))),
            Node::Ivasgn(it) => Target::InstanceVariable(Symbol::new(&it.name)),
            Node::Cvasgn(it) => Target::ClassVariable(Symbol::new(&it.name)),
            Node::Gvasgn(it) => Target::GlobalVariable(Symbol::new(&it.name)),
            Node::Casgn(it) => Target::Constant(Box::new(self.constant(it.scope.as_deref(), &it.name, node))),
            Node::Index(it) => self.index_target(&it.recv, &it.indexes, node),
            Node::IndexAsgn(it) => self.index_target(&it.recv, &it.indexes, node),
            Node::Send(it) => self.attribute_target(it.recv.as_deref(), &it.method_name, false, node),
            Node::CSend(it) => self.attribute_target(Some(&it.recv), &it.method_name, true, node),
            Node::Mlhs(it) => Target::Nested(Box::new(self.targets(&it.items))),
            _ => {
                self.unsupported("this assignment", node);
                Target::Unsupported(Box::new(("this assignment".to_owned(), self.line_of(node))))
            }
        }
    }

    fn index_target(&mut self, receiver: &Node, indexes: &[Node], node: &Node) -> Target {
        let receiver = self.expr(receiver);
        let arguments = self.arguments(indexes, None);
        Target::Index(Box::new(IndexTarget { receiver, arguments, line: self.line_of(node) }))
    }

    fn attribute_target(
        &mut self,
        receiver: Option<&Node>,
        name: &str,
        is_safe: bool,
        node: &Node,
    ) -> Target {
        let reader = name.strip_suffix('=').unwrap_or(name);
        let receiver = receiver.map_or(Expr::SelfValue, |it| self.expr(it));
        Target::Attribute(Box::new(AttributeTarget {
            receiver,
            writer: Symbol::new(&format!("{reader}=")),
            reader: Symbol::new(reader),
            is_safe,
            line: self.line_of(node),
        }))
    }
}
