use lib_ruby_parser::Node;

use super::Lowerer;
use crate::Symbol;
use crate::program::tree::{
    ArrayPattern, CaseIn, Expr, FindPattern, HashPattern, HashRest, InBranch, Pattern, Target,
};

impl Lowerer<'_> {
    /// Lowers `case … in`, `value => pattern` and `value in pattern`.
    pub(super) fn pattern_match(&mut self, node: &Node) -> Expr {
        let line = self.line_of(node);
        match node {
            Node::CaseMatch(it) => {
                let subject = self.expr(&it.expr);
                let branches = it.in_bodies.iter().filter_map(|it| self.in_branch(it)).collect();
                let otherwise = it.else_body.as_deref().map(|it| self.expr(it));
                Expr::CaseIn(Box::new(CaseIn { subject, branches, otherwise, line }))
            }
            Node::MatchPattern(it) => {
                let subject = self.expr(&it.value);
                let branch = InBranch { pattern: self.pattern(&it.pattern), guard: None, body: Expr::Nil };
                Expr::CaseIn(Box::new(CaseIn { subject, branches: [branch].into(), otherwise: None, line }))
            }
            Node::MatchPatternP(it) => {
                let subject = self.expr(&it.value);
                let branch = InBranch { pattern: self.pattern(&it.pattern), guard: None, body: Expr::True };
                let otherwise = Some(Expr::False);
                Expr::CaseIn(Box::new(CaseIn { subject, branches: [branch].into(), otherwise, line }))
            }
            _ => self.unsupported("this pattern", node),
        }
    }

    fn in_branch(&mut self, node: &Node) -> Option<InBranch> {
        let Node::InPattern(it) = node else { return None };
        let pattern = self.pattern(&it.pattern);
        let guard = match it.guard.as_deref() {
            Some(Node::IfGuard(it)) => Some((self.expr(&it.cond), true)),
            Some(Node::UnlessGuard(it)) => Some((self.expr(&it.cond), false)),
            _ => None,
        };
        Some(InBranch { pattern, guard, body: self.optional(it.body.as_deref()) })
    }

    fn pattern(&mut self, node: &Node) -> Pattern {
        match node {
            Node::MatchVar(_) => Pattern::Bind(self.target(node)),
            Node::Pin(it) => Pattern::Value(self.expr(&it.var)),
            Node::MatchAlt(it) => {
                Pattern::Alternatives(Box::new((self.pattern(&it.lhs), self.pattern(&it.rhs))))
            }
            Node::MatchAs(it) => {
                let pattern = self.pattern(&it.value);
                Pattern::Capture(Box::new((pattern, self.target(&it.as_))))
            }
            Node::ArrayPattern(it) => Pattern::Array(Box::new(self.array_pattern(&it.elements))),
            Node::ArrayPatternWithTail(it) => {
                let mut pattern = self.array_pattern(&it.elements);
                pattern.rest.get_or_insert(None);
                Pattern::Array(Box::new(pattern))
            }
            Node::FindPattern(it) => match &it.elements[..] {
                [Node::MatchRest(before), middle @ .., Node::MatchRest(after)] => {
                    let before = before.name.as_deref().map(|it| self.target(it));
                    let middle = middle.iter().map(|it| self.pattern(it)).collect();
                    let after = after.name.as_deref().map(|it| self.target(it));
                    Pattern::Find(Box::new(FindPattern { constant: None, before, middle, after }))
                }
                _ => self.unsupported_pattern(node),
            },
            Node::HashPattern(it) => self.hash_pattern(&it.elements, node),
            Node::ConstPattern(it) => {
                let constant = Some(self.expr(&it.const_));
                match self.pattern(&it.pattern) {
                    Pattern::Array(mut pattern) => {
                        pattern.constant = constant;
                        Pattern::Array(pattern)
                    }
                    Pattern::Find(mut pattern) => {
                        pattern.constant = constant;
                        Pattern::Find(pattern)
                    }
                    Pattern::Hash(mut pattern) => {
                        pattern.constant = constant;
                        Pattern::Hash(pattern)
                    }
                    _ => self.unsupported_pattern(node),
                }
            }
            Node::Begin(it) if it.statements.len() == 1 => self.pattern(&it.statements[0]),
            Node::MatchRest(_) | Node::MatchNilPattern(_) => self.unsupported_pattern(node),
            _ => Pattern::Value(self.expr(node)),
        }
    }

    fn unsupported_pattern(&self, node: &Node) -> Pattern {
        self.unsupported("this pattern", node);
        Pattern::Unsupported(Box::new(("this pattern".to_owned(), self.line_of(node))))
    }

    fn array_pattern(&mut self, nodes: &[Node]) -> ArrayPattern {
        let mut pattern = ArrayPattern::default();
        for node in nodes {
            match node {
                Node::MatchRest(it) => pattern.rest = Some(it.name.as_deref().map(|it| self.target(it))),
                _ => {
                    let item = self.pattern(node);
                    match pattern.rest {
                        None => pattern.before.push(item),
                        Some(_) => pattern.after.push(item),
                    }
                }
            }
        }
        pattern
    }

    fn hash_pattern(&mut self, nodes: &[Node], node: &Node) -> Pattern {
        let mut pattern = HashPattern { constant: None, pairs: Vec::new(), rest: HashRest::Any };
        for item in nodes {
            match item {
                Node::Pair(it) => match self.expr(&it.key) {
                    Expr::Symbol(key) => {
                        let value = self.pattern(&it.value);
                        pattern.pairs.push((key, value));
                    }
                    _ => return self.unsupported_pattern(node),
                },
                // `{ name: }` binds the variable of that name.
                Node::MatchVar(it) => {
                    let (depth, slot) = self.variable(&it.name);
                    let target = Target::Local { depth, slot };
                    pattern.pairs.push((Symbol::new(&it.name), Pattern::Bind(target)));
                }
                Node::MatchRest(it) => match it.name.as_deref() {
                    Some(name) => pattern.rest = HashRest::Bind(self.target(name)),
                    None => pattern.rest = HashRest::Any,
                },
                Node::MatchNilPattern(_) => pattern.rest = HashRest::None,
                _ => return self.unsupported_pattern(node),
            }
        }
        // `{}` matches only the empty hash.
        if pattern.pairs.is_empty() && matches!(pattern.rest, HashRest::Any) && nodes.is_empty() {
            pattern.rest = HashRest::None;
        }
        Pattern::Hash(Box::new(pattern))
    }
}
