use std::cell::OnceCell;
use std::sync::Arc;

use foldhash::HashSet;
use marotte_db::Db;
use marotte_hir::{ExprId, Item, ItemKind};
use marotte_pcore::effort;
use marotte_pcore::types::Type;
use marotte_text::Str;

use super::bounds::Bounds;
use super::known::{Known, parameter_type, union};
use super::result::{Inference, Outline};
use super::scope::Scopes;
use crate::declared::declared;

/// The knowledge of a walk about other bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// Their outlines.
    Outlines,
    /// Nothing.
    Unknown,
}

/// One walk over a body.
pub(super) struct InferenceBuilder<'db> {
    pub(super) db: &'db dyn Db,
    pub(super) item: Item<'db>,
    pub(super) body: &'db marotte_hir::Body,
    pub(super) others: Others,
    pub(super) types: Vec<Known>,
    pub(super) walked: Vec<bool>,
    pub(super) bounds: Bounds,
    pub(super) scopes: Scopes,
    /// Whether the next expression is reachable.
    pub(super) reachable: bool,
    /// The types of the values that `return` returns from the current body.
    pub(super) returned: Vec<Known>,
    pub(super) unset: Vec<ExprId>,
    pub(super) unbound: Vec<ExprId>,
    pub(super) perhaps_unset: Vec<ExprId>,
    /// The variables that some statement sets, with a flag for those with slots.
    pub(super) assigned: OnceCell<HashSet<(Str, bool)>>,
    /// Whether anything calls `next` or `break`.
    pub(super) may_leave_early: OnceCell<bool>,
}

impl<'db> InferenceBuilder<'db> {
    pub(super) fn new(db: &'db dyn Db, item: Item<'db>, others: Others) -> InferenceBuilder<'db> {
        let body = &**item.body(db);
        let count = body.exprs().count();
        InferenceBuilder {
            db,
            item,
            body,
            others,
            types: vec![None; count],
            walked: vec![false; count],
            bounds: Bounds::of(count),
            scopes: Scopes::default(),
            reachable: true,
            returned: Vec::new(),
            unset: Vec::new(),
            unbound: Vec::new(),
            perhaps_unset: Vec::new(),
            assigned: OnceCell::new(),
            may_leave_early: OnceCell::new(),
        }
    }

    /// Walks within the effort limit: nothing is known of a body whose types take more.
    pub(super) fn run(self) -> Inference {
        let steps = effort_for(self.types.len());
        let mut inference = None;
        match effort::within(steps, || inference = Some(self.walk())) {
            Ok(()) => inference.unwrap_or_default(),
            Err(effort::Exhausted) => inference.unwrap_or_default().without_types(),
        }
    }

    pub(super) fn walk(mut self) -> Inference {
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
        // Values of `return` aren't checked against the declared return type.
        let mut results = std::mem::take(&mut self.returned);
        if self.reachable {
            results.push(types.returns.clone().or(last));
        }
        let result = union(results);
        let outline = Arc::new(Outline { variables: self.scopes.variables(), result });
        let InferenceBuilder { types, walked, unset, unbound, perhaps_unset, .. } = self;
        Inference { types, walked, unset, unbound, perhaps_unset, outline }
    }

    /// Walks statements. Returns the type of the last one.
    pub(super) fn block(&mut self, statements: &[ExprId]) -> Known {
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

/// The step budget for questions about the types of a body with this number of expressions: many times what they usually take.
pub fn effort_for(expressions: usize) -> u64 {
    const STEPS: u64 = 30_000;
    const STEPS_FOR_EACH: u64 = 1_000;
    STEPS.saturating_add(STEPS_FOR_EACH.saturating_mul(expressions as u64))
}
