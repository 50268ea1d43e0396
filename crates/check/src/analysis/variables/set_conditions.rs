//! The conditions on which a body sets its variables, and whether they may be related to those of a read.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use foldhash::{HashMap, HashSet};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, LambdaId, Parameter};
use marotte_infer::flow::{Branch, Flow, leaving_call};
use marotte_pcore::effort;
use marotte_resolve::call::NamedCall;
use marotte_text::Str;

use crate::analysis::variables::tested::{Role, subjects, subjects_in};

/// The variables and facts that decide which branch of a choice is taken.
type Subjects = Rc<BTreeSet<Str>>;

/// Facts about a body that each of its variables needs.
pub(crate) struct SetConditions<'b> {
    body: &'b Body,
    flow: &'b Flow,
    /// The assignments that set a variable.
    set_at: HashMap<&'b str, Vec<ExprId>>,
    /// The variables that are set on a branch.
    set_on: HashMap<Branch, HashSet<&'b str>>,
    guards: Guards,
    subjects: RefCell<HashMap<(ExprId, Role), Subjects>>,
    /// The conditions of assignments, by their branches.
    known: RefCell<HashMap<Vec<Branch>, Rc<Conditions<'b>>>>,
}

/// The calls that evaluation may not get past, or that don't evaluate a lambda.
#[derive(Default)]
struct Guards {
    /// The choices around leaving calls, by the variables that they test.
    by_name: HashMap<Str, Vec<ExprId>>,
    /// The same, also by the choices around them.
    inside: HashMap<Str, HashMap<ExprId, Vec<ExprId>>>,
    /// The variables in arguments of functions that may refuse them.
    checked: HashSet<Str>,
    /// The variables in the arguments of a call with a lambda.
    iterated: HashMap<LambdaId, BTreeSet<Str>>,
}

/// The conditions on which assignments are evaluated.
struct Conditions<'b> {
    /// The choices around any of them.
    choices: BTreeSet<ExprId>,
    /// The choices around all of them.
    around_all: HashSet<ExprId>,
    /// The innermost choice around each of them.
    innermost: HashSet<ExprId>,
    /// The variables that are set together with them, which therefore show whether they were evaluated.
    beside: HashSet<&'b str>,
    /// Whether a guard tests one of these.
    are_beside_guarded: bool,
    /// The names that decide whether the assignments are evaluated, by the choices that also enclose the read.
    deciding: RefCell<HashMap<Vec<ExprId>, Rc<Deciding>>>,
}

/// The variables that decide whether assignments are evaluated, where a read is.
struct Deciding {
    names: HashSet<Str>,
    /// Whether the choices are probably meant to be exhaustive, or a guard tests a variable that decides them.
    are_related: bool,
}

impl<'b> SetConditions<'b> {
    pub(crate) fn new(body: &'b Body, flow: &'b Flow) -> Self {
        let mut all = SetConditions {
            body,
            flow,
            set_at: HashMap::default(),
            set_on: HashMap::default(),
            guards: Guards::default(),
            subjects: RefCell::default(),
            known: RefCell::default(),
        };
        let mut around_leaving: BTreeSet<ExprId> = BTreeSet::new();
        for (id, expr) in body.exprs() {
            if let Expr::Assign { target, .. } = expr {
                for (_, name) in target.variables() {
                    let at = all.set_at.entry(name).or_default();
                    if at.last() != Some(&id) {
                        at.push(id);
                    }
                    all.set_on.entry(flow.of(id)).or_default().insert(name);
                }
            }
            if leaving_call(expr).is_some() {
                around_leaving.extend(flow.choices(id));
            }
            let Some(call) = NamedCall::of(expr) else { continue };
            let read = || call.arguments().flat_map(|it| subjects_in(body, it, Role::Reads));
            let name = call.plain_name();
            if name.starts_with("validate_") || name.contains("assert") {
                all.guards.checked.extend(read());
            }
            if let Some(lambda) = call.lambda {
                all.guards.iterated.insert(lambda, read().collect());
            }
        }
        for choice in around_leaving {
            let outer: BTreeSet<ExprId> = flow.choices(choice).into_iter().collect();
            for name in &*all.subjects(choice, Role::Reads) {
                all.guards.by_name.entry(name.clone()).or_default().push(choice);
                let inside = all.guards.inside.entry(name.clone()).or_default();
                outer.iter().for_each(|it| inside.entry(*it).or_default().push(choice));
            }
        }
        all
    }

