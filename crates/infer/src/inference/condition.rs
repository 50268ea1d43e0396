//! `if`, `unless`, `case` and selectors.

use marotte_hir::ExprId;
use marotte_hir::body::{BinaryOp, Body, Callee, Case, Choice, Expr, Selector};
use marotte_pcore::relation::matches;
use marotte_pcore::types::{Type, TypeKind};
use marotte_pcore::value::Value;
use marotte_resolve::dialect;
use marotte_text::unrooted;

use super::builder::InferenceBuilder;
use super::constant::{constant, values};
use super::known::{Known, union};
use super::scope::{Branch, Narrowings};
use super::truth::truth;

/// The alternatives of a condition after which evaluation continues.
struct Ways {
    /// The mark at which the condition starts.
    start: usize,
    branches: Vec<Branch>,
    results: Vec<Known>,
    /// The narrowings at the end of the alternative, if it is the only one.
    narrowings: Option<Narrowings>,
}

impl InferenceBuilder<'_> {
    /// `if`; or `unless`, whose test must fail.
    pub(super) fn choice(&mut self, choice: &Choice, wanted: bool) -> Known {
        // The code after an arm is evaluated only if the arm's test failed.
        let mut ways = self.ways();
        let mut decided = false;
        for (index, arm) in choice.arms.iter().enumerate() {
            let test = self.expr(arm.test);
            if !self.reachable {
                break;
            }
            let known = test.as_ref().and_then(truth);
            if known != Some(!wanted) || !self.is_literal(arm.test) {
                self.way(&mut ways, |walk| {
                    walk.assume(arm.test, wanted);
                    walk.block(&arm.body)
                });
            }
            self.assume(arm.test, !wanted);
            let earlier = choice.arms.iter().take(index);
            decided = known == Some(wanted) && self.is_literal(arm.test)
                || wanted && earlier.into_iter().any(|it| is_negation(self.body, it.test, arm.test));
            if decided {
                break;
            }
        }
        if self.reachable && !decided {
            self.way(&mut ways, |walk| match &choice.otherwise {
                Some(block) => walk.block(block),
                None => Some(Type::undef()),
            });
        }
        self.finish(ways)
    }

    pub(super) fn case(&mut self, case: &Case) -> Known {
        self.expr(case.test);
        if !self.reachable {
            return None;
        }
        let mut ways = self.ways();
        let mut default = None;
        for option in &case.options {
            for value in &option.values {
                if !matches!(self.body.expr(*value), Expr::Default) {
                    self.expr(*value);
                }
            }
            if option.values.iter().any(|it| matches!(self.body.expr(*it), Expr::Default)) {
                default = Some(option);
                // It matches what nothing else does, as well as its own other values.
                continue;
            }
            self.way(&mut ways, |walk| {
                walk.assume_options(case.test, &option.values, true);
                walk.block(&option.body)
            });
            self.assume_options(case.test, &option.values, false);
        }
        let others = ways.branches.len();
        self.way(&mut ways, |walk| match default {
            Some(option) => walk.block(&option.body),
            None => Some(Type::undef()),
        });
        if others > 0 && default.is_none() && self.has_option_for_all_texts(case) {
            ways.branches.truncate(others);
        }
        if others > 0 && self.has_option_for_all(case) {
            // Nothing is left for it.
            ways.branches.truncate(others);
            ways.results.truncate(others);
        }
        self.finish(ways)
    }

    /// Whether each value that there may be has an option.
    fn has_option_for_all(&self, case: &Case) -> bool {
        let type_of = |id: ExprId| self.types[id.index()].as_ref();
        let Some(mut left) = type_of(case.test).and_then(values) else { return false };
        for option in case.options.iter().flat_map(|it| &it.values) {
            let pattern = match type_of(*option).map(Type::kind) {
                Some(TypeKind::Type(Some(it))) => Some(Value::Type(it.clone())),
                _ => type_of(*option).and_then(constant),
            };
            if let Some(pattern) = pattern.filter(|it| *it != Value::Default) {
                left.retain(|it| !matches(dialect(), it, &pattern));
            }
        }
        left.is_empty()
    }

    /// Whether an option matches each text, and the value may be nothing else, as far as is known.
    fn has_option_for_all_texts(&self, case: &Case) -> bool {
        let known = self.types[case.test.index()].as_ref();
        let may_be_text_only = known.is_none_or(|it| {
            matches!(it.resolved().kind(), TypeKind::String(_) | TypeKind::Enum(_) | TypeKind::Pattern(_))
        });
        let is_any = |it: &ExprId| matches!(self.body.expr(*it), Expr::Regexp(source) if is_anything(source));
        may_be_text_only && case.options.iter().flat_map(|it| &it.values).any(is_any)
    }

    pub(super) fn selector(&mut self, selector: &Selector) -> Known {
        self.expr(selector.test);
        if !self.reachable {
            return None;
        }
        let mut ways = self.ways();
        let mut default = None;
        for (key, value) in &selector.entries {
            if matches!(self.body.expr(*key), Expr::Default) {
                default = Some(*value);
                continue;
            }
            self.expr(*key);
            self.way(&mut ways, |walk| {
                walk.assume_options(selector.test, &[*key], true);
                walk.expr(*value)
            });
            self.assume_options(selector.test, &[*key], false);
        }
        // Without a default, an unmatched value is an error.
        if let Some(value) = default {
            self.way(&mut ways, |walk| walk.expr(value));
        }
        self.finish(ways)
    }

    fn ways(&self) -> Ways {
        Ways { start: self.scopes.mark(), branches: Vec::new(), results: Vec::new(), narrowings: None }
    }

    /// Walks one alternative, and then undoes its effects.
    fn way(&mut self, ways: &mut Ways, walk: impl FnOnce(&mut Self) -> Known) {
        let mark = self.scopes.mark();
        let result = walk(self);
        let is_first = ways.branches.is_empty();
        let narrowings = is_first.then(|| self.scopes.narrowings(ways.start));
        let branch = self.scopes.cut(mark);
        if std::mem::replace(&mut self.reachable, true) {
            ways.branches.push(branch);
            ways.results.push(result);
            ways.narrowings = narrowings;
        }
    }

    /// Joins the alternatives after which evaluation continues; if there is none, the code after them is unreachable.
    fn finish(&mut self, mut ways: Ways) -> Known {
        if ways.branches.is_empty() {
            self.reachable = false;
            return None;
        }
        // Variables set by the tests are kept; their narrowings are kept only if a single alternative continues.
        let set = self.scopes.cut(ways.start);
        self.scopes.join(vec![set]);
        if let [_] = ways.branches[..]
            && let Some(narrowings) = ways.narrowings.take()
        {
            self.scopes.apply(narrowings);
        }
        self.scopes.join(ways.branches);
        union(ways.results)
    }

    /// Whether the result of a condition follows from the text alone, so that the other alternative is dead code: the condition
    /// is literally `true` or `false`, or checks whether a variable exists.
    fn is_literal(&self, id: ExprId) -> bool {
        match self.body.expr(id) {
            Expr::Boolean(_) => true,
            Expr::Not(operand) => self.is_literal(*operand),
            Expr::Call(call) => {
                matches!(&call.callee, Callee::Function(name) if unrooted(name) == "defined")
            }
            _ => false,
        }
    }
}

