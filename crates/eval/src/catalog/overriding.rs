//! Overrides: `Type['title'] { name => value }`, and those of collectors (F16–F20).

use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashSet;
use marotte_catalog::Reference;
use marotte_diagnostics::issues;
use marotte_hir::ExprId;
use marotte_hir::body::Attribute;
use marotte_pcore::ops::Strictness;
use marotte_pcore::types::{ResourceType, TypeKind};
use marotte_pcore::value::Value;

use super::attribute::Parameters;
use super::defaults::is_default;
use super::instance::{Parameter, ResourceId};
use super::provenance::{Trace, TraceKind};
use super::{Definition, flattened};
use crate::interpreter::{Env, Evaluated, Interpreter};
use crate::{EvaluationError, Place};

/// Parameters for a resource that exists, or may be declared later.
#[derive(Clone)]
pub(crate) struct Override {
    pub(super) reference: Reference,
    pub(super) parameters: Parameters,
    pub(super) source: Rc<Definition>,
    pub(super) place: Option<Place>,
}

impl Interpreter<'_> {
    /// Overrides parameters of resources. The result is the value of the expression that names them.
    pub(super) fn resource_override(
        &mut self,
        env: &Env<'_>,
        id: ExprId,
        resources: ExprId,
        attributes: &[Attribute],
    ) -> Evaluated {
        let value = self.eval(env, resources)?;
        let value = self.decided(env, resources, value)?;
        let parameters = self.known_attributes(env, id, attributes, TraceKind::Override)?;
        let source = self.source(env)?;
        for it in flattened([value.clone()]) {
            let reference = match &it {
                Value::Type(it) => match it.resolved().kind() {
                    TypeKind::Resource(ResourceType {
                        type_name: Some(name), title: Some(title), ..
                    }) if !name.eq_ignore_ascii_case("class") => Some(Reference::new(name, title)),
                    _ => None,
                },
                _ => None,
            };
            let Some(reference) = reference else {
                if let Some(untitled) = untitled(&it) {
                    let message =
                        format!("No title provided and :{untitled} is not a valid resource reference");
                    return Err(EvaluationError::runtime(message).into());
                }
                let shown = match &it {
                    Value::Type(it) => format!("{it}-Type"),
                    other => crate::functions::kind(other),
                };
                let message = format!("Resource Override can only operate on resources, got: {shown}");
                return Err(self.fail(env, id, issues::ILLEGAL_OVERRIDDEN_TYPE, message));
            };
            refuse_duplicates(&parameters, &reference).map_err(|error| error.at(env.place(id)))?;
            self.add_override(Override {
                reference,
                parameters: parameters.clone(),
                source: Rc::clone(&source),
                place: Some(env.place(id)),
            })?;
        }
        Ok(value)
    }

    /// Overrides parameters of a resource, immediately if it exists, otherwise when it is declared.
    pub(super) fn add_override(&mut self, it: Override) -> Evaluated<()> {
        match self.find_resource(&it.reference)? {
            Some(id) => self.merge(id, &it),
            None => {
                self.charge_override(it.parameters.len())?;
                self.state()?.overrides.entry(it.reference.clone()).or_default().push(it);
                Ok(())
            }
        }
    }

    /// Overrides parameters of a resource.
    pub(super) fn merge(&mut self, id: ResourceId, over: &Override) -> Evaluated<()> {
        let instance = self.state()?.resource(id);
        let declared = Rc::clone(&instance.source);
        let (evaluated, place) = (instance.evaluated, instance.place.clone());
        if !Rc::ptr_eq(&declared, &over.source) && !self.is_child_of(&over.source, &declared)? {
            let message = "Only subclasses can override parameters";
            let mut error = EvaluationError::new(issues::OVERRIDE_FROM_ELSEWHERE, message);
            error.place = over.place.clone();
            return Err(error.into());
        }
        if evaluated && self.settings.strict != Strictness::Off {
            let message = "Attempt to override an already evaluated resource with new values";
            let mut error = EvaluationError::new(issues::OVERRIDE_OF_EVALUATED_RESOURCE, message);
            error.place = over.place.clone();
            error.others_mut().related.extend(place);
            if self.settings.strict == Strictness::Error {
                return Err(error.into());
            }
            if let Some(place) = error.place {
                self.warn(error.issue, error.message, place);
            }
        }
        for (name, parameter) in &over.parameters {
            self.override_parameter(id, name, parameter)?;
        }
        Ok(())
    }

    fn override_parameter(&mut self, id: ResourceId, name: &str, new: &Parameter) -> Evaluated<()> {
        let instance = self.state()?.resource(id);
        let type_name = instance.reference.type_name.clone();
        let scope = Rc::clone(&instance.scope);
        let Some(current) = instance.parameters.get(name).cloned() else {
            self.charge_parameter(name, &new.value)?;
            return Ok(self.state()?.set_parameter(id, name, new.clone())?);
        };
        if is_default(&scope, &type_name, name, &new.value) {
            return Ok(());
        }
        let may_replace = current.value.has_unknown()
            || self.is_child_of(&new.source, &current.source)?
            || Rc::ptr_eq(&new.source, &current.source)
                && is_default(&scope, &type_name, name, &current.value);
        if !may_replace {
            let reference = &self.state()?.resource(id).reference;
            let message = format!("Parameter '{name}' is already set on {reference}; cannot redefine");
            let mut error = EvaluationError::new(issues::PARAMETER_ALREADY_SET, message);
            error.place = new.place.clone();
            error.others_mut().related.extend(current.place);
            return Err(error.into());
        }
        let mut parameter = new.clone();
        if let Some(trace) = &new.trace {
            parameter.trace = Some(Arc::new(Trace::clone(trace).after(current.trace.clone())));
        }
        self.charge_parameter(name, &new.value)?;
        if new.append {
            let joined = flattened([current.value, new.value.clone()]);
            // An unknown value may stand for several values.
            let unknown = joined.iter().find(|it| matches!(it, Value::Unknown(_))).cloned();
            parameter.value = unknown.unwrap_or_else(|| Value::Array(joined.into_iter().collect()));
            self.charge_list(&parameter.value)?;
        }
        Ok(self.state()?.set_parameter(id, name, parameter)?)
    }

    /// Whether a class inherits from another, or its overrides take precedence over all others.
    fn is_child_of(&mut self, class: &Rc<Definition>, other: &Rc<Definition>) -> Evaluated<bool> {
        let mut class = Rc::clone(class);
        // Circular inheritance has been rejected when the classes were evaluated.
        for _ in 0..self.settings.limits.call_depth {
            if class.overrides_everything.get() {
                return Ok(true);
            }
            if class.parent.is_none() {
                return Ok(false);
            }
            class = self.parent_class(&class)?;
            if Rc::ptr_eq(&class, other) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Rejects two overrides of the same parameter in one statement.
pub(super) fn refuse_duplicates(
    parameters: &Parameters,
    reference: &Reference,
) -> Result<(), EvaluationError> {
    let mut seen: HashSet<&str> = HashSet::default();
    for (name, _) in parameters {
        if !seen.insert(name) {
            let message = format!("Duplicate parameter '{name}' for on {reference}");
            return Err(EvaluationError::runtime(message));
        }
    }
    Ok(())
}

/// The name of the resource type, if the value is a type without titles.
fn untitled(value: &Value) -> Option<String> {
    let Value::Type(it) = value else { return None };
    match it.resolved().kind() {
        TypeKind::Resource(ResourceType { type_name: Some(name), title: None, .. }) => {
            Some(name.to_lowercase().to_string())
        }
        _ => None,
    }
}
