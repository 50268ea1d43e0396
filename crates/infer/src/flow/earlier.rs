//! The earliest of several expressions that is certain to be evaluated together with a later one.

use std::collections::VecDeque;

use foldhash::HashMap;
use marotte_hir::ExprId;

use super::{Branch, Flow, Leaving};

/// Expressions of a body that are added in order, each to a [`Group`] of those that are compared with each other.
///
/// A call that leaves the body separates the expressions before it from those after it, unless these are on an enclosed branch. Each
/// expression is separated once, so that neither many expressions nor many such calls are compared pairwise.
#[derive(Debug)]
pub struct Earlier<'f> {
    flow: &'f Flow,
    /// Whether a leaving call has separated each expression from what follows on enclosing branches.
    separated: Vec<bool>,
    /// The branches on which there are expressions that no call has separated, and those around them.
    connected: HashMap<Branch, Connected>,
    /// The number of leaving calls that are still to come. The flow has the last of them first.
    coming: usize,
}

/// Expressions that are compared with each other, such as the declarations of one resource.
#[derive(Debug, Default)]
pub struct Group {
    /// The first expression on each branch.
    first: HashMap<Branch, usize>,
    /// The expressions on a branch and inside it.
    inside: HashMap<Branch, VecDeque<usize>>,
}

/// A branch on which, or inside which, there are expressions that no call has separated.
#[derive(Debug, Default)]
struct Connected {
    /// The expressions on the branch itself.
    own: Vec<usize>,
    /// The branches inside it. May name some that are connected no more.
    inner: Alternatives,
    /// The branches inside it where only expressions in lambdas are connected.
    lambdas: Alternatives,
    /// Whether the enclosing branch names it where it belongs.
    is_named: bool,
}

/// Branches by the choice of which they are alternatives.
type Alternatives = HashMap<Option<ExprId>, Vec<Branch>>;

impl<'f> Earlier<'f> {
    /// Starts without any expression.
    pub fn new(flow: &'f Flow) -> Earlier<'f> {
        Earlier { flow, separated: Vec::new(), connected: HashMap::default(), coming: flow.leaving.len() }
    }

    /// Adds an expression to a group. Returns its number among those that were added to any group.
    pub fn add(&mut self, group: &mut Group, id: ExprId) -> usize {
        self.advance(id);
        let number = self.separated.len();
        self.separated.push(false);
        let here = self.flow.of(id);
        group.first.entry(here).or_insert(number);
        for branch in self.flow.outwards(here) {
            group.inside.entry(branch).or_default().push_back(number);
        }
        self.connected.entry(here).or_default().own.push(number);
        self.connect(here);
        number
    }

    /// The number of the first expression of a group that is certain to be evaluated if a later one is, or the other way round.
    pub fn find(&mut self, group: &mut Group, later: ExprId) -> Option<usize> {
        self.advance(later);
        let here = self.flow.of(later);
        let around = self.flow.outwards(here).filter_map(|it| group.first.get(&it).copied()).min();
        let inside = group.inside.get_mut(&here).and_then(|numbers| {
            while numbers.front().is_some_and(|it| self.separated[*it]) {
                numbers.pop_front();
            }
            numbers.front().copied()
        });
        around.into_iter().chain(inside).min()
    }

    /// The number of the first expression of a group that is on the same branch.
    pub fn find_beside(&self, group: &Group, later: ExprId) -> Option<usize> {
        group.first.get(&self.flow.of(later)).copied()
    }

    /// Passes the leaving calls that precede an expression.
    fn advance(&mut self, to: ExprId) {
        while let Some(next) = self.coming.checked_sub(1)
            && let leaving = &self.flow.leaving[next]
            && leaving.id.index() < to.index()
        {
            self.coming = next;
            self.pass(leaving);
        }
    }

    /// Names a branch in those around it.
    fn connect(&mut self, branch: Branch) {
        let mut branch = branch;
        while let Some(around) = self.flow.data(branch).around {
            let here = self.connected.entry(branch).or_default();
            if std::mem::replace(&mut here.is_named, true) {
                break;
            }
            let outer = self.connected.entry(around).or_default();
            let branches = if self.flow.is_of_lambda(branch) { &mut outer.lambdas } else { &mut outer.inner };
            branches.entry(self.flow.data(branch).choice).or_default().push(branch);
            branch = around;
        }
    }

    /// Separates what a leaving call is certain to follow: everything but other alternatives of the choices around the call, and,
    /// if it only leaves a lambda, what is outside of that lambda, or in others.
    fn pass(&mut self, leaving: &Leaving) {
        let flow = self.flow;
        let path = flow.path(flow.of(leaving.id));
        let lambda = flow.lambda(leaving.id);
        let is_outside = |it: &&Branch| leaving.is_of_lambda && flow.data(**it).lambda != lambda;
        let start = path.iter().take_while(is_outside).count();
        for (at, branch) in path.iter().enumerate().skip(start) {
            let Some(here) = self.connected.get_mut(branch) else { break };
            here.own.drain(..).for_each(|it| self.separated[it] = true);
            let next = path.get(at + 1).copied();
            let choice = next.and_then(|it| flow.data(it).choice);
            let mut passed = without(&mut here.inner, choice);
            if !leaving.is_of_lambda {
                passed.extend(without(&mut here.lambdas, choice));
            }
            for it in passed {
                if Some(it) == next {
                    if let Some(next) = self.connected.get_mut(&it) {
                        next.is_named = false;
                        self.connect(it);
                    }
                } else if self.separate(it, leaving.is_of_lambda)
                    && let Some(here) = self.connected.get_mut(branch)
                {
                    here.lambdas.entry(flow.data(it).choice).or_default().push(it);
                }
            }
        }
    }

    /// Separates what is on a branch and inside it; not what is in lambdas, if `is_of_lambda`. Returns whether these have anything
    /// that is still connected.
    fn separate(&mut self, branch: Branch, is_of_lambda: bool) -> bool {
        // The recursion is as deep as branches are nested.
        let Some(here) = self.connected.remove(&branch) else { return false };
        here.own.iter().for_each(|it| self.separated[*it] = true);
        let mut lambdas = here.lambdas;
        for it in here.inner.into_values().flatten() {
            if self.separate(it, is_of_lambda) {
                lambdas.entry(self.flow.data(it).choice).or_default().push(it);
            }
        }
        if !is_of_lambda {
            lambdas.drain().flat_map(|it| it.1).for_each(|it| _ = self.separate(it, false));
        }
        let is_left = !lambdas.is_empty();
        if is_left {
            self.connected.insert(branch, Connected { lambdas, ..Connected::default() });
        }
        is_left
    }
}

/// Takes all branches out but the alternatives of one choice.
fn without(branches: &mut Alternatives, choice: Option<ExprId>) -> Vec<Branch> {
    let kept = choice.and_then(|it| branches.remove_entry(&Some(it)));
    let taken = branches.drain().flat_map(|it| it.1).collect();
    branches.extend(kept);
    taken
}

#[cfg(test)]
mod tests {
    use marotte_hir::body::{Body, Expr};
    use marotte_hir::lower;
    use marotte_syntax::{Mode, parse};

