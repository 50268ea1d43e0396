//! Resource defaults: `Type { name => value }` (F21–F23).

use std::rc::Rc;

use marotte_catalog::{Named, Reference};
use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Attribute;
use marotte_pcore::infer::{generalize, infer};
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;

use super::doubt::Cause;
use super::instance::{Container, Parameter};
use super::provenance::TraceKind;
use crate::EvaluationError;
use crate::interpreter::{Env, Evaluated, Interpreter, Scope};

impl Interpreter<'_> {
    /// Sets the default parameters for resources of a type in this scope and in nested ones.
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
                TypeKind::Resource(ResourceType { type_name: Some(name), title: None, .. }) => {
                    Some(name.clone())
                }
                _ => None,
            },
            _ => None,
        };
        let Some(name) = named else {
            let actual = generalize(&infer(self.dialect(), &value));
            let message = format!(
                "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got {actual}"
            );
            return Err(self.fail(env, type_ref, issues::ILLEGAL_RESOURCE_TYPE, message));
        };
        let type_name = Reference::new(&name, "").type_name;
        let parameters = self.known_attributes(env, type_ref, attributes, |_| TraceKind::TypeDefault)?;
        let Some(container) = env.scope.container.get().or_else(|| self.top.container.get()) else {
            return Ok(value);
        };
        let mut defaults = container.defaults.borrow_mut();
        let of_type = defaults.entry(type_name.clone()).or_default();
        for (name, parameter) in parameters {
            if of_type.contains_key(&name) {
                let message =
                    format!("Default already defined for {type_name} {{ {name} }}; cannot redefine");
                let mut error = EvaluationError::new(issues::DEFAULT_ALREADY_DEFINED, message);
                error.place = parameter.place;
                return Err(error.into());
            }
            of_type.insert(name, parameter);
        }
        drop(defaults);
        Ok(value)
    }

    /// Returns the default parameters for resources of a type in a scope: defaults of inner scopes take precedence.
    pub(super) fn defaults_of(&self, scope: &Rc<Scope>, type_name: &str) -> Defaults {
        let found: Vec<&Container> = containers(scope).collect();
        // From there on, the defaults of another scope may apply.
        let elsewhere = found.iter().position(|it| self.is_elsewhere(it).is_some());
        let by = elsewhere.and_then(|it| self.is_elsewhere(found.get(it)?));
        let mut defaults = Defaults { known: Named::default(), open: by.clone() };
        for (index, it) in found.iter().enumerate().rev() {
            let own = it.defaults.borrow();
            for (name, parameter) in own.get(type_name).into_iter().flatten() {
                let mut parameter = parameter.clone();
                if let Some(by) = by.as_ref().filter(|_| elsewhere.is_some_and(|it| index > it)) {
                    parameter.value = Value::Unknown(by.computed());
                }
                defaults.known.insert(name.clone(), parameter);
            }
            for doubt in it.doubtful_defaults.borrow().iter() {
                if doubt.type_name.as_ref().is_some_and(|it| it != type_name) {
                    continue;
                }
                let unknown = || Value::Unknown(doubt.by.computed());
                match &doubt.parameter {
                    None => {
                        defaults.open.get_or_insert_with(|| doubt.by.computed());
                        defaults.known.values_mut().for_each(|it| it.value = unknown());
                    }
                    Some(name) if own.get(type_name).is_some_and(|it| it.contains_key(name)) => {}
                    Some(name) => {
                        let source = Rc::clone(&it.source);
                        let parameter =
                            Parameter { value: unknown(), source, place: None, append: false, trace: None };
                        defaults.known.insert(name.clone(), parameter);
                    }
                }
            }
        }
        defaults
    }

    /// Why a scope may be that of a class that was declared earlier, in another place.
    fn is_elsewhere(&self, container: &Container) -> Option<Cause> {
        self.catalog.as_ref()?.resource(container.resource).elsewhere.clone()
    }
}

/// The default parameters of resources.
pub(super) struct Defaults {
    pub(super) known: Named<Parameter>,
    /// Why there may be more defaults than the known ones; None if these are all.
    pub(super) open: Option<Cause>,
}

/// The container of a scope, followed by those of the scopes in which it is declared.
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
