//! Which types expressions have.
//!
//! One walk over a body, in the order of evaluation. A variable is known by the type of what it was given on all ways to
//! where it is read; conditions narrow it. What cannot be known is unknown: no type at all, rather than `Any`.
//!
//! **Sound where it speaks**: the value of an expression, whenever it is evaluated, is an instance of its type.

mod access;
mod bounds;
mod builtin;
mod call;
mod condition;
mod constant;
mod expr;
pub(crate) mod measure;
mod narrow;
mod operator;
mod scope;

use std::cell::OnceCell;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use marotte_hir::{ExprId, Item, ItemKind};
use marotte_pcore::effort;
use marotte_pcore::types::{Type, TypeKind};
use marotte_text::Str;

pub(crate) use access::{element, is_fact, misspelled_part};
pub(crate) use builtin::{block_parameters, read as read_type};
pub(crate) use constant::{constant, values};
pub(crate) use expr::truth;

use crate::Db;
use crate::declared::declared;
use bounds::Bounds;
use scope::Scopes;

/// How far the walk follows variables of other classes, and results of functions, from body to body. What is further away
/// is unknown; and so no chain of them has a cycle.
const DEPTH: u8 = 3;

/// What is known about the expressions of an item.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Inference {
    types: Vec<Option<Type>>,
    walked: Vec<bool>,
    unset: Vec<ExprId>,
    unbound: Vec<ExprId>,
    outline: Outline,
}

/// What others see of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Outline {
    /// The variables that are set at the end, with their types. Those that are set on some ways only have a type that
    /// includes `undef`'s.
    variables: HashMap<Str, Option<Type>>,
    /// What a call gives.
    result: Option<Type>,
}

impl Inference {
    /// The type that every value of an expression has. None if that is unknown, or if the expression is never evaluated.
    pub(crate) fn type_of(&self, id: ExprId) -> Option<&Type> {
        self.types.get(id.index())?.as_ref()
    }

    /// What others see.
    pub(crate) fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The same, of which nothing is known but where evaluation may come to.
    fn without_types(mut self) -> Inference {
        self.types.fill(None);
        self.outline.variables.values_mut().for_each(|it| *it = None);
        self.outline.result = None;
        self
    }

    /// Whether an expression is part of what no way leads to, or of what is never walked.
    pub(crate) fn is_unreachable(&self, id: ExprId) -> bool {
        !self.walked.get(id.index()).copied().unwrap_or_default()
    }

    /// Variables that are read before anything on any way sets them, though a statement further on does.
    pub(crate) fn unset(&self) -> &[ExprId] {
        &self.unset
    }

    /// Variables that nothing in the body or in the classes that it inherits from sets: they are facts, variables of a node or
    /// of the top scope, or nothing.
    pub(crate) fn unbound(&self) -> &[ExprId] {
        &self.unbound
    }
}

impl Outline {
    /// The type of a variable, if it is one of these; inner none if its type is unknown.
    pub(crate) fn variable(&self, name: &str) -> Option<Option<&Type>> {
        self.variables.get(name).map(Option::as_ref)
    }

    /// What a call gives.
    pub(crate) fn result(&self) -> Option<&Type> {
        self.result.as_ref()
    }

    /// All names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Str> {
        let mut names: Vec<_> = self.variables.keys().collect();
        names.sort();
        names.into_iter()
    }
}

/// Infers the types of an item's expressions.
#[salsa::tracked(returns(ref))]
pub(crate) fn infer<'db>(db: &'db dyn Db, item: Item<'db>) -> Arc<Inference> {
    Arc::new(Walk::new(db, item, DEPTH).run())
}

/// What others see of an item, as far as so many steps from body to body show.
#[salsa::tracked(returns(ref))]
pub(crate) fn outline<'db>(db: &'db dyn Db, item: Item<'db>, depth: u8) -> Arc<Outline> {
    Arc::new(Walk::new(db, item, depth).run().outline)
}

/// What others see of an item.
pub(crate) fn outline_of<'db>(db: &'db dyn Db, item: Item<'db>) -> &'db Outline {
    outline(db, item, DEPTH - 1)
}

/// How many steps questions about the types of a body of so many expressions may take: many times what they do take.
pub(crate) fn effort_for(expressions: usize) -> u64 {
    const STEPS: u64 = 30_000;
    const STEPS_FOR_EACH: u64 = 1_000;
    STEPS.saturating_add(STEPS_FOR_EACH.saturating_mul(expressions as u64))
}

