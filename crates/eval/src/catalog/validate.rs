//! Checks after evaluation (F.10).

use std::sync::Arc;

use foldhash::HashSet;
use marotte_catalog::Reference;
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_diagnostics::{issues, rules};
use marotte_pcore::types::TypeKind;
use marotte_pcore::value::{Hash, Value};
use marotte_text::Str;

use super::flattened;
use super::instance::{Instance, ResourceId, ResourceKind};
use super::tagging::tag_text;
use crate::EvaluationError;
use crate::interpreter::{Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Rejects attributes that native types do not have. These errors are reported even after other errors.
    pub(super) fn validate_attributes(&mut self) -> Evaluated<()> {
        let native =
            |(id, it): (ResourceId, &Instance)| matches!(it.kind, ResourceKind::Native(_)).then_some(id);
        let all: Vec<ResourceId> = self.state()?.declared().filter_map(native).collect();
        for id in all {
            let valid = self.validate_resource(id);
            self.noted(valid);
        }
        Ok(())
    }

    /// Rejects parameters that the type of a resource does not have.
    pub(super) fn validate_resource(&mut self, id: ResourceId) -> Evaluated<()> {
        let kind = self.state()?.resource(id).kind.clone();
        if let ResourceKind::Container(definition) | ResourceKind::Define(definition) = &kind {
            self.convert_parameters(id, definition)?;
        }
        let state = self.state()?;
        let instance = state.resource(id);
        let reference = &instance.reference;
        match kind {
            ResourceKind::Native(it) => {
                let unknown: Vec<Str> =
                    instance.parameters.keys().filter(|name| !it.accepts(name)).cloned().collect();
                if unknown.is_empty() {
                    return Ok(());
                }
                let (reference, place) = (reference.clone(), instance.place.clone());
                let unknown = unknown.iter().find(|name| !self.requests.may_be_extended(&it.name, name));
                let Some(name) = unknown else { return Ok(()) };
                let message = format!("no parameter named '{name}' on {reference}");
                let mut error = EvaluationError::new(rules::UNKNOWN_PARAMETER, message);
                error.place = place;
                Err(error.into())
            }
            ResourceKind::Container(definition) | ResourceKind::Define(definition) => {
                let owner = reference.clone();
                let given: Hash = instance
                    .parameters
                    .iter()
                    .map(|(name, it)| (Value::String(name.clone()), it.value.clone()))
                    .collect();
                self.check_parameters(&owner, &definition, &given)
            }
        }
    }

    /// Rejects relationships with resources that do not exist.
    pub(super) fn validate_relationships(&mut self) -> Evaluated<()> {
        let mut wanted = Vec::new();
        // Resources have many relationships with the same ones.
        let mut seen = HashSet::default();
        for (_, instance) in self.state()?.resources() {
            if instance.is_virtual {
                continue;
            }
            for (name, parameter) in &instance.parameters {
                if RELATIONSHIPS.contains(&&**name) {
                    for value in flattened([parameter.value.clone()]) {
                        if value == Value::Undef || value.has_unknown() {
                            continue;
                        }
                        // The same error at the same place is reported once anyway.
                        let place = parameter.place.as_ref();
                        let place_id = place.map(|it| (Arc::as_ptr(&it.origin).addr(), it.expr));
                        if seen.insert((value.clone(), name.clone(), place_id)) {
                            wanted.push((name.clone(), value, place.cloned()));
                        }
                    }
                }
            }
        }
        drop(seen);
        for (name, value, place) in wanted {
            let reference = Reference::of_value(&value);
            let text = match &reference {
                Some(reference) => reference.to_string(),
                None if value == Value::Type(TypeKind::Class(None).into()) => "class".to_owned(),
                None => tag_text(&value).to_string(),
            };
            let reference = reference.or_else(|| Reference::parse(&text)).filter(|it| !it.title.is_empty());
            let message = match reference {
                None => format!("No title provided and {text:?} is not a valid resource reference"),
                Some(reference)
                    if self.find_resource(&reference)?.is_none() && self.may_exist(&reference).is_none() =>
                {
                    format!("Could not find resource '{text}' in parameter '{name}'")
                }
                Some(_) => continue,
            };
            let mut error = EvaluationError::new(issues::MISSING_RELATIONSHIP_END, message);
            error.place = place;
            self.note_error(error);
        }
        Ok(())
    }
}
