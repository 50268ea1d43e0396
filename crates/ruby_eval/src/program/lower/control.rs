use std::sync::Arc;

use lib_ruby_parser::Node;
use lib_ruby_parser::nodes::{Casgn, Const, IfMod};

use super::{Lowerer, Scope, ScopeKind};
use crate::Symbol;
use crate::program::tree::{
    Assign, BeginExpr, CaseExpr, ClassExpr, ClassExprKind, ConstantPath, ConstantScope, DefineMethod,
    DefinedExpr, Expr, ForExpr, IfExpr, MethodCode, Parameter, Parameters, Rescue, WhenBranch, WhileExpr,
};

impl Lowerer<'_> {
    pub(super) fn control(&mut self, node: &Node) -> Expr {
        match node {
            Node::And(it) => Expr::And(Box::new((self.expr(&it.lhs), self.expr(&it.rhs)))),
            Node::Or(it) => Expr::Or(Box::new((self.expr(&it.lhs), self.expr(&it.rhs)))),
            Node::Defined(it) => {
                let value = match &*it.value {
                    // `defined?(x)` has parentheses of its own.
                    Node::Begin(inner) if inner.statements.len() == 1 => self.expr(&inner.statements[0]),
                    value => self.expr(value),
                };
                Expr::Defined(Box::new(DefinedExpr { value }))
            }
            Node::If(it) => self.branch(&it.cond, it.if_true.as_deref(), it.if_false.as_deref()),
            Node::IfMod(IfMod { cond, if_true: None, if_false: Some(body), .. })
                if is_guarded(cond, body) =>
            {
                self.operator_assign_to_constant(body, node)
            }
            Node::IfMod(it) => self.branch(&it.cond, it.if_true.as_deref(), it.if_false.as_deref()),
            Node::IfTernary(it) => self.branch(&it.cond, Some(&it.if_true), Some(&it.if_false)),
            Node::While(it) => self.loop_(&it.cond, it.body.as_deref(), true, false),
            Node::WhilePost(it) => self.loop_(&it.cond, Some(&it.body), true, true),
            Node::Until(it) => self.loop_(&it.cond, it.body.as_deref(), false, false),
            Node::UntilPost(it) => self.loop_(&it.cond, Some(&it.body), false, true),
            Node::For(it) => self.for_(&it.iterator, &it.iteratee, it.body.as_deref(), node),
            Node::Case(it) => {
                let subject = it.expr.as_deref().map(|it| self.expr(it));
                let branches = it.when_bodies.iter().map(|it| self.when(it)).collect();
                let otherwise = self.optional(it.else_body.as_deref());
                Expr::Case(Box::new(CaseExpr { subject, branches, otherwise, line: self.line_of(node) }))
            }
            Node::Rescue(_) | Node::Ensure(_) => self.begin(node),
            Node::Def(it) => {
                self.note_method(&it.name, it.name_l.begin);
                self.define(None, &it.name, it.args.as_deref(), it.body.as_deref(), node)
            }
            Node::Defs(it) => {
                self.note_method(&it.name, it.name_l.begin);
                let object = Some(self.expr(&it.definee));
                self.define(object, &it.name, it.args.as_deref(), it.body.as_deref(), node)
            }
            Node::Class(it) => {
                let path = self.path(&it.name);
                let superclass = it.superclass.as_deref().map(|it| self.expr(it));
                let name = format!("<class:{}>", path.name);
                self.class(ClassExprKind::Class { path, superclass }, &name, it.body.as_deref(), node)
            }
            Node::Module(it) => {
                let path = self.path(&it.name);
                let name = format!("<module:{}>", path.name);
                self.class(ClassExprKind::Module { path }, &name, it.body.as_deref(), node)
            }
            Node::SClass(it) => {
                let object = self.expr(&it.expr);
                self.class(ClassExprKind::Singleton { object }, "singleton class", it.body.as_deref(), node)
            }
            Node::Alias(it) => match (&*it.to, &*it.from) {
                (Node::Gvar(to), Node::Gvar(from)) => {
                    Expr::AliasGlobal(Symbol::new(&to.name), Symbol::new(&from.name))
                }
                (to, from) => match (self.expr(to), self.expr(from)) {
                    (Expr::Symbol(to), Expr::Symbol(from)) => Expr::Alias(to, from),
                    _ => self.unsupported("this alias", node),
                },
            },
            Node::Undef(it) => Expr::Undefine(it.names.iter().map(|it| self.expr(it)).collect()),
            Node::Break(it) => {
                let value = self.jump_value(&it.args);
                match self.scope().loops {
                    0 => Expr::Break(value),
                    _ => Expr::LoopBreak(value),
                }
            }
            Node::Next(it) => {
                let value = self.jump_value(&it.args);
                match self.scope().loops {
                    0 => Expr::Next(value),
                    _ => Expr::LoopNext,
                }
            }
            Node::Return(it) => Expr::Return(self.jump_value(&it.args)),
            Node::Redo(_) => match self.scope().loops {
                0 => Expr::Redo,
                _ => self.unsupported("`redo` in a loop", node),
            },
            Node::Retry(_) => Expr::Retry,
            Node::MatchCurrentLine(_) => self.unsupported("a regular expression as condition", node),
            Node::IFlipFlop(_) | Node::EFlipFlop(_) => self.unsupported("a flip-flop", node),
            Node::Preexe(_) => self.unsupported("BEGIN", node),
            Node::Postexe(_) => self.unsupported("END", node),
            _ => self.unsupported(format!("`{}`", node.str_type()), node),
        }
    }

    /// The value of `break`, `next` and `return`: several values are an array.
    fn jump_value(&mut self, nodes: &[Node]) -> Option<Box<Expr>> {
        match nodes {
            [] => None,
            [Node::Splat(_)] => Some(Box::new(Expr::Array(self.elements(nodes)))),
            [one] => Some(self.boxed(one)),
            _ => Some(Box::new(Expr::Array(self.elements(nodes)))),
        }
    }

    pub(super) fn condition(&mut self, node: &Node) -> Expr {
        self.expr(node)
    }

    fn branch(&mut self, condition: &Node, then: Option<&Node>, otherwise: Option<&Node>) -> Expr {
        let condition = self.condition(condition);
        let (then, otherwise) = (self.optional(then), self.optional(otherwise));
        Expr::If(Box::new(IfExpr { condition, then, otherwise }))
    }

    fn loop_(&mut self, condition: &Node, body: Option<&Node>, expected: bool, is_body_first: bool) -> Expr {
        self.scope().loops += 1;
        let condition = self.condition(condition);
        let body = self.optional(body);
        self.scope().loops -= 1;
        Expr::While(Box::new(WhileExpr { condition, expected, is_body_first, body }))
    }

    fn for_(&mut self, target: &Node, iterated: &Node, body: Option<&Node>, node: &Node) -> Expr {
        let iterated = self.expr(iterated);
        self.scopes.push(Scope { kind: ScopeKind::For, ..Scope::default() });
        // Several targets take a value apart, one takes it as it is.
        let (parameter, assignment) = match target {
            Node::Mlhs(it) => (Parameter::Nested(Box::new(self.targets(&it.items))), None),
            target => {
                let slot = self.hidden();
                let target = self.target(target);
                let assign = Assign { target, value: Expr::Local(slot) };
                (Parameter::Slot(slot), Some(Expr::Assign(Box::new(assign))))
            }
        };
        let parameters = Parameters { required: [parameter].into(), ..Parameters::default() };
        let body = self.optional(body);
        let body = match assignment {
            Some(assignment) => Expr::Sequence([assignment, body].into()),
            None => body,
        };
        let line = self.line_of(node);
        let block = self.finish_block(parameters, body);
        Expr::For(Box::new(ForExpr { iterated, block, line }))
    }

    fn when(&mut self, node: &Node) -> WhenBranch {
        match node {
            Node::When(it) => {
                WhenBranch { patterns: self.elements(&it.patterns), body: self.optional(it.body.as_deref()) }
            }
            _ => WhenBranch { patterns: Box::default(), body: Expr::Nil },
        }
    }

    /// `begin … rescue … else … ensure … end`, also as the body of a method or block.
    fn begin(&mut self, node: &Node) -> Expr {
        match node {
            Node::Ensure(it) => {
                let ensure = Some(self.optional_after(it.body.as_deref(), it.ensure.as_deref()));
                let (body, ensure) = match ensure {
                    Some((body, ensure)) => (body, ensure),
                    None => (Expr::Nil, Expr::Nil),
                };
                match body {
                    Expr::Begin(mut begin) if begin.ensure.is_none() => {
                        begin.ensure = Some(ensure);
                        Expr::Begin(begin)
                    }
                    body => Expr::Begin(Box::new(BeginExpr {
                        body,
                        rescues: Box::default(),
                        otherwise: None,
                        ensure: Some(ensure),
                    })),
                }
            }
            Node::Rescue(it) => {
                let body = self.optional(it.body.as_deref());
                let rescues = it.rescue_bodies.iter().filter_map(|it| self.rescue(it)).collect();
                let otherwise = it.else_.as_deref().map(|it| self.expr(it));
                Expr::Begin(Box::new(BeginExpr { body, rescues, otherwise, ensure: None }))
            }
            _ => self.unsupported("this block of statements", node),
        }
    }

    fn optional_after(&mut self, first: Option<&Node>, second: Option<&Node>) -> (Expr, Expr) {
        let first = self.optional(first);
        let second = self.optional(second);
        (first, second)
    }

    fn rescue(&mut self, node: &Node) -> Option<Rescue> {
        let Node::RescueBody(it) = node else { return None };
        let classes = match it.exc_list.as_deref() {
            Some(Node::Array(list)) => self.elements(&list.elements),
            Some(one) => [self.element(one)].into(),
            None => Box::default(),
        };
        let target = it.exc_var.as_deref().map(|it| self.target(it));
        let body = self.optional(it.body.as_deref());
        Some(Rescue { classes, target, body })
    }

    /// Keeps the name of the file's first method and its column, which is a place like a line.
    fn note_method(&mut self, name: &str, offset: usize) {
        let line = self.line_starts.partition_point(|start| *start <= offset);
        let start = line.checked_sub(1).and_then(|it| self.line_starts.get(it)).copied().unwrap_or(0);
        let column = crate::program::tree::Line::new(u32::try_from(offset - start).unwrap_or(u32::MAX));
        self.first_method.get_or_insert((Symbol::new(name), column));
    }

    fn define(
        &mut self,
        object: Option<Expr>,
        name: &str,
        arguments: Option<&Node>,
        body: Option<&Node>,
        node: &Node,
    ) -> Expr {
        self.scopes.push(Scope::default());
        let line = self.line_of(node);
        let parameters = self.parameters(arguments, false);
        let body = without_tail_jump(self.optional(body), true);
        let code = Arc::new(self.method_code(Symbol::new(name), parameters, body, line));
        Expr::Define(Box::new(DefineMethod { object, code }))
    }

    fn path(&mut self, node: &Node) -> ConstantPath {
        match node {
            Node::Const(it) => self.constant(it.scope.as_deref(), &it.name, node),
            _ => ConstantPath {
                scope: ConstantScope::Value(self.unsupported("this name of a class", node)),
                name: Symbol::new(""),
                line: self.line_of(node),
            },
        }
    }

    fn class(&mut self, kind: ClassExprKind, name: &str, body: Option<&Node>, node: &Node) -> Expr {
        self.scopes.push(Scope::default());
        let body = self.optional(body);
        let line = self.line_of(node);
        let code: MethodCode = self.method_code(Symbol::new(name), Parameters::default(), body, line);
        Expr::Class(Box::new(ClassExpr { kind, body: Arc::new(code), line }))
    }
}