/// A type, or that it is unknown.
pub(crate) type Known = Option<Type>;

/// One walk over a body.
struct Walk<'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    body: &'db marotte_hir::Body,
    depth: u8,
    types: Vec<Known>,
    walked: Vec<bool>,
    bounds: Bounds,
    scopes: Scopes,
    /// Whether a way leads to what comes next.
    reachable: bool,
    /// What `return` gives the body that is walked.
    returned: Vec<Known>,
    unset: Vec<ExprId>,
    unbound: Vec<ExprId>,
    /// The variables that some statement sets, with whether they have slots.
    assigned: OnceCell<HashSet<(Str, bool)>>,
    /// Whether something calls `next` or `break`.
    may_leave_early: OnceCell<bool>,
}

impl<'db> Walk<'db> {
    fn new(db: &'db dyn Db, item: Item<'db>, depth: u8) -> Walk<'db> {
        let body = &**item.body(db);
        let count = body.exprs().count();
        Walk {
            db,
            item,
            body,
            depth,
            types: vec![None; count],
            walked: vec![false; count],
            bounds: Bounds::of(count),
            scopes: Scopes::default(),
            reachable: true,
            returned: Vec::new(),
            unset: Vec::new(),
            unbound: Vec::new(),
            assigned: OnceCell::new(),
            may_leave_early: OnceCell::new(),
        }
    }

    /// Walks as far as the effort allows: nothing is known of a body whose types take more.
    fn run(self) -> Inference {
        let steps = effort_for(self.types.len());
        let mut inference = None;
        match effort::within(steps, || inference = Some(self.walk())) {
            Ok(()) => inference.unwrap_or_default(),
            Err(effort::Exhausted) => inference.unwrap_or_default().without_types(),
        }
    }

    fn walk(mut self) -> Inference {
        let types = declared(self.db, self.item);
        for (parameter, declared) in self.body.parameters.iter().zip(&types.parameters) {
            // A default value may read the parameters before it.
            if let Some(default) = parameter.default {
                self.expr(default);
            }
            let known = parameter_type(parameter, declared.clone());
            self.types[parameter.at.index()] = known.clone();
            self.scopes.set(&parameter.name, known);
        }
        let skip = match self.item.kind(self.db) {
            ItemKind::Node(matches) => matches,
            ItemKind::TypeAlias | ItemKind::TypeMapping => self.body.statements.len(),
            _ => 0,
        };
        let statements = self.body.statements.get(skip..).unwrap_or_default();
        let last = self.block(statements);
        // What `return` gives is not compared with the type that is declared.
        let mut results = std::mem::take(&mut self.returned);
        if self.reachable {
            results.push(types.returns.clone().or(last));
        }
        let result = union(results);
        let outline = Outline { variables: self.scopes.variables(), result };
        let Walk { types, walked, unset, unbound, .. } = self;
        Inference { types, walked, unset, unbound, outline }
    }

    /// Walks statements. Gives the type of the last one.
    fn block(&mut self, statements: &[ExprId]) -> Known {
        let mut last = Some(Type::undef());
        for id in statements {
            if !self.reachable {
                return None;
            }
            last = self.expr(*id);
        }
        last
    }
}

/// What a parameter holds: what is declared, or anything. A `*` parameter holds an array.
fn parameter_type(parameter: &marotte_hir::body::Parameter, declared: Known) -> Known {
    let known = declared.filter(|it| !matches!(it.kind(), TypeKind::Any))?;
    // Typed as an array, it says how many there may be.
    let is_array = matches!(known.resolved().kind(), TypeKind::Array(..));
    Some(if parameter.captures_rest && !is_array { Type::array(known, None) } else { known })
}

/// The type of what has one of several types; unknown if one of them is, and so is the type of nothing.
fn union(types: impl IntoIterator<Item = Known>) -> Known {
    /// More alternatives than people write would cost more than they say.
    const MOST: usize = 32;
    let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
    if types.is_empty() || types.len() > MOST {
        return None;
    }
    let union = Type::variant(types);
    match union.kind() {
        TypeKind::Variant(all) if all.len() > MOST => None,
        _ => Some(union),
    }
}
