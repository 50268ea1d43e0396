//! `Type { name => value }` (F21–F23).

use std::cell::Ref;
use std::rc::Rc;

use marotte_catalog::{Named, Reference};
use marotte_hir::ExprId;
use marotte_hir::body::Attribute;
use marotte_pcore::infer::{generalize, infer};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;

use super::instance::{Container, Parameter};
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter, Scope};

impl Interpreter<'_> {
    /// Sets what resources of a type get in this scope, and in those within it, unless they have it.
    pub(super) fn resource_defaults(
        &mut self,
        env: &Env<'_>,
        type_ref: ExprId,
        attributes: &[Attribute],
    ) -> Evaluated {
        let value = self.eval(env, type_ref)?;
        let value = self.decided(env, type_ref, value)?;
        let named = match &value {
            Value::Type(it) => match it.resolved().kind() {
                TypeKind::Resource(ResourceType { type_name: Some(name), title: None }) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        let Some(name) = named else {
            let actual = generalize(&infer(self.dialect(), &value));
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
            );
            return Err(self.fail(env, type_ref, "illegal-resource-type", message));
        };
        let type_name = Reference::new(&name, "").type_name;
        let parameters = self.attributes(env, attributes)?;
        let Some(container) = env.scope.container.get().or_else(|| self.top.container.get()) else {
            return Ok(value);
        };
        let mut defaults = container.defaults.borrow_mut();
        let of_type = defaults.entry(type_name.clone()).or_default();
        for (name, parameter) in parameters {
            if of_type.contains_key(&name) {
                let message =
                    format!("Default already defined for {type_name} {{ {name} }}; cannot redefine");
                let mut error = EvaluationError::new("default-already-defined", message);
                error.place = parameter.place;
                return Err(error.into());
            }
            of_type.insert(name, parameter);
        }
        drop(defaults);
        Ok(value)
    }

    /// The parameters that resources of a type get in a scope: those of scopes within win.
    pub(super) fn defaults_of(&self, scope: &Rc<Scope>, type_name: &str) -> Named<Parameter> {
        let found = containers(scope)
            .filter_map(|it| Ref::filter_map(it.defaults.borrow(), |it| it.get(type_name)).ok());
        let found: Vec<Ref<'_, Named<Parameter>>> = found.collect();
        let entries = found.iter().rev().flat_map(|it| it.iter());
        entries.map(|(name, it)| (name.clone(), it.clone())).collect()
    }
}

/// What a scope is of, and the scopes in which that is declared.
fn containers(scope: &Rc<Scope>) -> impl Iterator<Item = &Container> {
    let first = scope.container.get();
    std::iter::successors(first, |it| it.parent.as_ref()?.container.get())
}

/// Whether a value is a default for a parameter in a scope.
pub(super) fn is_default(scope: &Rc<Scope>, type_name: &str, parameter: &str, value: &Value) -> bool {
    containers(scope).any(|it| {
        let defaults = it.defaults.borrow();
        defaults.get(type_name).and_then(|it| it.get(parameter)).is_some_and(|it| it.value == *value)
    })
}