/// The body with `return value` (in a method) or `next value` (in a block) at its end replaced by the value, which needs no
/// unwinding.
pub(super) fn without_tail_jump(body: Expr, is_method: bool) -> Expr {
    let again = |it: Expr| without_tail_jump(it, is_method);
    match body {
        Expr::Return(value) if is_method => value.map_or(Expr::Nil, |it| again(*it)),
        Expr::Next(value) if !is_method => value.map_or(Expr::Nil, |it| again(*it)),
        Expr::Sequence(items) => {
            let mut items = items.into_vec();
            if let Some(last) = items.pop() {
                items.push(again(last));
            }
            Expr::Sequence(items.into())
        }
        Expr::If(mut it) => {
            it.then = again(std::mem::replace(&mut it.then, Expr::Nil));
            it.otherwise = again(std::mem::replace(&mut it.otherwise, Expr::Nil));
            Expr::If(it)
        }
        Expr::Case(mut it) => {
            for branch in &mut it.branches {
                branch.body = again(std::mem::replace(&mut branch.body, Expr::Nil));
            }
            it.otherwise = again(std::mem::replace(&mut it.otherwise, Expr::Nil));
            Expr::Case(it)
        }
        other => other,
    }
}

/// Whether a condition asks whether the constant is defined that a statement sets.
fn is_guarded(condition: &Node, statement: &Node) -> bool {
    let Node::Defined(asked) = condition else { return false };
    let asked = match &*asked.value {
        Node::Begin(inner) if inner.statements.len() == 1 => &inner.statements[0],
        other => other,
    };
    match (asked, statement) {
        (
            Node::Const(Const { scope: None, name: asked, .. }),
            Node::Casgn(Casgn { scope: None, name: set, value: Some(_), .. }),
        ) => asked == set,
        _ => false,
    }
}
