//! `unresolved-variable` for `$0`, `$1`, …: a group is read that no regular expression has matched in this scope.
//!
//! A match sets these variables until the end of the conditional, the `case`, the selector or the lambda in which it is made; one that
//! fails leaves them as they are.

use marotte_diagnostics::{Level, rules};
use marotte_hir::body::{BinaryOp, Body, Choice, Expr, LambdaId, Variable, When, parts};
use marotte_hir::{ExprId, ItemKind};
use marotte_pcore::regexp::Regexp;

use crate::context::{At, Context};

pub(in crate::rules) fn check(context: &mut Context<'_, '_>) {
    // A template may read the groups of the code that renders it.
    let reads = |expr: &Expr| matches!(expr, Expr::Variable(it) if matches!(**it, Variable::Group(_)));
    if context.item.kind(context.db) == ItemKind::Template || !context.body.exprs().any(|(_, it)| reads(it)) {
        return;
    }
    let mut walk = Walk { body: context.body, found: Vec::new() };
    // The name of a node may be a regular expression, whose groups its code reads.
    let is_node = matches!(context.item.kind(context.db), ItemKind::Node(_));
    let mut set = if is_node { Groups::ANY } else { Groups::NONE };
    for parameter in &walk.body.parameters {
        parameter.default.into_iter().for_each(|id| walk.expr(id, &mut set));
    }
    walk.block(&walk.body.statements, &mut set);
    for (id, group, set) in walk.found {
        if context.inference().is_unreachable(id) {
            continue;
        }
        let (message, label) = match set {
            Groups(None) => (
                format!("no regular expression is matched before `${group}` is read"),
                "has no value here".to_owned(),
            ),
            Groups(Some(count)) => (
                format!("the regular expression that is matched last has no group {group}"),
                match count {
                    0 => "it has no groups".to_owned(),
                    1 => "it has one group".to_owned(),
                    _ => format!("it has {count} groups"),
                },
            ),
        };
        let finding = context.report(rules::UNRESOLVED_VARIABLE, At::Expr(id), message);
        finding.level = Level::Warning;
        finding.label = Some(label);
        finding.notes.push(
            "the groups of a match are known until the end of the `if`, `case`, selector or lambda that makes it"
                .to_owned(),
        );
    }
}

/// The highest number of a group that the matches so far may have set; `None` if there was no match. `u32::MAX` if it is unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Groups(Option<u32>);

impl Groups {
    const NONE: Groups = Groups(None);
    const ANY: Groups = Groups(Some(u32::MAX));
}

struct Walk<'b> {
    body: &'b Body,
    /// The groups that are read and never set, with those that may be set.
    found: Vec<(ExprId, u32, Groups)>,
}

impl<'b> Walk<'b> {
    fn block(&mut self, block: &'b [ExprId], set: &mut Groups) {
        block.iter().for_each(|id| self.expr(*id, set));
    }

    /// Visits an expression and its parts in the order of evaluation. Parts that may be left out count as evaluated.
    fn expr(&mut self, id: ExprId, set: &mut Groups) {
        let body = self.body;
        match body.expr(id) {
            Expr::Variable(it) => {
                if let Variable::Group(group) = **it
                    && Groups(Some(group)) > *set
                {
                    self.found.push((id, group, *set));
                }
            }
            Expr::Binary(it) => {
                self.expr(it.left, set);
                self.expr(it.right, set);
                *set = (*set).max(match it.op {
                    BinaryOp::Match | BinaryOp::NoMatch => self.matched(it.right),
                    BinaryOp::In => self.compared(it.left).max(self.compared(it.right)),
                    _ => Groups::NONE,
                });
            }
            Expr::If(it) => self.choice(it, true, *set),
            Expr::Unless(it) => self.choice(it, false, *set),
            Expr::Case(it) => {
                let mut tested = *set;
                self.expr(it.test, &mut tested);
                for option in &it.options {
                    let mut chosen = tested;
                    for value in &option.values {
                        self.expr(*value, &mut tested);
                        chosen = chosen.max(self.compared(*value));
                    }
                    // The option was chosen because one of its regular expressions matches.
                    let is_pattern = |it: &ExprId| matches!(body.expr(*it), Expr::Regexp(_));
                    let patterns = option.values.iter().map(|it| self.compared(*it)).max();
                    chosen = match patterns {
                        Some(patterns) if option.values.iter().all(is_pattern) => patterns,
                        _ => chosen.max(tested),
                    };
                    self.block(&option.body, &mut chosen);
                }
            }
            Expr::Selector(it) => {
                let mut tested = *set;
                self.expr(it.test, &mut tested);
                for (key, value) in &it.entries {
                    self.expr(*key, &mut tested);
                    let mut chosen = match body.expr(*key) {
                        Expr::Regexp(_) => self.compared(*key),
                        _ => tested.max(self.compared(*key)),
                    };
                    self.expr(*value, &mut chosen);
                }
            }
            expr => {
                let mut lambda: Option<LambdaId> = None;
                parts(body, expr, &mut |part, when| match when {
                    When::Called(id) => lambda = Some(id),
                    When::Always | When::Sometimes(_) => self.expr(part, set),
                });
                if let Some(lambda) = lambda {
                    let mut inner = *set;
                    self.block(&body.lambda(lambda).statements, &mut inner);
                }
            }
        }
    }

