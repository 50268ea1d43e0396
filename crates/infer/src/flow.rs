//! Control flow: which expressions of a body are certain to be evaluated together.

mod earlier;

pub use earlier::{Earlier, Group};

use foldhash::HashMap;
use marotte_eval::functions::{Leaves, ResultType};
use marotte_hir::ExprId;
use marotte_hir::body::{Body, Expr, LambdaId, When, parameters, parts};
use marotte_resolve::call::NamedCall;

/// The branches of a body, and the branch of each expression.
#[derive(Debug)]
pub struct Flow {
    /// By index of the expression.
    of: Vec<Branch>,
    branches: Vec<BranchData>,
    /// The calls after which evaluation doesn't continue.
    leaving: Vec<Leaving>,
}

#[derive(Debug)]
struct Leaving {
    id: ExprId,
    /// The call only leaves the innermost lambda, if it is in one.
    is_of_lambda: bool,
}

/// Statements that are evaluated all or not at all, unless one of them leaves the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch(usize);

#[derive(Debug)]
struct BranchData {
    /// The enclosing branch; None for the body itself.
    around: Option<Branch>,
    /// The innermost lambda.
    lambda: Option<LambdaId>,
    /// The expression of which this branch is one alternative.
    choice: Option<ExprId>,
}

impl Flow {
    /// Divides a body into its branches.
    pub fn new(body: &Body) -> Flow {
        let exprs: Vec<(ExprId, &Expr)> = body.exprs().collect();
        let root = BranchData { around: None, lambda: None, choice: None };
        let mut flow = Flow { of: vec![Branch(0); exprs.len()], branches: vec![root], leaving: Vec::new() };
        parameters(&body.parameters, 0, &mut |part, when| {
            if when != When::Always {
                flow.of[part.index()] = flow.branch(Branch(0), When::Always, None);
            }
        });
        // Inner expressions precede outer ones.
        for (id, expr) in exprs.iter().rev() {
            let here = flow.of(*id);
            let mut opened: HashMap<When, Branch> = HashMap::default();
            parts(body, expr, &mut |part, when| {
                let branch = match when {
                    When::Always => here,
                    _ => *opened.entry(when).or_insert_with(|| flow.branch(here, when, Some(*id))),
                };
                flow.of[part.index()] = branch;
            });
            if let Some((_, leaves)) = leaving_call(expr) {
                flow.leaving.push(Leaving { id: *id, is_of_lambda: leaves == Leaves::Lambda });
            }
        }
        flow
    }

    fn branch(&mut self, around: Branch, when: When, of: Option<ExprId>) -> Branch {
        let (lambda, choice) = match when {
            When::Called(lambda) => (Some(lambda), None),
            When::Always | When::Sometimes(_) => (self.branches[around.0].lambda, of),
        };
        self.branches.push(BranchData { around: Some(around), lambda, choice });
        Branch(self.branches.len() - 1)
    }

    /// The branch that an expression is on.
    pub fn of(&self, id: ExprId) -> Branch {
        self.of.get(id.index()).copied().unwrap_or(Branch(0))
    }

    /// The lambda whose scope receives the variables that an assignment here sets.
    pub fn lambda(&self, id: ExprId) -> Option<LambdaId> {
        self.branches[self.of(id).0].lambda
    }

    /// Whether an expression is inside a lambda, at any depth.
    pub fn is_in(&self, id: ExprId, lambda: LambdaId) -> bool {
        self.around(id).any(|it| it.lambda == Some(lambda))
    }

    /// Whether an expression is inside an alternative of `choice`, at any depth.
    pub fn is_way_of(&self, id: ExprId, choice: ExprId) -> bool {
        self.around(id).any(|it| it.choice == Some(choice))
    }

    /// The expressions of which an expression is on one way among several, innermost first.
    pub fn choices(&self, id: ExprId) -> Vec<ExprId> {
        self.around(id).filter_map(|it| it.choice).collect()
    }

    /// The branch of an expression, and its enclosing branches.
    fn around(&self, id: ExprId) -> impl Iterator<Item = &BranchData> {
        let outer = |it: &&BranchData| it.around.map(|it| &self.branches[it.0]);
        std::iter::successors(Some(&self.branches[self.of(id).0]), outer)
    }

    /// A branch, and its enclosing branches.
    fn outwards(&self, branch: Branch) -> impl Iterator<Item = Branch> {
        std::iter::successors(Some(branch), |it| self.branches[it.0].around)
    }

    fn data(&self, branch: Branch) -> &BranchData {
        &self.branches[branch.0]
    }

    /// Whether a branch is the body of a lambda.
    fn is_of_lambda(&self, branch: Branch) -> bool {
        let data = self.data(branch);
        data.around.is_some_and(|it| self.data(it).lambda != data.lambda)
    }

    /// The lambdas that an expression is inside of, innermost first.
    pub fn lambdas(&self, id: ExprId) -> impl Iterator<Item = LambdaId> {
        let of_lambda = |it: &Branch| self.is_of_lambda(*it);
        self.outwards(self.of(id)).filter(of_lambda).filter_map(|it| self.data(it).lambda)
    }

    /// Whether `inner` is `outer`, or inside it.
    pub fn is_within(&self, inner: Branch, outer: Branch) -> bool {
        let mut here = Some(inner);
        while let Some(branch) = here {
            if branch == outer {
                return true;
            }
            here = self.branches[branch.0].around;
        }
        false
    }

    /// Whether any statement may end the body, or a lambda, before its last one.
    pub fn may_leave(&self) -> bool {
        !self.leaving.is_empty()
    }

    /// The branches around a branch, outermost first, and the branch itself.
    fn path(&self, branch: Branch) -> Vec<Branch> {
        let mut path: Vec<Branch> = self.outwards(branch).collect();
        path.reverse();
        path
    }
}

/// Whether evaluation doesn't continue after a call.
fn is_leaving_call(expr: &Expr) -> bool {
    leaving_call(expr).is_some()
}

/// The name of the called function, and the construct that it leaves, if it never returns.
pub fn leaving_call(expr: &Expr) -> Option<(&str, Leaves)> {
    let call = NamedCall::of(expr)?;
    match call.builtin()?.result {
        ResultType::Never(leaves) => Some((call.plain_name(), leaves)),
        _ => None,
    }
}

/// Whether evaluation never continues after an expression, on any branch.
pub fn leaves(body: &Body, id: ExprId) -> bool {
    // The recursion is as deep as blocks are nested.
    let expr = body.expr(id);
    let block = |block: &[ExprId]| block.iter().any(|it| leaves(body, *it));
    match expr {
        Expr::Call(_) | Expr::MethodCall(_) => is_leaving_call(expr),
        Expr::If(it) | Expr::Unless(it) => {
            it.otherwise.as_deref().is_some_and(block) && it.arms.iter().all(|it| block(&it.body))
        }
        Expr::Case(it) => {
            let is_default = |id: &ExprId| *body.expr(*id) == Expr::Default;
            it.options.iter().any(|it| it.values.iter().any(is_default))
                && it.options.iter().all(|it| block(&it.body))
        }
        _ => false,
    }
}
