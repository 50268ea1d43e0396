//! What is checked once all is evaluated (F.10).

use marotte_catalog::Reference;
use marotte_catalog::wire::RELATIONSHIPS;
use marotte_pcore::value::{Hash, Value};

use super::flattened;
use super::instance::{ResourceId, ResourceKind};
use super::tagging::tag_text;
use crate::EvaluationError;
use crate::interpreter::{Evaluated, Interpreter};

impl Interpreter<'_> {
    /// Refuses parameters that the type of a resource does not have.
    pub(super) fn validate_resource(&mut self, id: ResourceId) -> Evaluated<()> {
        let state = self.state()?;
        let instance = state.resource(id);
        let reference = &instance.reference;
        match instance.kind.clone() {
            ResourceKind::Native(it) => {
                let unknown = instance.parameters.iter().find(|(name, _)| !it.accepts(name));
                let Some((name, _)) = unknown else { return Ok(()) };
                let message = format!("no parameter named '{name}' on {reference}");
                let mut error = EvaluationError::new("unknown-parameter", message);
                error.place = instance.place.clone();
                Err(error.into())
            }
            ResourceKind::Container(definition) | ResourceKind::Define(definition) => {
                let owner = reference.to_string();
                let given: Hash = instance
                    .parameters
                    .iter()
                    .map(|(name, it)| (Value::String(name.clone()), it.value.clone()))
                    .collect();
                self.check_parameters(&owner, &definition, &given)
            }
        }
    }

    /// Refuses relationships with resources that do not exist.
    pub(super) fn validate_relationships(&mut self) -> Evaluated<()> {
        let mut wanted = Vec::new();
        for (_, instance) in self.state()?.resources() {
            if instance.is_virtual {
                continue;
            }
            for (name, parameter) in &instance.parameters {
                if RELATIONSHIPS.contains(&&**name) {
                    for value in flattened([parameter.value.clone()]) {
                        if value != Value::Undef {
                            wanted.push((name.clone(), value, parameter.place.clone()));
                        }
                    }
                }
            }
        }
        for (name, value, place) in wanted {
            let reference = Reference::of_value(&value);
            let text = reference.as_ref().map_or_else(|| tag_text(&value).to_string(), Reference::to_string);
            let fail = |message: String| {
                let mut error = EvaluationError::new("missing-relationship-end", message);
                error.place = place.clone();
                error
            };
            let Some(reference) = reference.or_else(|| Reference::parse(&text)) else {
                let message = format!("No title provided and {text:?} is not a valid resource reference");
                return Err(fail(message).into());
            };
            if self.find_resource(&reference)?.is_none() {
                let message = format!("Could not find resource '{text}' in parameter '{name}'");
                return Err(fail(message).into());
            }
        }
        Ok(())
    }
}
