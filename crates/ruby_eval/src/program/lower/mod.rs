//! Lowering of the parser's tree to the resolved one.

mod assign;
mod call;
mod control;
mod literal;
mod parameters;
mod pattern;

use std::cell::RefCell;
use std::sync::Arc;

use lib_ruby_parser::{Loc, Node};

use super::tree::{Expr, Line, MethodCode, Parameters, Slot, Source};
use crate::Symbol;

/// The maximal nesting of expressions.
const DEPTH: u32 = 1000;

/// The state of lowering one file.
pub(super) struct Lowerer<'a> {
    source: Arc<Source>,
    /// The offsets at which lines start.
    line_starts: &'a [usize],
    has_frozen_strings: bool,
    /// Whether the file is a template, in which text is appended to `_erbout`.
    is_template: bool,
    scopes: Vec<Scope>,
    depth: u32,
    mentions: RefCell<Vec<Mention>>,
    /// The name of the first method that the file defines, and the column of the name.
    first_method: Option<(Symbol, Line)>,
}

/// Something that a file mentions.
#[derive(Clone, Debug)]
pub(crate) enum Mention {
    /// A construct that is not implemented.
    Unsupported { construct: String, line: u32 },
    /// A name that stands alone, and is no local variable: a call without receiver, arguments and parentheses.
    Alone { name: String, line: u32 },
    /// A local variable that is assigned, or a parameter that is read.
    Local { name: String },
    /// A constant by its path.
    Constant { name: String, line: u32 },
    /// A call.
    Call {
        /// The path of the constant that is the receiver.
        receiver: Option<String>,
        /// Whether there is a receiver.
        has_receiver: bool,
        name: String,
        line: u32,
        /// Whether the receiver is called `scope`.
        on_scope: bool,
        /// The text that is the first argument.
        text: Option<String>,
    },
}

/// The local variables of a method, class body or block.
#[derive(Default)]
struct Scope {
    names: Vec<Symbol>,
    kind: ScopeKind,
    /// The number of `while` and `until` loops of this scope around the current expression.
    loops: u32,
    /// Variables that named groups of a regular expression assign, which the parser takes for calls.
    captured: Vec<Symbol>,
    /// The parameters that `...`, `*`, `**` and `&` without names pass on.
    anonymous: Anonymous,
}

#[derive(Clone, Copy, Default)]
struct Anonymous {
    rest: Option<Slot>,
    keyword_rest: Option<Slot>,
    block: Option<Slot>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum ScopeKind {
    /// A method, class body or file: outer variables are not visible.
    #[default]
    Method,
    /// A block: it sees the variables around it.
    Block,
    /// The body of `for`: new variables belong to the enclosing scope.
    For,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(
        source: Arc<Source>,
        line_starts: &'a [usize],
        has_frozen_strings: bool,
        is_template: bool,
    ) -> Lowerer<'a> {
        Lowerer {
            source,
            line_starts,
            has_frozen_strings,
            is_template,
            scopes: Vec::new(),
            depth: 0,
            mentions: RefCell::default(),
            first_method: None,
        }
    }

    /// The name of the first method that the file defines, and the column of the name.
    pub(super) fn first_method(&self) -> Option<(Symbol, Line)> {
        self.first_method
    }

    /// Returns the mentions of the file.
    pub(super) fn into_mentions(self) -> Vec<Mention> {
        self.mentions.into_inner()
    }

    fn mention(&self, mention: Mention) {
        self.mentions.borrow_mut().push(mention);
    }

    /// Records a call or a constant.
    fn mention_node(&self, node: &Node) {
        match node {
            Node::Send(it) => {
                let line = self.line(it.selector_l.as_ref().unwrap_or(&it.expression_l)).number();
                if it.recv.is_none() && it.args.is_empty() && it.begin_l.is_none() {
                    self.mention(Mention::Alone { name: it.method_name.clone(), line });
                }
                self.mention_call(it.recv.as_deref(), &it.method_name, &it.args, line);
            }
            Node::CSend(it) => {
                self.mention_call(Some(&it.recv), &it.method_name, &it.args, self.line_of(node).number());
            }
            Node::Lvar(it) => self.mention(Mention::Local { name: it.name.clone() }),
            Node::Lvasgn(it) => self.mention(Mention::Local { name: it.name.clone() }),
            Node::Const(_) => {
                if let Some(name) = path_of(node) {
                    self.mention(Mention::Constant { name, line: self.line_of(node).number() });
                }
            }
            _ => {}
        }
    }

    fn mention_call(&self, receiver: Option<&Node>, name: &str, arguments: &[Node], line: u32) {
        let on_scope = match receiver {
            Some(Node::Send(it)) => matches!(&*it.method_name, "scope" | "closure_scope"),
            Some(Node::Lvar(it)) => it.name == "scope",
            _ => false,
        };
        let text = match arguments.first() {
            Some(Node::Str(it)) => it.value.to_string().ok(),
            _ => None,
        };
        let has_receiver = receiver.is_some();
        let receiver = receiver.and_then(path_of);
        self.mention(Mention::Call { receiver, has_receiver, name: name.to_owned(), line, on_scope, text });
    }

    /// The code of a whole file.
    pub(super) fn file(&mut self, node: Option<&Node>) -> MethodCode {
        self.scopes.push(Scope::default());
        let body = self.optional(node);
        self.method_code(Symbol::new("<main>"), Parameters::default(), body, Line::new(1))
    }

    /// Closes the innermost scope and makes the code of it.
    fn method_code(&mut self, name: Symbol, parameters: Parameters, body: Expr, line: Line) -> MethodCode {
        let scope = self.scopes.pop().unwrap_or_default();
        MethodCode {
            name,
            parameters,
            locals: scope.names.into(),
            body,
            source: Arc::clone(&self.source),
            line,
        }
    }