    /// Visits the branches of `if` and, if `wanted` is false, of `unless`.
    fn choice(&mut self, choice: &'b Choice, wanted: bool, mut set: Groups) {
        for arm in &choice.arms {
            let before = set;
            self.expr(arm.test, &mut set);
            // A match that is the whole condition, and fails, sets nothing.
            // One that succeeds replaces all groups of earlier ones.
            let (mut chosen, rest) = match self.outcome(arm.test) {
                Some(outcome) if outcome == wanted => (self.last(arm.test).unwrap_or(set), before),
                Some(_) => (before, self.last(arm.test).unwrap_or(set)),
                None if wanted => (self.last(arm.test).unwrap_or(set), set),
                None => (set, set),
            };
            self.block(&arm.body, &mut chosen);
            set = rest;
        }
        if let Some(otherwise) = &choice.otherwise {
            self.block(otherwise, &mut set);
        }
    }

    /// The groups of the last match of a condition, in the code that runs because of this match. None if another part of the
    /// condition may match afterwards.
    fn last(&self, test: ExprId) -> Option<Groups> {
        match self.body.expr(test) {
            Expr::Not(inner) => self.outcome(*inner).and_then(|_| self.last(*inner)),
            Expr::Binary(it)
                if matches!(it.op, BinaryOp::Match | BinaryOp::NoMatch)
                    && !self.may_match(it.left)
                    && !self.may_match(it.right) =>
            {
                Some(self.matched(it.right)).filter(|it| *it > Groups::NONE)
            }
            Expr::And(_, right) if self.is_match(*right) => self.last(*right),
            Expr::And(left, right) if !self.may_match(*right) => {
                self.last(*left).filter(|_| self.is_match(*left))
            }
            _ => None,
        }
    }

    /// Whether an expression is true only if a regular expression matches.
    fn is_match(&self, test: ExprId) -> bool {
        match self.body.expr(test) {
            Expr::Binary(it) => it.op == BinaryOp::Match,
            Expr::And(left, right) => {
                self.is_match(*right) || self.is_match(*left) && !self.may_match(*right)
            }
            _ => false,
        }
    }

    /// The value of a condition if the match that it consists of succeeds. None if it does not consist of one.
    fn outcome(&self, test: ExprId) -> Option<bool> {
        match self.body.expr(test) {
            Expr::Not(inner) => self.outcome(*inner).map(|it| !it),
            Expr::Binary(it) if !self.may_match(it.left) && !self.may_match(it.right) => match it.op {
                BinaryOp::Match => Some(true),
                BinaryOp::NoMatch => Some(false),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an operand of a match may itself make one: whether it is more than a name or a literal.
    fn may_match(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::Access { target, keys } => {
                self.may_match(*target) || keys.iter().any(|it| self.may_match(*it))
            }
            Expr::Variable(_) | Expr::String(_) | Expr::Regexp(_) | Expr::Reference(_) | Expr::Integer(_) => {
                false
            }
            _ => true,
        }
    }

    /// The groups that a successful match against the right operand of `=~` sets. Types are no patterns.
    fn matched(&self, pattern: ExprId) -> Groups {
        match self.body.expr(pattern) {
            Expr::Regexp(source) | Expr::String(source) => groups(source),
            Expr::Reference(_) => Groups::NONE,
            Expr::Access { target, .. } if matches!(self.body.expr(*target), Expr::Reference(_)) => {
                Groups::NONE
            }
            _ => Groups::ANY,
        }
    }

    /// The groups that a successful comparison with an option, or with an operand of `in`, sets.
    fn compared(&self, option: ExprId) -> Groups {
        match self.body.expr(option) {
            Expr::Regexp(source) => groups(source),
            Expr::Array(elements) => {
                elements.iter().map(|it| self.compared(*it)).max().unwrap_or(Groups::NONE)
            }
            Expr::String(_)
            | Expr::Interpolated(_)
            | Expr::Integer(_)
            | Expr::Float(_)
            | Expr::Boolean(_)
            | Expr::Undef
            | Expr::Default
            | Expr::Reference(_) => Groups::NONE,
            Expr::Access { target, .. } if matches!(self.body.expr(*target), Expr::Reference(_)) => {
                Groups::NONE
            }
            _ => Groups::ANY,
        }
    }
}

/// The groups of a regular expression.
fn groups(source: &str) -> Groups {
    match Regexp::new(source) {
        Ok(regexp) => Groups(Some(u32::try_from(regexp.group_count()).unwrap_or(u32::MAX))),
        Err(_) => Groups::ANY,
    }
}
