use std::sync::Arc;

use foldhash::HashMap;
use marotte_hir::ExprId;
use marotte_pcore::types::Type;
use marotte_text::Str;

use crate::aliases::stand_for_the_same;

/// The result of inferring an item's expressions.
#[derive(Clone, Debug, Default)]
pub struct Inference {
    pub(super) types: Vec<Option<Type>>,
    pub(super) walked: Vec<bool>,
    pub(super) unset: Vec<ExprId>,
    pub(super) unbound: Vec<ExprId>,
    pub(super) perhaps_unset: Vec<ExprId>,
    pub(super) outline: Arc<Outline>,
}

/// The externally visible part of a body's inference.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The variables that are set at the end, with their types. The type of a variable that is set on some paths only includes
    /// `undef`.
    pub(super) variables: HashMap<Str, Option<Type>>,
    /// The result type of a call.
    pub(super) result: Option<Type>,
}

impl PartialEq for Inference {
    fn eq(&self, other: &Inference) -> bool {
        self.types == other.types
            && self.walked == other.walked
            && self.unset == other.unset
            && self.unbound == other.unbound
            && self.perhaps_unset == other.perhaps_unset
            && self.outline == other.outline
            && stand_for_the_same(self.types.iter().flatten(), other.types.iter().flatten())
    }
}

impl PartialEq for Outline {
    fn eq(&self, other: &Outline) -> bool {
        self.variables == other.variables
            && self.result == other.result
            && stand_for_the_same(self.types(), other.types())
    }
}

impl Inference {
    /// The type of all values of an expression. None if it is unknown, or if the expression is never evaluated.
    pub fn type_of(&self, id: ExprId) -> Option<&Type> {
        self.types.get(id.index())?.as_ref()
    }

    /// The externally visible part.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Removes all types, and keeps the reachability.
    pub(super) fn without_types(mut self) -> Inference {
        self.types.fill(None);
        let outline = Arc::make_mut(&mut self.outline);
        outline.variables.values_mut().for_each(|it| *it = None);
        outline.result = None;
        self
    }

    /// Whether an expression is in unreachable code, or in code that is never walked.
    pub fn is_unreachable(&self, id: ExprId) -> bool {
        !self.walked.get(id.index()).copied().unwrap_or_default()
    }

    /// Reads of variables that no path has set before, though a later statement sets them.
    pub fn unset(&self) -> &[ExprId] {
        &self.unset
    }

    /// Variables that are read where some of the ways that lead there set them, and others do not.
    pub fn perhaps_unset(&self) -> &[ExprId] {
        &self.perhaps_unset
    }

    /// Reads of variables that neither the body nor the classes that it inherits from set: facts, variables of a node or of the
    /// top scope, or undefined ones.
    pub fn unbound(&self) -> &[ExprId] {
        &self.unbound
    }
}

impl Outline {
    fn types(&self) -> impl Iterator<Item = &Type> {
        self.names().filter_map(|name| self.variable(name)?).chain(&self.result)
    }

    /// The type of a variable, if it is one of these; inner None if its type is unknown.
    pub fn variable(&self, name: &str) -> Option<Option<&Type>> {
        self.variables.get(name).map(Option::as_ref)
    }

    /// The result type of a call.
    pub fn result(&self) -> Option<&Type> {
        self.result.as_ref()
    }

    /// The names of all variables.
    pub fn names(&self) -> impl Iterator<Item = &Str> {
        let mut names: Vec<_> = self.variables.keys().collect();
        names.sort();
        names.into_iter()
    }
}