    /// The assignments that set the variable of a read: those of the body and of the lambdas around the read. None if a parameter of
    /// one of these has the same name.
    pub(crate) fn set_for(&self, name: &str, read: ExprId) -> Option<Vec<ExprId>> {
        let set = self.set_at.get(name)?;
        let lambdas: Vec<LambdaId> = self.flow.lambdas(read).collect();
        if set.len() < self.body.times_set(name) {
            let is_named = |it: &Parameter| it.name == name;
            let mut around = lambdas.iter().map(|it| &self.body.lambda(*it).parameters);
            if self.body.parameters.iter().any(is_named) || around.any(|it| it.iter().any(is_named)) {
                return None;
            }
        }
        let is_around = |it: &ExprId| self.flow.lambda(*it).is_none_or(|it| lambdas.contains(&it));
        Some(set.iter().copied().filter(is_around).collect())
    }

    /// Whether a condition that decides whether a variable is set may decide whether it is read, or whether evaluation reaches the
    /// read.
    pub(crate) fn may_decide(&self, set: &[ExprId], read: ExprId) -> bool {
        let flow = self.flow;
        let conditions = self.of(set);
        let around_read = flow.choices(read);
        let (common, others): (Vec<ExprId>, Vec<ExprId>) =
            around_read.into_iter().partition(|it| conditions.choices.contains(it));
        let deciding = self.deciding(&conditions, &common);
        if conditions.are_beside_guarded || deciding.are_related {
            return true;
        }
        let shares = |names: &BTreeSet<Str>| {
            names.iter().any(|it| deciding.names.contains(it) || conditions.beside.contains(it.as_str()))
        };
        let mut around = others.iter().chain(common.iter().filter(|it| !conditions.around_all.contains(it)));
        if around.any(|it| shares(&self.subjects(*it, Role::Reads))) {
            return true;
        }
        // A lambda that is called for each element of a tested value isn't called if there are no elements.
        if flow.lambdas(read).filter_map(|it| self.guards.iterated.get(&it)).any(shares) {
            return true;
        }
        // The branches of a choice that sets the variable are told apart: one that leaves, such as `default: { fail(…) }`, doesn't
        // set it, and doesn't lead to the read. If it only leaves on a condition, that may be one of the read.
        let mut around_read = others.iter().chain(&common);
        around_read.any(|it| {
            self.subjects(*it, Role::Reads).iter().any(|it| self.may_leave_inside(&conditions, &common, it))
        })
    }

    /// Whether a leaving call in an alternative of one of the choices, which is not around the read, is on a condition of its own
    /// that tests a variable.
    fn may_leave_inside(&self, conditions: &Conditions<'_>, common: &[ExprId], name: &Str) -> bool {
        let Some(inside) = self.guards.inside.get(name) else { return false };
        let is_own = |choice: &ExprId| conditions.choices.contains(choice) && !common.contains(choice);
        let leaves = |inner: &Vec<ExprId>| inner.iter().any(|it| !conditions.choices.contains(it));
        if inside.len() < conditions.choices.len() {
            inside.iter().any(|(choice, inner)| is_own(choice) && leaves(inner))
        } else {
            let own = conditions.choices.iter().filter(|it| is_own(it));
            own.filter_map(|it| inside.get(it)).any(leaves)
        }
    }