    fn line(&self, loc: &Loc) -> Line {
        let line = self.line_starts.partition_point(|start| *start <= loc.begin);
        Line::new(u32::try_from(line).unwrap_or(u32::MAX))
    }

    fn line_of(&self, node: &Node) -> Line {
        self.line(node.expression())
    }

    fn unsupported(&self, construct: impl Into<String>, node: &Node) -> Expr {
        let (construct, line) = (construct.into(), self.line_of(node));
        self.mention(Mention::Unsupported { construct: construct.clone(), line: line.number() });
        Expr::Unsupported(Box::new((construct, line)))
    }

    /// The variable of a name as seen from the innermost scope.
    fn resolve(&self, name: Symbol) -> Option<(u32, Slot)> {
        for (depth, scope) in self.scopes.iter().rev().enumerate() {
            if let Some(slot) = scope.names.iter().position(|it| *it == name) {
                return Some((u32::try_from(depth).ok()?, u32::try_from(slot).ok()?));
            }
            if scope.kind == ScopeKind::Method {
                break;
            }
        }
        None
    }

    /// The variable of a name, created if it does not exist.
    fn variable(&mut self, name: &str) -> (u32, Slot) {
        let symbol = Symbol::new(name);
        if let Some(found) = self.resolve(symbol) {
            return found;
        }
        let owner = self.scopes.iter().rposition(|it| it.kind != ScopeKind::For).unwrap_or(0);
        let depth = u32::try_from(self.scopes.len() - 1 - owner).unwrap_or(0);
        (depth, self.declare_in(owner, symbol))
    }

    /// Creates a variable of the innermost scope, which shadows others of its name.
    fn declare(&mut self, name: &str) -> Slot {
        self.declare_in(self.scopes.len() - 1, Symbol::new(name))
    }

    /// Creates a variable without a name.
    fn hidden(&mut self) -> Slot {
        self.declare("")
    }

    fn declare_in(&mut self, scope: usize, name: Symbol) -> Slot {
        let names = &mut self.scopes[scope].names;
        names.push(name);
        u32::try_from(names.len() - 1).unwrap_or(u32::MAX)
    }

    fn scope(&mut self) -> &mut Scope {
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    fn optional(&mut self, node: Option<&Node>) -> Expr {
        node.map_or(Expr::Nil, |node| self.expr(node))
    }

    fn boxed(&mut self, node: &Node) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    fn sequence(&mut self, nodes: &[Node]) -> Expr {
        match nodes {
            [] => Expr::Nil,
            [one] => self.expr(one),
            _ => Expr::Sequence(nodes.iter().map(|it| self.expr(it)).collect()),
        }
    }

    /// Lowers an expression.
    fn expr(&mut self, node: &Node) -> Expr {
        if self.depth >= DEPTH {
            return self.unsupported("code that is nested too deeply", node);
        }
        self.depth += 1;
        let expr = self.any_expr(node);
        self.depth -= 1;
        expr
    }

    fn any_expr(&mut self, node: &Node) -> Expr {
        self.mention_node(node);
        match node {
            Node::Nil(_) => Expr::Nil,
            Node::True(_) => Expr::True,
            Node::False(_) => Expr::False,
            Node::Self_(_) => Expr::SelfValue,
            Node::Begin(it) => self.sequence(&it.statements),
            Node::KwBegin(it) => self.sequence(&it.statements),
            Node::EmptyElse(_) => Expr::Nil,
            Node::Int(_)
            | Node::Float(_)
            | Node::Rational(_)
            | Node::Complex(_)
            | Node::Str(_)
            | Node::Dstr(_)
            | Node::Heredoc(_)
            | Node::Xstr(_)
            | Node::XHeredoc(_)
            | Node::Sym(_)
            | Node::Dsym(_)
            | Node::Regexp(_)
            | Node::Array(_)
            | Node::Hash(_)
            | Node::Kwargs(_)
            | Node::Irange(_)
            | Node::Erange(_)
            | Node::File(_)
            | Node::Line(_)
            | Node::Encoding(_) => self.literal(node),
            Node::Lvar(_)
            | Node::Ivar(_)
            | Node::Cvar(_)
            | Node::Gvar(_)
            | Node::BackRef(_)
            | Node::NthRef(_)
            | Node::Const(_)
            | Node::Cbase(_) => self.variable_expr(node),
            Node::Lvasgn(_)
            | Node::Ivasgn(_)
            | Node::Cvasgn(_)
            | Node::Gvasgn(_)
            | Node::Casgn(_)
            | Node::IndexAsgn(_)
            | Node::Masgn(_)
            | Node::OpAsgn(_)
            | Node::OrAsgn(_)
            | Node::AndAsgn(_)
            | Node::MatchWithLvasgn(_) => self.assignment(node),
            Node::Send(_)
            | Node::CSend(_)
            | Node::Index(_)
            | Node::Block(_)
            | Node::Numblock(_)
            | Node::Super(_)
            | Node::ZSuper(_)
            | Node::Yield(_)
            | Node::Lambda(_) => self.call(node),
            Node::CaseMatch(_) | Node::MatchPattern(_) | Node::MatchPatternP(_) => self.pattern_match(node),
            _ => self.control(node),
        }
    }
}

/// Returns the path of a constant: `A::B`.
fn path_of(node: &Node) -> Option<String> {
    let Node::Const(it) = node else { return None };
    match it.scope.as_deref() {
        None | Some(Node::Cbase(_)) => Some(it.name.clone()),
        Some(scope) => Some(format!("{}::{}", path_of(scope)?, it.name)),
    }
}