    use super::*;

    /// Whether evaluating one of two expressions, of which the second comes after the first, implies evaluating the other.
    fn meet(flow: &Flow, first: ExprId, second: ExprId) -> bool {
        let (before, behind) = (flow.of(first), flow.of(second));
        if flow.is_within(behind, before) {
            return true;
        }
        // Inner expressions precede outer ones, and statements are in order.
        let leaves = |it: &Leaving| {
            let is_between = (first.index()..second.index()).contains(&it.id.index());
            let leaves_first = !it.is_of_lambda || flow.lambda(it.id) == flow.lambda(first);
            is_between && leaves_first && !exclude(flow, before, flow.of(it.id))
        };
        flow.is_within(before, behind) && !flow.leaving.iter().any(leaves)
    }

    /// Whether two branches are, or are in, different alternatives of one choice.
    fn exclude(flow: &Flow, one: Branch, other: Branch) -> bool {
        let (one, other) = (flow.path(one), flow.path(other));
        let apart = one.iter().zip(&other).find(|(one, other)| one != other);
        apart.is_some_and(|(one, other)| {
            let choice = flow.data(*one).choice;
            choice.is_some() && choice == flow.data(*other).choice
        })
    }

    /// Compares with all pairs. Returns how many expressions have an earlier one, and how many have none.
    fn compare(body: &Body) -> (usize, usize) {
        let flow = Flow::new(body);
        let mut earlier = Earlier::new(&flow);
        let mut groups = [Group::default(), Group::default()];
        let mut added: Vec<(usize, ExprId)> = Vec::new();
        let (mut found, mut missing) = (0, 0);
        for (id, expr) in body.exprs() {
            let Expr::Assign { .. } = expr else { continue };
            let group = id.index() % 2;
            let expected = added.iter().position(|(of, it)| *of == group && meet(&flow, *it, id));
            assert_eq!(earlier.find(&mut groups[group], id), expected, "{id:?}");
            let beside = added.iter().position(|(of, it)| *of == group && flow.of(*it) == flow.of(id));
            assert_eq!(earlier.find_beside(&groups[group], id), beside, "{id:?}");
            assert_eq!(earlier.add(&mut groups[group], id), added.len());
            added.push((group, id));
            if expected.is_some() { found += 1 } else { missing += 1 }
        }
        (found, missing)
    }

    /// A block of random statements, with conditions, lambdas and leaving calls.
    fn block(random: &mut impl FnMut(usize) -> usize, depth: usize) -> String {
        let mut text = String::new();
        for _ in 0..=random(4) {
            let kind = random(if depth == 0 { 5 } else { 10 });
            let mut inner = || block(random, depth - 1);
            text += &match kind {
                0..3 => "$x = 1\n".to_owned(),
                3 => "fail('a')\n".to_owned(),
                4 => "next(1)\n".to_owned(),
                5 => format!("if $a {{ {} }}\n", inner()),
                6 => format!("if $a {{ {} }} elsif $b {{ {} }} else {{ {} }}\n", inner(), inner(), inner()),
                7 => format!("case $a {{ 1: {{ {} }} default: {{ {} }} }}\n", inner(), inner()),
                8 => format!("[1].each |$v| {{ {} }}\n", inner()),
                _ => format!("unless $a {{ {} }}\n", inner()),
            };
        }
        text
    }

    #[test]
    fn it_finds_what_a_comparison_of_all_pairs_finds() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let (mut found, mut missing) = (0, 0);
        for _ in 0..2_000 {
            let text = block(&mut random, 4);
            let lowered = lower(&parse(&text, Mode::default()).program);
            let counts = compare(&lowered.main);
            found += counts.0;
            missing += counts.1;
        }
        assert!(found > 1_000 && missing > 1_000, "{found} {missing}");
    }
}
