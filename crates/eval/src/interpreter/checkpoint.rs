//! Checkpoints between programs, so that the effects of a program that fails can be undone.

use std::rc::Rc;

use super::scope::ScopeState;
use super::{Interpreter, Scope, hiera, load};
use crate::catalog::{Container, Definition, State};

/// The variables, definitions and catalog of an interpreter while no program is running.
pub(crate) struct Checkpoint {
    catalog: Option<Box<State>>,
    /// The top scope, and the scopes of classes and of the node.
    scopes: Vec<(Rc<Scope>, ScopeState)>,
    /// The definitions, each with its flag `overrides_everything`.
    overriding: Vec<(Rc<Definition>, bool)>,
    loaded: load::Loaded,
}

impl Interpreter<'_> {
    /// Copies what programs have assigned, defined and declared so far.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        let catalog = self.catalog.clone();
        let in_catalog = catalog.as_ref().map(|it| it.all_scopes()).unwrap_or_default();
        let scopes = [Rc::clone(&self.top)].into_iter().chain(in_catalog);
        let main = self.top.container.get().map(|it: &Container| &it.source);
        let definitions = catalog.iter().flat_map(|it| it.definitions.all()).chain(main);
        Checkpoint {
            scopes: scopes.map(|it| (Rc::clone(&it), it.save())).collect(),
            overriding: definitions.map(|it| (Rc::clone(it), it.overrides_everything.get())).collect(),
            loaded: self.loaded.clone(),
            catalog,
        }
    }

    /// Undoes everything that happened since a checkpoint, except messages and changes of objects in Ruby code.
    pub(crate) fn roll_back(&mut self, to: Checkpoint) {
        self.catalog = to.catalog;
        for (scope, state) in to.scopes {
            scope.restore(state);
        }
        for (definition, overrides) in to.overriding {
            definition.overrides_everything.set(overrides);
        }
        self.loaded = to.loaded;
        // They may depend on variables and types that are gone.
        self.signatures.clear();
        self.overloads.clear();
        self.data = hiera::Data::default();
    }
}
