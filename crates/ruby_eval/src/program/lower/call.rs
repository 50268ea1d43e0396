use std::sync::Arc;

use lib_ruby_parser::nodes::Send;
use lib_ruby_parser::{Loc, Node};

use super::{Lowerer, Scope, ScopeKind};
use crate::Symbol;
use crate::program::tree::{
    Append, Arguments, Assign, BlockArgument, BlockCode, CallExpr, CallKind, Element, Entry, Expr, Line,
    Operator, Parameters, Part, Receiver, SuperCall, YieldExpr,
};

impl Lowerer<'_> {
    pub(super) fn call(&mut self, node: &Node) -> Expr {
        self.call_with_block(node, None)
    }

    fn call_with_block(&mut self, node: &Node, block: Option<Arc<BlockCode>>) -> Expr {
        match node {
            Node::Send(it) => {
                let line = self.line(it.selector_l.as_ref().unwrap_or(&it.expression_l));
                if let Some(append) = self.append(it.recv.as_deref(), &it.method_name, &it.args, line) {
                    return append;
                }
                if let Some(expr) = self.attribute_assignment(node, it.operator_l.as_ref(), &it.args) {
                    return expr;
                }
                if it.method_name == "!"
                    && it.args.is_empty()
                    && block.is_none()
                    && let Some(value) = it.recv.as_deref()
                {
                    return Expr::Not(Box::new(self.condition(value)));
                }
                if let ("=~", Some(pattern), [value], None) =
                    (&*it.method_name, it.recv.as_deref(), &it.args[..], &block)
                    && let Some(expr) = self.match_assign(pattern, value, node)
                {
                    return expr;
                }
                let receiver = self.receiver(it.recv.as_deref());
                let is_variable = it.recv.is_none() && it.begin_l.is_none() && it.args.is_empty();
                if is_variable
                    && block.is_none()
                    && let Some(variable) = self.captured(&it.method_name)
                {
                    return variable;
                }
                let arguments = self.arguments(&it.args, block);
                let kind = match is_variable && matches!(arguments.block, BlockArgument::None) {
                    true => CallKind::Variable,
                    false => binary_kind(&receiver, &it.method_name, &arguments),
                };
                let name = match is_extreme_of_literal(it, &arguments) {
                    true => Symbol::new(&format!("{} of a literal", it.method_name)),
                    false => Symbol::new(&it.method_name),
                };
                Expr::Call(Box::new(CallExpr { receiver, name, arguments, line, kind }))
            }
            Node::CSend(it) => {
                let line = self.line(it.selector_l.as_ref().unwrap_or(&it.expression_l));
                if let Some(expr) = self.attribute_assignment(node, it.operator_l.as_ref(), &it.args) {
                    return expr;
                }
                let receiver = Receiver::Value(self.expr(&it.recv));
                let arguments = self.arguments(&it.args, block);
                let name = Symbol::new(&it.method_name);
                Expr::Call(Box::new(CallExpr { receiver, name, arguments, line, kind: CallKind::Safe }))
            }
            Node::Index(it) => {
                let line = self.line(&it.begin_l);
                let receiver = self.receiver(Some(&it.recv));
                let arguments = self.arguments(&it.indexes, block);
                let kind = binary_kind(&receiver, "[]", &arguments);
                Expr::Call(Box::new(CallExpr { receiver, name: Symbol::new("[]"), arguments, line, kind }))
            }
            Node::Block(it) => {
                self.mention_node(&it.call);
                let code = self.block_code(it.args.as_deref(), it.body.as_deref(), None);
                self.call_of_block(&it.call, code)
            }
            Node::Numblock(it) => {
                self.mention_node(&it.call);
                let code = self.block_code(None, Some(&it.body), Some(it.numargs));
                self.call_of_block(&it.call, code)
            }
            Node::Super(it) => {
                let line = self.line(&it.keyword_l);
                let arguments = Some(self.arguments(&it.args, block));
                Expr::Super(Box::new(SuperCall { arguments, block: BlockArgument::None, line }))
            }
            Node::ZSuper(_) => {
                let block = block.map_or(BlockArgument::None, BlockArgument::Literal);
                self.implicit_super(block, node)
            }
            Node::Yield(it) => {
                let line = self.line(&it.keyword_l);
                let arguments = self.arguments(&it.args, None);
                Expr::Yield(Box::new(YieldExpr { arguments, line }))
            }
            _ => self.unsupported("this call", node),
        }
    }

    fn call_of_block(&mut self, call: &Node, code: Arc<BlockCode>) -> Expr {
        match call {
            Node::Lambda(_) => Expr::Lambda(code),
            Node::Send(it) if it.recv.is_none() && it.method_name == "lambda" && it.args.is_empty() => {
                Expr::Lambda(code)
            }
            _ => self.call_with_block(call, Some(code)),
        }
    }

    /// Lowers `super` without arguments, which passes on the current values of the method's parameters.
    fn implicit_super(&mut self, block: BlockArgument, node: &Node) -> Expr {
        Expr::Super(Box::new(SuperCall { arguments: None, block, line: self.line_of(node) }))
    }

    fn receiver(&mut self, node: Option<&Node>) -> Receiver {
        match node {
            None => Receiver::Implicit,
            Some(Node::Self_(_)) => Receiver::SelfValue,
            Some(node) => Receiver::Value(self.expr(node)),
        }
    }

    /// Lowers `_erbout << text` in the code that templates are compiled to.
    fn append(
        &mut self,
        receiver: Option<&Node>,
        name: &str,
        arguments: &[Node],
        line: Line,
    ) -> Option<Expr> {
        let (Some(Node::Lvar(buffer)), "<<", [value]) = (receiver, name, arguments) else { return None };
        if !self.is_template || buffer.name != "_erbout" {
            return None;
        }
        let (depth, slot) = self.variable(&buffer.name);
        let value = match value {
            // `"text".freeze`
            Node::Send(it) if it.method_name == "freeze" && it.args.is_empty() => match it.recv.as_deref() {
                Some(Node::Str(text)) => Part::Text(text.value.as_raw().as_slice().into()),
                Some(Node::Dstr(_)) | Some(Node::Heredoc(_)) => match self.expr(it.recv.as_deref()?) {
                    Expr::String(text) => Part::Text(text.bytes),
                    _ => return None,
                },
                _ => return None,
            },
            // `((value).to_s)`
            Node::Begin(it) => match &it.statements[..] {
                [Node::Send(it)] if it.method_name == "to_s" && it.args.is_empty() => {
                    Part::Expr(self.expr(it.recv.as_deref()?))
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(Expr::Append(Box::new(Append { slot, depth, value, line })))
    }

    /// Lowers `receiver.name = value`, whose value is the assigned one.
    fn attribute_assignment(
        &mut self,
        node: &Node,
        operator: Option<&Loc>,
        arguments: &[Node],
    ) -> Option<Expr> {
        operator?;
        let value = match arguments {
            [value] => value,
            _ => return None,
        };
        let target = self.target(node);
        let value = self.expr(value);
        Some(Expr::Assign(Box::new(Assign { target, value })))
    }

    /// A call with plain arguments.
    pub(super) fn plain_call(&mut self, receiver: Expr, name: &str, values: Vec<Expr>, line: Line) -> Expr {
        let receiver = Receiver::Value(receiver);
        let positional = values.into_iter().map(Element::Value).collect();
        let arguments = Arguments { positional, ..Arguments::default() };
        let kind = binary_kind(&receiver, name, &arguments);
        Expr::Call(Box::new(CallExpr { receiver, name: Symbol::new(name), arguments, line, kind }))
    }

    /// The arguments of a call, with the block that follows them.
    pub(super) fn arguments(&mut self, nodes: &[Node], block: Option<Arc<BlockCode>>) -> Arguments {
        let mut positional = Vec::with_capacity(nodes.len());
        let mut keywords = None;
        let mut passed = block.map_or(BlockArgument::None, BlockArgument::Literal);
        for node in nodes {
            match node {
                Node::Kwargs(it) => keywords = Some(self.entries(&it.pairs)),
                Node::BlockPass(it) => {
                    let value = match it.value.as_deref() {
                        Some(value) => self.expr(value),
                        None => self.anonymous_block(node),
                    };
                    passed = BlockArgument::Pass(Box::new(value));
                }
                Node::ForwardedArgs(_) => {
                    positional.push(Element::Splat(self.anonymous_rest(node)));
                    if let Some(slot) = self.anonymous(|it| it.keyword_rest) {
                        keywords = Some([Entry::Splat(slot)].into());
                    }
                    passed = BlockArgument::Pass(Box::new(self.anonymous_block(node)));
                }
                _ => positional.push(self.element(node)),
            }
        }
        let has_splat = positional.iter().any(|it| matches!(it, Element::Splat(_)));
        Arguments { positional: positional.into(), has_splat, keywords, block: passed }
    }

    pub(super) fn anonymous_rest(&mut self, node: &Node) -> Expr {
        self.anonymous(|it| it.rest).unwrap_or_else(|| self.unsupported("`*` without a value", node))
    }

    fn anonymous_block(&mut self, node: &Node) -> Expr {
        self.anonymous(|it| it.block).unwrap_or_else(|| self.unsupported("`&` without a value", node))
    }

    /// The hidden variable of a parameter without a name.
    fn anonymous(&self, select: impl Fn(&super::Anonymous) -> Option<u32>) -> Option<Expr> {
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = select(&scope.anonymous) {
                return Some(match u32::try_from(depth).ok()? {
                    0 => Expr::Local(slot),
                    depth => Expr::Outer { depth, slot },
                });
            }
            if scope.kind == ScopeKind::Method {
                break;
            }
        }
        None
    }

    /// The code of a block.
    fn block_code(
        &mut self,
        arguments: Option<&Node>,
        body: Option<&Node>,
        numbered: Option<u8>,
    ) -> Arc<BlockCode> {
        self.scopes.push(Scope { kind: ScopeKind::Block, ..Scope::default() });
        let parameters = match numbered {
            None => self.parameters(arguments, true),
            Some(count) => {
                let names: Vec<u32> = (1..=count).map(|it| self.declare(&format!("_{it}"))).collect();
                Parameters {
                    required: names.into_iter().map(crate::program::tree::Parameter::Slot).collect(),
                    is_plain: true,
                    is_spread: count > 1,
                    ..Parameters::default()
                }
            }
        };
        let body = self.optional(body);
        self.finish_block(parameters, body)
    }

    /// Closes the innermost scope and creates the code of a block from it.
    pub(super) fn finish_block(&mut self, parameters: Parameters, body: Expr) -> Arc<BlockCode> {
        let scope = self.scopes.pop().unwrap_or_default();
        Arc::new(BlockCode {
            parameters,
            locals: scope.names.into(),
            body: super::control::without_tail_jump(body, false),
        })
    }
}

/// Whether a call is `[…].min` or `[…].max` of an array that Ruby does not create, but compares its elements right away,
/// in the other direction. Arrays of numbers, symbols and the like are constants, which it creates.
fn is_extreme_of_literal(call: &Send, arguments: &Arguments) -> bool {
    let Some(Node::Array(array)) = call.recv.as_deref() else { return false };
    let is_constant = |it: &Node| {
        matches!(
            it,
            Node::Int(_) | Node::Float(_) | Node::Sym(_) | Node::Nil(_) | Node::True(_) | Node::False(_)
        )
    };
    // Ruby inserts the elements of `*[…]` itself.
    let is_spread = |it: &Node| match it {
        Node::Splat(it) => !matches!(it.value.as_deref(), Some(Node::Array(_))),
        other => matches!(other, Node::Kwargs(_)),
    };
    matches!(&*call.method_name, "min" | "max")
        && call.args.is_empty()
        && matches!(arguments.block, BlockArgument::None)
        && !array.elements.iter().all(is_constant)
        && !array.elements.iter().any(is_spread)
}

fn binary_kind(receiver: &Receiver, name: &str, arguments: &Arguments) -> CallKind {
    let [Element::Value(_)] = &arguments.positional[..] else { return CallKind::Other };
    let is_plain = arguments.keywords.is_none() && matches!(arguments.block, BlockArgument::None);
    if !is_plain || !matches!(receiver, Receiver::Value(_)) {
        return CallKind::Other;
    }
    CallKind::Binary(Operator::named(name))
}