/// Whether one of two conditions holds exactly where the other one does not: `$a` and `!$a`, `$a == 1` and `$a != 1`.
fn is_negation(body: &Body, one: ExprId, other: ExprId) -> bool {
    let is_same = |one: ExprId, other: ExprId| {
        let is_leaf = matches!(
            body.expr(one),
            Expr::Variable(_) | Expr::String(_) | Expr::Integer(_) | Expr::Boolean(_) | Expr::Undef
        );
        is_leaf && body.expr(one) == body.expr(other)
    };
    match (body.expr(one), body.expr(other)) {
        (Expr::Not(inner), _) => is_same(*inner, other),
        (_, Expr::Not(inner)) => is_same(*inner, one),
        (Expr::Binary(one), Expr::Binary(other)) => {
            matches!(
                (one.op, other.op),
                (BinaryOp::Equal, BinaryOp::NotEqual) | (BinaryOp::NotEqual, BinaryOp::Equal)
            ) && is_same(one.left, other.left)
                && is_same(one.right, other.right)
        }
        _ => false,
    }
}

/// Whether a regular expression is one of the usual ones that match each text.
fn is_anything(source: &str) -> bool {
    matches!(source, "" | ".*" | "^.*" | ".*$" | "^.*$" | "(.*)" | "^(.*)" | "(.*)$" | "^(.*)$")
}
