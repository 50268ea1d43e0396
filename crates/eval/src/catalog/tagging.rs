//! Tags of resources and of the catalog (F38).

use std::sync::Arc;

use marotte_catalog::Tags;
use marotte_pcore::value::Value;
use marotte_text::Str;

use super::instance::ResourceId;
use super::{State, flattened};
use crate::interpreter::{Env, Evaluated, Interpreter, Truth};
use crate::{EvaluationError, Place};

/// Adds the tags in a value: a string, or several. Unknown ones are left out; `has_tag` takes them into account.
pub(super) fn add_tags(tags: &mut Tags, value: &Value, place: Option<&Place>) -> Result<(), EvaluationError> {
    for value in flattened([value.clone()]) {
        if value == Value::Undef || value.has_unknown() {
            continue;
        }
        if let Err(error) = tags.add(&tag_text(&value)) {
            let mut error = EvaluationError::runtime(error.to_string());
            error.place = place.cloned();
            return Err(error);
        }
    }
    Ok(())
}

/// The tag for a value.
pub(super) fn tag_text(value: &Value) -> Str {
    match (value, marotte_catalog::Reference::of_value(value)) {
        (Value::String(text), _) => text.clone(),
        (_, Some(reference)) => reference.to_string().into(),
        _ => marotte_pcore::print::literal(value).into(),
    }
}

impl Interpreter<'_> {
    /// The class or resource whose body contains a call.
    pub(crate) fn containing(&mut self, env: &Env<'_>) -> Evaluated<ResourceId> {
        match env.scope.container.get().or_else(|| self.top.container.get()) {
            Some(container) => Ok(container.resource),
            None => Err(EvaluationError::runtime("there is no catalog").into()),
        }
    }

    /// Returns the name, as in messages, of the class, resource or node whose body contains a call. None outside of these.
    pub(crate) fn scope_name(&self, env: &Env<'_>) -> Option<Arc<str>> {
        let container = env.scope.container.get()?;
        if container.source.is_main() {
            return None;
        }
        let reference = &self.catalog.as_ref()?.resource(container.resource).reference;
        Some(reference.to_string().into())
    }

    /// `tag(…)`: tags the class or resource whose body contains the call.
    pub(crate) fn tag_container(&mut self, env: &Env<'_>, values: &[Value]) -> Evaluated<()> {
        let id = self.containing(env)?;
        for it in values {
            self.charge_tags_of(it)?;
            self.state()?.tag(id, it)?;
        }
        Ok(())
    }

    /// `tagged(…)`: whether the catalog, or the class or resource whose body contains the call, has all of some tags.
    pub(crate) fn is_tagged(&mut self, env: &Env<'_>, values: &[Value]) -> Evaluated<Truth> {
        let id = self.containing(env)?;
        let state = self.state()?;
        // Classes that may exist may have any tag.
        let doubt = state.doubts.may_be_declared_of("Class").cloned();
        Ok(values.iter().fold(Truth::Known(true), |all, value| {
            let tag = [tag_text(value).to_lowercase()];
            let of_catalog = match (state.tags.has_one_of(&tag), &doubt) {
                (false, Some(by)) => Truth::Unknown(by.clone()),
                (it, _) => Truth::Known(it),
            };
            all.and(of_catalog.or(has_tag(state, id, &tag)))
        }))
    }
}

/// Whether a resource, or its container, has one of some tags.
pub(super) fn has_tag(state: &State, id: ResourceId, tags: &[Str]) -> Truth {
    let mut id = id;
    let mut doubt = state.doubts.tagged.clone();
    loop {
        let instance = state.resource(id);
        if instance.tags.has_one_of(tags) {
            return Truth::Known(true);
        }
        let own = || instance.value("tag").unknown().or_else(|| instance.open.clone());
        doubt = doubt.or_else(own).or_else(|| instance.elsewhere.clone());
        match instance.scope.container.get() {
            Some(container) if container.resource != id => id = container.resource,
            _ => return doubt.map_or(Truth::Known(false), Truth::Unknown),
        }
    }
}