    /// The conditions of assignments.
    fn of(&self, set: &[ExprId]) -> Rc<Conditions<'b>> {
        let mut branches: Vec<Branch> = set.iter().map(|it| self.flow.of(*it)).collect();
        branches.sort_unstable();
        branches.dedup();
        if let Some(known) = self.known.borrow().get(&branches) {
            return Rc::clone(known);
        }
        let choices: Vec<Vec<ExprId>> = set.iter().map(|it| self.flow.choices(*it)).collect();
        let mut around_all: HashSet<ExprId> = choices.first().into_iter().flatten().copied().collect();
        for of_one in choices.iter().skip(1) {
            if around_all.is_empty() {
                break;
            }
            around_all.retain(|it| of_one.contains(it));
        }
        let innermost = choices.iter().filter_map(|it| it.first().copied()).collect();
        let choices: BTreeSet<ExprId> = choices.into_iter().flatten().collect();
        let beside: HashSet<&str> =
            branches.iter().filter_map(|it| self.set_on.get(it)).flatten().copied().collect();
        let are_beside_guarded = beside.iter().any(|it| self.is_guarded(&choices, it));
        let deciding = RefCell::default();
        let found =
            Rc::new(Conditions { choices, around_all, innermost, beside, are_beside_guarded, deciding });
        self.known.borrow_mut().insert(branches, Rc::clone(&found));
        found
    }

    /// Whether a function may refuse a variable, or a leaving call is on a condition that tests it, other than these choices.
    fn is_guarded(&self, choices: &BTreeSet<ExprId>, name: &str) -> bool {
        self.guards.checked.contains(name)
            || self.guards.by_name.get(name).is_some_and(|it| it.iter().any(|it| !choices.contains(it)))
    }

    fn deciding(&self, conditions: &Conditions<'_>, common: &[ExprId]) -> Rc<Deciding> {
        if let Some(known) = conditions.deciding.borrow().get(common) {
            return Rc::clone(known);
        }
        let own: Vec<ExprId> = conditions.choices.iter().filter(|it| !common.contains(it)).copied().collect();
        let mut names: HashSet<Str> = HashSet::default();
        for it in &own {
            // A variable may be set, and read, in very many places.
            if !effort::spend(1) {
                break;
            }
            names.extend(self.subjects(*it, Role::Sets).iter().cloned());
        }
        let are_related = self.are_alternatives(conditions, &own)
            || names.iter().any(|it| self.is_guarded(&conditions.choices, it));
        let found = Rc::new(Deciding { names, are_related });
        conditions.deciding.borrow_mut().insert(common.to_vec(), Rc::clone(&found));
        found
    }

    /// Whether several conditions, one after the other, test the same variables: together they are probably meant to be exhaustive.
    fn are_alternatives(&self, conditions: &Conditions<'_>, choices: &[ExprId]) -> bool {
        let is_innermost = |it: &ExprId| conditions.innermost.contains(it);
        let are_nested = |one, other| self.flow.is_way_of(one, other) || self.flow.is_way_of(other, one);
        // As soon as two choices aren't nested, the search ends: so those that test a variable are few.
        let mut by_name: HashMap<Str, Vec<ExprId>> = HashMap::default();
        choices.iter().any(|one| {
            self.subjects(*one, Role::Sets).iter().any(|name| {
                let earlier = by_name.entry(name.clone()).or_default();
                let found = earlier
                    .iter()
                    .any(|other| is_innermost(one) && is_innermost(other) || !are_nested(*one, *other));
                earlier.push(*one);
                found
            })
        })
    }

    /// The variables and facts that decide which branch of a choice is taken.
    fn subjects(&self, choice: ExprId, role: Role) -> Subjects {
        if let Some(known) = self.subjects.borrow().get(&(choice, role)) {
            return Rc::clone(known);
        }
        let found = Rc::new(subjects(self.body, choice, role));
        self.subjects.borrow_mut().insert((choice, role), Rc::clone(&found));
        found
    }
}
