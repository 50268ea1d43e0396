use std::collections::BTreeSet;
use std::sync::OnceLock;

use foldhash::HashMap;
use marotte_text::Str;

use crate::ExprId;
use crate::body::{Body, Expr, LambdaId, Target, TargetKind};

/// A variable that is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `$x`: one of the slots, in this order, as far as they are set; else, what the scope around the body has.
    Local {
        /// The name.
        name: Str,
        /// Where it may be.
        candidates: Box<[Candidate]>,
    },
    /// `$::x`: the variable of the top scope.
    Top(Str),
    /// `$a::b::c`: the variable of a class.
    Qualified {
        /// The name of the class, `a::b`.
        scope: Str,
        /// The name, `c`.
        name: Str,
        /// Written with `::` at the start, which means the same.
        absolute: bool,
    },
    /// `$0`, `$1`, …: what a group of the last match captured.
    Group(u32),
}

/// A slot in which a variable may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// How many frames out from the one in which the variable is read.
    pub up: u16,
    /// Which slot.
    pub slot: u16,
}

/// Which frame of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameId(pub(crate) u32);

/// The variables that one call of a function, lambda or template sets, parameters first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Their names; the index is the slot.
    pub names: Vec<Str>,
}

impl Frame {
    /// The slot of a name.
    pub fn slot(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it == name)
    }
}

impl Target {
    /// The variables in it, in order.
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

/// What variables are set to, found out for whoever asks first. It follows from the rest of a body, and so counts in no
/// comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assignments(OnceLock<HashMap<Str, Assignment>>);

impl PartialEq for Assignments {
    fn eq(&self, _: &Assignments) -> bool {
        true
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Assignment {
    /// How often the variable is set or taken.
    times: usize,
    /// What the first assignment that sets nothing else sets it to.
    value: Option<ExprId>,
}

impl Body {
    /// How often it and its lambdas set or take a variable.
    pub fn times_set(&self, name: &str) -> usize {
        self.assignment(name).times
    }

    /// What a variable is set to, if one assignment sets it, by itself, and nothing else does.
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

    /// The variables that it and its lambdas assign.
    pub fn assigned(&self) -> impl Iterator<Item = (ExprId, &Str)> {
        self.exprs()
            .filter_map(|(_, expr)| if let Expr::Assign { target, .. } = expr { Some(target) } else { None })
            .flat_map(|it| it.variables())
    }

    /// The variables that it and its lambdas set or take.
    pub fn variables(&self) -> impl Iterator<Item = &Str> {
        let taken = self.lambdas().flat_map(|it| self.lambda(it).parameters.iter());
        self.assigned().map(|(_, name)| name).chain(self.parameters.iter().chain(taken).map(|it| &it.name))
    }

    /// Its lambdas.
    pub fn lambdas(&self) -> impl Iterator<Item = LambdaId> {
        self.exprs().filter_map(|(_, expr)| match expr {
            Expr::Call(it) => it.lambda,
            Expr::MethodCall(it) => it.lambda,
            Expr::Apply(_, it) => Some(*it),
            _ => None,
        })
    }

    /// The variables that it reads, each once, by names without a scope, and neither sets nor takes.
    pub fn open_reads(&self) -> BTreeSet<&Str> {
        let read: BTreeSet<&Str> = self.exprs().filter_map(|(_, expr)| expr.read_locally()).collect();
        let set: BTreeSet<&Str> = self.variables().collect();
        &read - &set
    }
}

impl Expr {
    /// The variable that it reads by a name without a scope.
    fn read_locally(&self) -> Option<&Str> {
        let Expr::Variable(variable) = self else { return None };
        match &**variable {
            Variable::Local { name, .. } => Some(name),
            Variable::Qualified { .. } | Variable::Top(_) | Variable::Group(_) => None,
        }
    }
}
