use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::{HashMap, HashSet};
use marotte_text::Str;

use crate::ExprId;
use crate::body::{Body, Expr, LambdaId, Target, TargetKind};

/// A read of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `$x`: the first of the candidate slots that is set; if none is, the variable of the scope around the body.
    Local {
        /// The name of the variable, without `$`.
        name: Str,
        /// The slots that may hold the variable, in order of preference.
        candidates: Box<[Candidate]>,
    },
    /// `$::x`: the variable of the top scope.
    Top(Str),
    /// `$a::b::c`: the variable of a class.
    Qualified {
        /// The name of the class, `a::b`.
        scope: Str,
        /// The name without its namespace: `c` in `$a::b::c`.
        name: Str,
        /// Whether it is written with a leading `::`, which doesn't change the meaning.
        absolute: bool,
    },
    /// `$0`, `$1`, …: a group captured by the last match.
    Group(u32),
}

/// A slot that may hold a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The number of frames outward from the frame in which the variable is read.
    pub up: u16,
    /// The index of the slot in that frame.
    pub slot: u16,
}

/// The index of a frame in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(pub(crate) u32);

/// The variables that one call of a function, lambda or template sets, parameters first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Their names; the index is the slot.
    pub names: Vec<Str>,
    /// The slots in the order of their names. Empty for few variables, which are found sooner without.
    by_name: Box<[u32]>,
}

impl Frame {
    /// Creates the frame of variables, each of which may be named several times.
    pub(crate) fn new(variables: impl Iterator<Item = Str>) -> Frame {
        /// The number of variables up to which it takes less time to compare all names.
        const FEW: usize = 16;
        let mut seen: HashSet<Str> = HashSet::default();
        let names: Vec<Str> = variables.filter(|it| seen.insert(it.clone())).collect();
        let mut by_name: Vec<u32> = Vec::new();
        if names.len() > FEW {
            by_name.extend((0..).zip(&names).map(|(slot, _)| slot));
            by_name.sort_unstable_by_key(|slot| names.get(*slot as usize));
        }
        Frame { names, by_name: by_name.into() }
    }

    /// Returns the slot of a variable.
    pub fn slot(&self, name: &str) -> Option<usize> {
        if self.by_name.is_empty() {
            return self.names.iter().position(|it| it == name);
        }
        let named = |slot: &u32| self.names.get(*slot as usize).map(Str::as_str).cmp(&Some(name));
        let place = self.by_name.binary_search_by(named).ok()?;
        self.by_name.get(place).map(|slot| *slot as usize)
    }
}

impl Target {
    /// Returns the variables in the target, in order.
    pub fn variables(&self) -> Vec<(ExprId, &Str)> {
        let mut found = Vec::new();
        let mut open = vec![self];
        while let Some(target) = open.pop() {
            match &target.kind {
                TargetKind::Variable(name, _) => found.push((target.at, name)),
                TargetKind::Several(targets) => open.extend(targets.iter().rev()),
                TargetKind::Other => {}
            }
        }
        found
    }
}

/// The assignments of variables, computed on first use. They follow from the rest of a body, so comparisons ignore them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignments(OnceLock<HashMap<Str, Assignment>>);

impl PartialEq for Assignments {
    fn eq(&self, _: &Assignments) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Assignment {
    /// The number of times that the variable is assigned or is a parameter.
    times: usize,
    /// The value of the first assignment whose only target is this variable.
    value: Option<ExprId>,
}

impl Body {
    /// Returns the number of times that the body and its lambdas assign a variable or take it as a parameter.
    pub fn times_set(&self, name: &str) -> usize {
        self.assignment(name).times
    }

    /// Returns the value of a variable that is set exactly once, by an assignment whose only target is this variable.
    pub fn set_once(&self, name: &str) -> Option<ExprId> {
        let Assignment { times, value } = self.assignment(name);
        value.filter(|_| times == 1)
    }

    fn assignment(&self, name: &str) -> Assignment {
        let all = self.assignments.0.get_or_init(|| {
            let mut all: HashMap<Str, Assignment> = HashMap::default();
            for name in self.variables() {
                all.entry(name.clone()).or_default().times += 1;
            }
            for (_, expr) in self.exprs() {
                if let Expr::Assign { target, value, .. } = expr
                    && let TargetKind::Variable(name, _) = &target.kind
                {
                    all.entry(name.clone()).or_default().value.get_or_insert(*value);
                }
            }
            all
        });
        all.get(name).copied().unwrap_or_default()
    }

    /// The variables that the body and its lambdas assign.
    pub fn assigned(&self) -> impl Iterator<Item = (ExprId, &Str)> {
        self.exprs()
            .filter_map(|(_, expr)| if let Expr::Assign { target, .. } = expr { Some(target) } else { None })
            .flat_map(|it| it.variables())
    }

    /// The variables that the body and its lambdas assign or take as parameters.
    pub fn variables(&self) -> impl Iterator<Item = &Str> {
        let taken = self.lambdas().flat_map(|it| self.lambda(it).parameters.iter());
        self.assigned().map(|(_, name)| name).chain(self.parameters.iter().chain(taken).map(|it| &it.name))
    }

    /// The lambdas of the body.
    pub fn lambdas(&self) -> impl Iterator<Item = LambdaId> {
        self.exprs().filter_map(|(_, expr)| match expr {
            Expr::Call(it) => it.lambda,
            Expr::MethodCall(it) => it.lambda,
            Expr::Apply(_, it) => Some(*it),
            _ => None,
        })
    }

    /// The variables that the body reads by names without a scope, each once, and neither assigns nor takes as parameters.
    pub fn open_reads(&self) -> BTreeSet<&Str> {
        let read: BTreeSet<&Str> = self.exprs().filter_map(|(_, expr)| expr.read_locally()).collect();
        let set: BTreeSet<&Str> = self.variables().collect();
        &read - &set
    }
}

impl Expr {
    /// Returns the variable that the expression reads by a name without a scope.
    fn read_locally(&self) -> Option<&Str> {
        let Expr::Variable(variable) = self else { return None };
        match &**variable {
            Variable::Local { name, .. } => Some(name),
            Variable::Qualified { .. } | Variable::Top(_) | Variable::Group(_) => None,
        }
    }
}
